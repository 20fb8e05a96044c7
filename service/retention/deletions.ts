import { type RawBuilder, sql } from 'kysely'
import type { StoreTransaction } from '../store/index.ts'
import { hasRowLocks, skipLocked } from '../store/locks.ts'
import { batchRows, type DeleteBatch } from './purge.ts'

/** Entries of the audit log. The moment of the purge is stored first, since the triggers compare with it. */
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
export const deleteDeadCallbacks: DeleteBatch = (tx, before) =>
  deleteRows(tx, 'outbox', sql`dead_since is not null and dead_since <= ${before} order by dead_since`)

/** Responses of idempotency keys. */
export const deleteStoredResponses: DeleteBatch = (tx, before) =>
  deleteRows(tx, 'idempotency', sql`created_at <= ${before} order by created_at`)

/** Counts of wrong secrets. */
export const deleteSecretAttempts: DeleteBatch = (tx, before) =>
  deleteRows(tx, 'secret_attempts', sql`lock_expires_at <= ${before} order by lock_expires_at`)

/** Token buckets, one per client. A client without a bucket begins with a full one, and so does an idle one. */
export const deleteRateBuckets: DeleteBatch = (tx, before) =>
  deleteRows(tx, 'rate_buckets', sql`filled_at <= ${before}`)

/**
 * Deletes a batch of rows, without those that a request has locked. PostgreSQL may run a subquery of `in` again for each
 * row of a table whose statistics say that it is empty.
 * @param expired the condition of the rows, and their order
 */
async function deleteRows(tx: StoreTransaction, table: string, expired: RawBuilder<unknown>): Promise<number> {
  const select = (id: string) =>
    sql`(select ${sql.ref(id)} from ${sql.table(table)} where ${expired} limit ${sql.lit(batchRows)} ${skipLocked(tx)})`
  const isOne = hasRowLocks(tx) ? sql`ctid = any(array${select('ctid')})` : sql`rowid in ${select('rowid')}`
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${isOne}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
