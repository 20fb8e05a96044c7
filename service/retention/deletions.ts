import { sql } from 'kysely'
import { skipLocked } from '../store/locks.ts'
import { batchRows, type DeleteBatch } from './purge.ts'

/** Entries of the audit log. The moment of the purge is stored first, since the triggers compare with it (D-200). */
export const deleteAuditEntries: DeleteBatch = async (tx, before) => {
  const rows = await tx
    .selectFrom('audit_log')
    .select('seq')
    .where('recorded_at', '<', before)
    .orderBy('recorded_at')
    .limit(batchRows)
    .execute()
  if (rows.length === 0) return 0
  await tx
    .insertInto('audit_purges')
    .values({ log: 'audit_log', purged_before: before })
    .onConflict(conflict =>
      conflict.column('log').doUpdateSet({ purged_before: before }).where('audit_purges.purged_before', '<', before),
    )
    .execute()
  const seqs = rows.map(({ seq }) => seq)
  const { numDeletedRows } = await tx.deleteFrom('audit_log').where('seq', 'in', seqs).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Callbacks that were given up. The next one of the shipment becomes the first, and due. */
export const deleteDeadCallbacks: DeleteBatch = async (tx, before) => {
  const { numDeletedRows } = await tx
    .deleteFrom('outbox')
    .where('seq', 'in', eb =>
      eb
        .selectFrom('outbox')
        .select('seq')
        .where('dead_since', 'is not', null)
        .where('dead_since', '<=', before)
        .orderBy('dead_since')
        .limit(batchRows)
        .modifyEnd(skipLocked(tx)),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Responses of idempotency keys. */
export const deleteStoredResponses: DeleteBatch = async (tx, before) => {
  const { numAffectedRows } = await sql`
    delete from idempotency where (client_id, key) in (
      select client_id, key from idempotency where created_at <= ${before}
      order by created_at limit ${sql.lit(batchRows)} ${skipLocked(tx)})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Counts of wrong secrets. */
export const deleteSecretAttempts: DeleteBatch = async (tx, before) => {
  const { numAffectedRows } = await sql`
    delete from secret_attempts where (client_id, address) in (
      select client_id, address from secret_attempts where lock_expires_at <= ${before}
      order by lock_expires_at limit ${sql.lit(batchRows)} ${skipLocked(tx)})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Token buckets, one per client. A client without a bucket begins with a full one, and so does an idle one. */
export const deleteRateBuckets: DeleteBatch = async (tx, before) => {
  const { numDeletedRows } = await tx
    .deleteFrom('rate_buckets')
    .where('client_id', 'in', eb =>
      eb
        .selectFrom('rate_buckets')
        .select('client_id')
        .where('filled_at', '<=', before)
        .limit(batchRows)
        .modifyEnd(skipLocked(tx)),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
