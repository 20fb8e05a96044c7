import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../store/index.ts'

/** Rows and words per delete statement; the sweep yields to the event loop in between. */
const [sliceRows, sliceWords] = [250, 1_250]

export interface SweepOptions {
  /** Ends the sweep after its slice. */
  readonly stopping?: AbortSignal | undefined
  /** Awaited before each slice. */
  readonly pause?: () => Promise<void>
}

/**
 * Deletes replaced and abandoned uploads. Two processes may delete the same one.
 * @returns the number of deleted uploads
 */
export async function sweepUploads(store: Store, now: number, options: SweepOptions = {}): Promise<number> {
  const expired = await store
    .selectFrom('suggestion_uploads')
    .select('upload_id')
    .where('active', '=', 0)
    .where('expires_at', '<=', now)
    .execute()
  let swept = 0
  for (const { upload_id: uploadId } of expired) {
    await deleteWords(store, uploadId, options)
    await deleteLines(store, uploadId, options)
    if (options.stopping?.aborted) break
    const { numDeletedRows } = await store
      .deleteFrom('suggestion_uploads')
      .where('upload_id', '=', uploadId)
      .executeTakeFirst()
    swept += Number(numDeletedRows)
  }
  return swept
}

/**
 * Makes the active uploads of tenants expire that were removed at this time or before. Their rows are too many for the
 * transaction that removes a tenant. Returns the number of uploads.
 */
export async function expireUploadsOfRemovedTenants(tx: Store, before: number): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('suggestion_uploads')
    .set({ active: 0, expires_at: 0 })
    .where('active', '=', 1)
    .where('tenant_id', 'in', eb =>
      eb.selectFrom('removals').select('id').where('kind', '=', 'tenant').where('removed_at', '<=', before),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

async function deleteWords(store: Store, uploadId: string, { stopping, pause }: SweepOptions): Promise<void> {
  // Begins behind the slice before, since PostgreSQL reads over deleted entries.
  let from = sql<boolean>`true`
  while (!stopping?.aborted) {
    await pause?.()
    const next = await store
      .selectFrom('suggestion_words')
      .select(['word', 'position'])
      .where('upload_id', '=', uploadId)
      .where(from)
      .orderBy('word')
      .orderBy('position')
      .limit(1)
      .offset(sliceWords)
      .executeTakeFirst()
    const slice = store.deleteFrom('suggestion_words').where('upload_id', '=', uploadId).where(from)
    if (next === undefined) return void (await slice.execute())
    const place = sql`(${next.word}, ${next.position})`
    await slice.where(sql<boolean>`(word, position) < ${place}`).execute()
    from = sql<boolean>`(word, position) >= ${place}`
    await yieldToEventLoop()
  }
}

async function deleteLines(store: Store, uploadId: string, { stopping, pause }: SweepOptions): Promise<void> {
  const { last } = await store
    .selectFrom('suggestions')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('upload_id', '=', uploadId)
    .executeTakeFirstOrThrow()
  for (let from = 0; from <= (last ?? -1) && !stopping?.aborted; from += sliceRows) {
    await pause?.()
    await store
      .deleteFrom('suggestions')
      .where('upload_id', '=', uploadId)
      .where('position', '>=', from)
      .where('position', '<', from + sliceRows)
      .execute()
    await yieldToEventLoop()
  }
}
