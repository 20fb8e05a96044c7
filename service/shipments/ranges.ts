import { sql } from 'kysely'
import { isFinalState, stateCodes } from '#contract/terms'
import type { StoreTransaction } from '../store/index.ts'
import {
  type CountedShipments,
  countByTenant,
  countColumns,
  type RunBatch,
  rangeShipments,
  rowCount,
  settlingTime,
  subtractCount,
} from './countTables.ts'
import type { PageRanges } from './pageStart.ts'
import { addRange, rangeOf, rangesByState } from './rangeStates.ts'

/** Shipments that a page may skip without ranges. */
export const maxSkipped = 500

/** True if ended shipments are among them: a page of them is found by ranges. Active ones are few. */
export function areInRanges({ states }: CountedShipments): boolean {
  return states.some(isFinalState)
}

/** The ranges of a list in the order of creation. The newest shipments are in no range: the page query walks them. */
export function rangesByCreation(counted: CountedShipments): PageRanges {
  const { tenantId, states, type } = counted
  if (states.length < stateCodes.length) return rangesByState(counted)
  const ranges = sql`
    select last_seq as range_end, ${rowCount(type)} as number from shipment_ranges where tenant_id = ${tenantId}`
  return { ranges, others: [] }
}

/**
 * Adds the ranges of shipments that are complete, one by one. Only one process may do so at a time.
 * @param size shipments of a range
 */
export async function countRanges(runBatch: RunBatch, now: number, size = rangeShipments): Promise<void> {
  await countByTenant(runBatch, (tx, tenantId) => countRange(tx, { tenantId, now, size }))
}

/** Returns whether it added a range. */
async function countRange(
  tx: StoreTransaction,
  { tenantId, now, size }: { readonly tenantId: string; readonly now: number; readonly size: number },
): Promise<boolean> {
  const before = await tx
    .selectFrom('shipment_ranges')
    .select(eb => eb.fn.max('last_seq').as('seq'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  const next = tx
    .selectFrom('shipments')
    .where('tenant_id', '=', tenantId)
    .where('seq', '>', before?.seq ?? 0)
  const last = await next
    .select(['seq', 'created_at'])
    .orderBy('seq')
    .limit(1)
    .offset(size - 1)
    .executeTakeFirst()
  // A transaction that is still open may have a lower number.
  if (last === undefined || last.created_at > now - settlingTime) return false
  const found = await next
    .where('seq', '<=', last.seq)
    .select(eb => ['shipment_type', eb.fn.countAll().as('count')])
    .groupBy('shipment_type')
    .execute()
  const range = { tenant_id: tenantId, last_seq: last.seq, local_count: 0, collect_only_count: 0 }
  for (const { shipment_type: type, count } of found) range[countColumns[type]] = Number(count)
  await tx.insertInto('shipment_ranges').values(range).execute()
  await addRange(tx, { tenantId, after: before?.seq ?? 0, lastSeq: last.seq })
  return true
}

/** Subtracts shipments that the caller deletes in the same transaction. Only one process may do so at a time. */
export async function subtractFromRanges(tx: StoreTransaction, shipmentUids: readonly string[]): Promise<void> {
  const deleted = tx
    .selectFrom('shipments')
    .where('shipment_uid', 'in', shipmentUids)
    .select(['shipments.tenant_id', 'shipment_type'])
    .select(eb => rangeOf(eb).as('last_seq'))
  const found = await tx
    .selectFrom(deleted.as('deleted'))
    .where('last_seq', 'is not', null)
    .select(eb => ['tenant_id', 'last_seq', 'shipment_type', eb.fn.countAll().as('count')])
    .groupBy(['tenant_id', 'last_seq', 'shipment_type'])
    .execute()
  for (const { tenant_id, last_seq, shipment_type: type, count } of found) {
    const isRange = sql<boolean>`tenant_id = ${tenant_id} and last_seq = ${last_seq}`
    // The numbers of an empty range become part of the next one.
    await subtractCount(tx, { table: 'shipment_ranges', isRow: isRange, type }, Number(count))
  }
}
