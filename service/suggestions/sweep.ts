import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../store/index.ts'

/** Rows and words per delete statement; the sweep yields to the event loop in between. */
const [sliceRows, sliceWords] = [1_000, 2_500]

/** Deletes replaced and abandoned uploads. */
export async function sweepUploads(store: Store, now: number): Promise<void> {
  const expired = await store
    .selectFrom('suggestion_uploads')
    .select('upload_id')
    .where('active', '=', 0)
    .where('expires_at', '<=', now)
    .execute()
  for (const { upload_id: uploadId } of expired) {
    await deleteWords(store, uploadId)
    await deleteLines(store, uploadId)
    await store.deleteFrom('suggestion_uploads').where('upload_id', '=', uploadId).execute()
  }
}

async function deleteWords(store: Store, uploadId: string): Promise<void> {
  // Begins behind the slice before, since PostgreSQL reads over deleted entries.
  let from = sql<boolean>`true`
  for (;;) {
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

async function deleteLines(store: Store, uploadId: string): Promise<void> {
  const { last } = await store
    .selectFrom('suggestions')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('upload_id', '=', uploadId)
    .executeTakeFirstOrThrow()
  for (let from = 0; from <= (last ?? -1); from += sliceRows) {
    await store
      .deleteFrom('suggestions')
      .where('upload_id', '=', uploadId)
      .where('position', '>=', from)
      .where('position', '<', from + sliceRows)
      .execute()
    await yieldToEventLoop()
  }
}
