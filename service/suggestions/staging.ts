import { randomUUID } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import { selectPickUpPoints } from '../pickUpPoints/index.ts'
import { inTransaction, type Store } from '../store/index.ts'
import type { SuggestionRow } from '../store/tables.ts'
import { readInProcess } from './reading/readInProcess.ts'
import type { ErrorLog, StagedUpload, SuggestionLine, UploadedFile, UploadLimits } from './upload.ts'

/** Milliseconds until an inactive upload counts as abandoned by a crashed process. */
const stagingLifetime = 3_600_000

/** Rows per delete statement; the sweep yields to the event loop in between. */
const sliceRows = 1_000

export interface Staging {
  readonly store: Store
  readonly tenantId: string
  readonly file: UploadedFile
  readonly limits: UploadLimits
  /** Milliseconds since 1970. */
  readonly now: number
  /** Aborts the staging. */
  readonly signal: AbortSignal
}

/**
 * Reads a file and stores its rows in an inactive upload. Yields to the event loop after each slice: the embedded
 * store is synchronous, so inserting 100,000 rows without a break would block other requests for a second.
 * @throws OperationError InvalidImportType, InvalidHeader, InvalidRequest; the upload is then abandoned
 */
export async function stageUpload({ store, tenantId, file, limits, now, signal }: Staging): Promise<StagedUpload> {
  const pickUpPoints = await findPickUpPointNames(store, tenantId)
  const uploadId = randomUUID()
  const errorLogs: ErrorLog[] = []
  let lineCount = 0
  await store
    .insertInto('suggestion_uploads')
    .values({
      upload_id: uploadId,
      tenant_id: tenantId,
      active: 0,
      expires_at: now + stagingLifetime,
      reference: null,
      created_at: now,
    })
    .execute()
  try {
    for await (const slice of readInProcess(file, { name: file.name, limits, pickUpPoints }, signal)) {
      errorLogs.push(...slice.errorLogs)
      lineCount += slice.lines.length
      if (slice.lines.length === 0) continue
      await store
        .insertInto('suggestions')
        .values(slice.lines.map(line => toRow(uploadId, line)))
        .execute()
      await yieldToEventLoop()
    }
  } catch (error) {
    await abandonUpload(store, uploadId)
    throw error
  }
  return { uploadId, fileName: file.name, lineCount, errorLogs }
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

function toRow(uploadId: string, line: SuggestionLine): Insertable<SuggestionRow> {
  const { emailAddress, firstName, lastName } = line
  return {
    upload_id: uploadId,
    email_key: emailAddress.toLowerCase(),
    row_number: line.row,
    email: emailAddress,
    phone_number: line.phoneNumber,
    language_code: line.languageCode,
    first_name: firstName,
    last_name: lastName,
    remarks: line.remarks,
    pick_up_point: line.pickUpPoint,
    search_key: [firstName ?? '', lastName ?? '', emailAddress].join('\n').toLowerCase(),
  }
}

/** Deletes replaced and abandoned uploads. */
export async function sweepUploads(store: Store, now: number): Promise<void> {
  const expired = await store
    .selectFrom('suggestion_uploads')
    .select('upload_id')
    .where('active', '=', 0)
    .where('expires_at', '<=', now)
    .execute()
  for (const { upload_id: uploadId } of expired) await deleteUpload(store, uploadId)
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
    await yieldToEventLoop()
  }
  await store.deleteFrom('suggestion_uploads').where('upload_id', '=', uploadId).execute()
}
