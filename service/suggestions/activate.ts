import type { Call } from '../call.ts'
import { forNoKeyUpdate } from '../store/locks.ts'
import type { StagedUpload } from './upload.ts'

/** Counts of e-mail addresses, compared with the previous upload. */
export interface UploadComparison {
  /** New addresses. */
  readonly importedCount: number
  /** Addresses in both uploads. */
  readonly existedCount: number
  /** Addresses only in the previous upload. */
  readonly removedCount: number
}

/** Activates a staged upload in the transaction of the call. The previous upload expires. */
export async function activateUpload(
  { tx, tenantId }: Call,
  { uploadId, lineCount }: StagedUpload,
  reference: string,
): Promise<UploadComparison> {
  // The lock orders concurrent uploads of a tenant: the second is compared with the first.
  await tx
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .modifyEnd(forNoKeyUpdate(tx))
    .executeTakeFirstOrThrow()
  const previous = await tx
    .selectFrom('suggestion_uploads')
    .select('upload_id')
    .where('tenant_id', '=', tenantId)
    .where('active', '=', 1)
    .executeTakeFirst()
  const { existedCount, previousCount } = await compareUploads(tx, uploadId, previous?.upload_id ?? '')
  await tx
    .updateTable('suggestion_uploads')
    .set({ active: 0, expires_at: 0 })
    .where('tenant_id', '=', tenantId)
    .where('active', '=', 1)
    .execute()
  await tx.updateTable('suggestion_uploads').set({ active: 1, reference }).where('upload_id', '=', uploadId).execute()
  return { importedCount: lineCount - existedCount, existedCount, removedCount: previousCount - existedCount }
}

async function compareUploads(tx: Call['tx'], uploadId: string, previousId: string) {
  const { existed } = await tx
    .selectFrom('suggestions as line')
    .innerJoin('suggestions as previous', 'previous.email_key', 'line.email_key')
    .where('line.upload_id', '=', uploadId)
    .where('previous.upload_id', '=', previousId)
    .select(eb => eb.fn.countAll().as('existed'))
    .executeTakeFirstOrThrow()
  const { previous } = await tx
    .selectFrom('suggestions')
    .where('upload_id', '=', previousId)
    .select(eb => eb.fn.countAll().as('previous'))
    .executeTakeFirstOrThrow()
  return { existedCount: Number(existed), previousCount: Number(previous) }
}
