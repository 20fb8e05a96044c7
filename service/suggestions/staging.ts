import { randomUUID } from 'node:crypto'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import { pickUpPointsOf } from '../pickUpPoints/index.ts'
import { inTransaction, type Store } from '../store/index.ts'
import type { SuggestionRow } from '../store/tables.ts'
import type { UploadLimits } from './limits.ts'
import { readInProcess } from './reading/readInProcess.ts'
import type { ErrorLog, StagedUpload, SuggestionLine, UploadedFile } from './upload.ts'

/** After how long an upload that is still not active was left behind by a process that is gone, in milliseconds. */
const longestStaging = 3_600_000

export interface Staging {
  readonly store: Store
  readonly tenantId: string
  readonly file: UploadedFile
  readonly limits: UploadLimits
  /** Milliseconds since 1970. */
  readonly now: number
  /** Given up when it aborts. */
  readonly signal: AbortSignal
}

/**
 * Reads a file and puts its rows into the store, where nobody sees them yet. Slice by slice, with a turn for
 * others after each: the embedded store answers at once, so 100,000 rows would keep everybody waiting for a second.
 * @throws Refusal InvalidImportType, InvalidHeader, InvalidRequest; then nothing is left of it
 */
export async function stageUpload({ store, tenantId, file, limits, now, signal }: Staging): Promise<StagedUpload> {
  const pickUpPoints = await ownPickUpPoints(store, tenantId)
  const uploadId = randomUUID()
  const errorLogs: ErrorLog[] = []
  let lineCount = 0
  await store
    .insertInto('suggestion_uploads')
    .values({
      upload_id: uploadId,
      tenant_id: tenantId,
      active: 0,
      staged_until: now + longestStaging,
      reference: null,
      created: now,
    })
    .execute()
  try {
    for await (const slice of readInProcess({ file, limits, pickUpPoints }, signal)) {
      errorLogs.push(...slice.errorLogs)
      lineCount += slice.lines.length
      if (slice.lines.length === 0) continue
      await store
        .insertInto('suggestions')
        .values(slice.lines.map(line => rowOf(uploadId, line)))
        .execute()
      await othersTurn()
    }
  } catch (error) {
    await giveUp(store, uploadId)
    throw error
  }
  return { uploadId, fileName: file.name, lineCount, errorLogs }
}

/** Lets a staged upload be swept away; does nothing to an active one. */
export async function giveUp(store: Store, uploadId: string): Promise<void> {
  await store
    .updateTable('suggestion_uploads')
    .set({ staged_until: 0 })
    .where('upload_id', '=', uploadId)
    .where('active', '=', 0)
    .execute()
}

async function ownPickUpPoints(store: Store, tenantId: string): Promise<string[]> {
  const rows = await inTransaction(store, tx => pickUpPointsOf(tx, tenantId).select(['pup_uid', 'name']).execute())
  return rows.flatMap(row => [row.pup_uid, row.name])
}

function rowOf(uploadId: string, line: SuggestionLine): Insertable<SuggestionRow> {
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
