import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../store/index.ts'

/** Rows and words per delete statement; the sweep yields to the event loop in between. */
const [sliceRows, sliceWords] = [250, 1_250]

/** `expires_at` of an upload whose rows are being deleted. */
const deleting = -1

export interface SweepOptions {
  /** Only its uploads are deleted. */
  readonly tenantId?: string | undefined
  /** Ends the sweep after its slice. */
  readonly stopping?: AbortSignal | undefined
  /** Awaited before each slice. */
  readonly pause?: () => Promise<void>
}

/**
 * Deletes replaced and abandoned uploads. Two processes may delete the same one.
 * @param now the store's time, since the clock of a process that is ahead would end the uploads of others
 * @returns the number of deleted uploads
 */
export async function sweepUploads(store: Store, now: number, options: SweepOptions = {}): Promise<number> {
  const { tenantId } = options
  const expired = await store
    .selectFrom('suggestion_uploads')
    .select('upload_id')
    .where('active', '=', 0)
    .where('expires_at', '<=', now)
    .$if(tenantId !== undefined, query => query.where('tenant_id', '=', tenantId ?? ''))
    .execute()
  let swept = 0
  for (const { upload_id: uploadId } of expired) {
    if (!(await claimUpload(store, uploadId))) continue
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

/** Prevents the activation of an upload, unless it is active by now. Returns whether its rows may be deleted. */
async function claimUpload(store: Store, uploadId: string): Promise<boolean> {
  const { numUpdatedRows } = await store
    .updateTable('suggestion_uploads')
    .set({ expires_at: deleting })
    .where('upload_id', '=', uploadId)
    .where('active', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
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
  // Begins after the previous slice: PostgreSQL would read its deleted entries again.
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
