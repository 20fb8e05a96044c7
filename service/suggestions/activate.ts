import type { Call } from '../operations/call.ts'
import { withRowLock } from '../store/rowLocks.ts'
import type { StagedUpload } from './upload.ts'

/** How an upload compares with the one before. */
export interface Comparison {
  /** Addresses that were not in the upload before. */
  readonly importedCount: number
  /** Addresses that were. */
  readonly existedCount: number
  /** Addresses of the upload before that are there no longer. */
  readonly removedCount: number
}

/** Makes a staged upload the active one of the caller, in the one transaction of the call; the one before expires. */
export async function activateUpload(
  { tx, tenantId }: Call,
  { uploadId, lineCount }: StagedUpload,
  reference: string,
): Promise<Comparison> {
  // Two uploads of one tenant at once: the second compares itself with the first.
  await tx
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .modifyEnd(withRowLock(tx))
    .executeTakeFirstOrThrow()
  const before = await tx
    .selectFrom('suggestion_uploads')
    .select('upload_id')
    .where('tenant_id', '=', tenantId)
    .where('active', '=', 1)
    .executeTakeFirst()
  const { existedCount, beforeCount } = await compared(tx, uploadId, before?.upload_id ?? '')
  await tx
    .updateTable('suggestion_uploads')
    .set({ active: 0, staged_until: 0 })
    .where('tenant_id', '=', tenantId)
    .where('active', '=', 1)
    .execute()
  await tx.updateTable('suggestion_uploads').set({ active: 1, reference }).where('upload_id', '=', uploadId).execute()
  return { importedCount: lineCount - existedCount, existedCount, removedCount: beforeCount - existedCount }
}

async function compared(tx: Call['tx'], uploadId: string, beforeId: string) {
  const { existed } = await tx
    .selectFrom('suggestions as line')
    .innerJoin('suggestions as earlier', 'earlier.email_key', 'line.email_key')
    .where('line.upload_id', '=', uploadId)
    .where('earlier.upload_id', '=', beforeId)
    .select(eb => eb.fn.countAll().as('existed'))
    .executeTakeFirstOrThrow()
  const { before } = await tx
    .selectFrom('suggestions')
    .where('upload_id', '=', beforeId)
    .select(eb => eb.fn.countAll().as('before'))
    .executeTakeFirstOrThrow()
  return { existedCount: Number(existed), beforeCount: Number(before) }
}
