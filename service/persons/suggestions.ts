import { inTransaction, type Store } from '../store/index.ts'
import type { Matches } from './matcher.ts'

/** Rows of one query. */
const sliceRows = 2_000

/**
 * Deletes the rows about the person from every upload, active, staged and replaced ones, with their words. Returns
 * their number.
 */
export async function eraseSuggestions(store: Store, matches: Matches): Promise<number> {
  const uploads = await store.selectFrom('suggestion_uploads').select('upload_id').execute()
  let erased = 0
  for (const { upload_id: uploadId } of uploads) {
    const positions = await findPositions(store, uploadId, matches)
    if (positions.length === 0) continue
    await inTransaction(store, async tx => {
      await tx
        .deleteFrom('suggestion_words')
        .where('upload_id', '=', uploadId)
        .where('position', 'in', positions)
        .execute()
      await tx.deleteFrom('suggestions').where('upload_id', '=', uploadId).where('position', 'in', positions).execute()
      // An upload that is not active has no count yet.
      await tx
        .updateTable('suggestion_uploads')
        .set(eb => ({ line_count: eb('line_count', '-', positions.length) }))
        .where('upload_id', '=', uploadId)
        .where('active', '=', 1)
        .execute()
    })
    erased += positions.length
  }
  return erased
}

async function findPositions(store: Store, uploadId: string, matches: Matches): Promise<number[]> {
  const found: number[] = []
  for await (const rows of readSuggestions(store, uploadId, matches))
    found.push(...rows.map(({ position }) => position))
  return found
}

/** Reads the rows of an upload that name the person, in slices. */
export async function* readSuggestions(store: Store, uploadId: string, matches: Matches) {
  for (let last = -1; ; ) {
    const rows = await store
      .selectFrom('suggestions')
      .selectAll()
      .where('upload_id', '=', uploadId)
      .where('position', '>', last)
      .orderBy('position')
      .limit(sliceRows)
      .execute()
    const end = rows.at(-1)
    if (end === undefined) return
    yield rows.filter(row => {
      const texts = [row.email, row.phone_number, `${row.first_name ?? ''} ${row.last_name ?? ''}`, row.remarks]
      return texts.some(matches)
    })
    last = end.position
  }
}
