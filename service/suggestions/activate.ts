import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import { forNoKeyUpdate } from '../store/locks.ts'
import { countCommon } from './compare.ts'
import { type StagedUpload, tookTooLong } from './upload.ts'

/** Counts of e-mail addresses, compared with the previous upload. */
export interface UploadCounts {
  /** Addresses that the upload adds. */
  readonly importedCount: number
  /** Addresses in both uploads. */
  readonly existedCount: number
  /** Addresses only in the previous upload. */
  readonly removedCount: number
}

/**
 * Activates a staged upload in the transaction of the call. The previous upload expires.
 * @throws OperationError Unavailable if the upload has expired and is being deleted
 */
export async function activateUpload(
  { tx, tenantId }: Call,
  { uploadId, lineCount, comparison }: StagedUpload,
  reference: string,
): Promise<UploadCounts> {
  // The lock orders concurrent uploads of a tenant: the second is compared with the first.
  await tx
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .modifyEnd(forNoKeyUpdate(tx))
    .executeTakeFirstOrThrow()
  const previous = await tx
    .selectFrom('suggestion_uploads')
    .select(['upload_id', 'line_count'])
    .where('tenant_id', '=', tenantId)
    .where('active', '=', 1)
    .executeTakeFirst()
  const previousId = previous?.upload_id ?? ''
  // Another process has activated an upload since the comparison: rare, and the only long case.
  const isCurrent = previousId === comparison.previousId
  const existedCount = isCurrent ? comparison.existedCount : await countCommon(tx, uploadId, previousId)
  await tx
    .updateTable('suggestion_uploads')
    .set({ active: 0, expires_at: 0 })
    .where('tenant_id', '=', tenantId)
    .where('active', '=', 1)
    .execute()
  const { numUpdatedRows } = await tx
    .updateTable('suggestion_uploads')
    .set({ active: 1, reference, line_count: lineCount })
    .where('upload_id', '=', uploadId)
    // An abandoned upload has 0, and a sweep sets less before it deletes the rows.
    .where('expires_at', '>', 0)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new OperationError('Unavailable', tookTooLong)
  const removedCount = (previous?.line_count ?? 0) - existedCount
  return { importedCount: lineCount - existedCount, existedCount, removedCount }
}
