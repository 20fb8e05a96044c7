import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Store } from '../store/index.ts'

/** Rows that are deleted in one statement, so that others get their turn in between. */
const sliceRows = 1_000

/** Deletes the uploads that were replaced, given up, or left behind by a process that is gone. */
export async function sweepUploads(store: Store, now: number): Promise<void> {
  const over = await store
    .selectFrom('suggestion_uploads')
    .select('upload_id')
    .where('active', '=', 0)
    .where('staged_until', '<=', now)
    .execute()
  for (const { upload_id: uploadId } of over) await deleteUpload(store, uploadId)
}

async function deleteUpload(store: Store, uploadId: string): Promise<void> {
  for (;;) {
    const rows = await store
      .selectFrom('suggestions')
      .select('email_key')
      .where('upload_id', '=', uploadId)
      .orderBy('email_key')
      .limit(sliceRows)
      .execute()
    const last = rows.at(-1)?.email_key
    if (last === undefined) break
    await store.deleteFrom('suggestions').where('upload_id', '=', uploadId).where('email_key', '<=', last).execute()
    await othersTurn()
  }
  await store.deleteFrom('suggestion_uploads').where('upload_id', '=', uploadId).execute()
}
