import { randomBytes } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import { OperationError } from '../operationError.ts'
import { selectPickUpPoints } from '../pickUpPoints/index.ts'
import { inTransaction, type Store } from '../store/index.ts'
import { forNoKeyUpdate, hasRowLocks } from '../store/locks.ts'
import { compareWithActive } from './compare.ts'
import { lineColumns } from './lineColumns.ts'
import { readInProcess } from './reading/readInProcess.ts'
import { type ErrorLog, type StagedUpload, tookTooLong, type UploadedFile, type UploadLimits } from './upload.ts'

export interface Staging {
  readonly store: Store
  readonly tenantId: string
  readonly file: UploadedFile
  readonly limits: UploadLimits
  /** Milliseconds after which an inactive upload counts as abandoned by a crashed process. */
  readonly lifetime: number
  /** The store's time in milliseconds since 1970: a sweep compares the end of the lifetime with it. */
  readonly now: number
  /** Aborts the staging. */
  readonly signal: AbortSignal
  /** Awaited before each slice. */
  readonly pause: () => Promise<void>
}

const lineNames = Object.keys(lineColumns)
const insertedColumns = sql.raw(lineNames.join(', '))
const lineValues = sql.raw(lineNames.map((_, at) => `value ->> ${at + 1}`).join(', '))

/**
 * Reads a file, stores its rows in an inactive upload, and compares it with the active one. Yields to the event loop after
 * each slice: the embedded store is synchronous, so inserting 100,000 rows without a break would block other requests for a
 * second.
 * @throws OperationError InvalidImportType, InvalidHeader, InvalidRequest, Unavailable; the upload is then abandoned
 */
export async function stageUpload({
  store,
  tenantId,
  file,
  limits,
  lifetime,
  now,
  signal,
  pause,
}: Staging): Promise<StagedUpload> {
  const pickUpPoints = await findPickUpPointNames(store, tenantId)
  const uploadId = newUploadId()
  const errorLogs: ErrorLog[] = []
  let lineCount = 0
  let errorCount = 0
  await store
    .insertInto('suggestion_uploads')
    .values({
      upload_id: uploadId,
      tenant_id: tenantId,
      active: 0,
      expires_at: now + lifetime,
      reference: null,
      created_at: now,
    })
    .execute()
  // A service that reads in child processes loads no parsers.
  const read = limits.ownProcess ? readInProcess : (await import('./reading/readFile.ts')).readHere
  try {
    for await (const slice of read(file, { name: file.name, limits, pickUpPoints }, signal)) {
      await pause()
      errorLogs.push(...slice.errorLogs)
      errorCount += slice.errorCount
      lineCount += slice.lineCount
      if (slice.lines !== undefined) await insertLines(store, uploadId, slice.lines)
      if (slice.words !== undefined) await insertWords(store, uploadId, slice.words)
      await yieldToEventLoop()
    }
    const comparison = await compareWithActive(store, tenantId, uploadId, pause)
    return { uploadId, fileName: file.name, lineCount, errorCount, errorLogs, comparison }
  } catch (error) {
    await abandonUpload(store, uploadId)
    throw error
  }
}

/** Twelve characters instead of a UUID: each word of each suggestion has the id in its index. */
function newUploadId(): string {
  return randomBytes(9).toString('base64url')
}

/** Marks a staged upload for deletion. Active uploads are left alone. */
export async function abandonUpload(store: Store, uploadId: string): Promise<void> {
  await store
    .updateTable('suggestion_uploads')
    .set({ expires_at: 0 })
    .where('upload_id', '=', uploadId)
    .where('active', '=', 0)
    .execute()
}

async function findPickUpPointNames(store: Store, tenantId: string): Promise<string[]> {
  const rows = await inTransaction(store, tx => selectPickUpPoints(tx, tenantId).select(['pup_uid', 'name']).execute())
  return rows.flatMap(row => [row.pup_uid, row.name])
}

/**
 * Inserts rows of an upload. A parameter per column would be garbage of 100 MB for 100,000 rows, and their statement would be built
 * anew for each slice. PostgreSQL gets the bytes as they are: texts would enlarge the young generation of the service's heap.
 * @param lines JSON: a list of `toValues` for each row
 */
async function insertLines(store: Store, uploadId: string, lines: Buffer): Promise<void> {
  const elements = hasRowLocks(store) ? sql`json_array_elements(${lines})` : sql`json_each(${lines.toString()})`
  await sql`
    insert into suggestions (upload_id, position, ${insertedColumns})
    select ${uploadId}, cast(value ->> 0 as integer), ${lineValues} from ${elements}`.execute(store)
}

/**
 * Inserts words of an upload. One parameter of JSON takes a third of the time of one parameter per column. The lock replaces a
 * foreign key: words of an upload that is being deleted would stay forever.
 * @param words JSON: pairs of a word and a position
 * @throws OperationError Unavailable if the upload has expired and is being deleted
 */
export async function insertWords(store: Store, uploadId: string, words: Buffer): Promise<void> {
  const elements = hasRowLocks(store) ? sql`json_array_elements(${words})` : sql`json_each(${words.toString()})`
  const { numAffectedRows } = await sql`
    insert into suggestion_words (upload_id, word, position)
    select ${uploadId}, value ->> 0, cast(value ->> 1 as integer) from ${elements}
    where exists (
      select 1 from suggestion_uploads where upload_id = ${uploadId} and expires_at > 0 ${forNoKeyUpdate(store)}
    )`.execute(store)
  if (numAffectedRows === 0n) throw new OperationError('Unavailable', tookTooLong)
}
