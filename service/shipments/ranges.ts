import { type RawBuilder, sql } from 'kysely'
import { isFinalState, type ShipmentType, stateCodes } from '#contract/terms'
import type { StoreTransaction } from '../store/index.ts'
import { type CountedShipments, type RunBatch, settled } from './counts.ts'
import { addRange, countColumns, rangeOf, statesInRanges } from './rangeStates.ts'

/** Shipments of a range. One transaction counts them, so that it does not stall others. */
const rangeShipments = 4_000
/** Shipments that a page may skip without ranges. */
export const maxSkipped = 500

/** True if ended shipments are among them: a page of them is found by ranges. Active ones are few. */
export function areInRanges({ states }: CountedShipments): boolean {
  return states.some(isFinalState)
}

/**
 * The place of a page in the shipments that `areInRanges` (D-332): it begins behind `seq`, and skips `offset` from there, two
 * expressions that need the query `place`. Ranges without a count are walked: the newest shipments.
 * @param position the number of these shipments that the page skips, in the order of their creation
 */
export function findInRanges({ tenantId, states, type }: CountedShipments, position: RawBuilder<number> | number) {
  const numbers =
    states.length === stateCodes.length ? allInRanges(tenantId, type) : statesInRanges({ tenantId, states, type })
  // The shipments behind the last range come last. PostgreSQL would find the range of each twice for a condition here.
  const sums = sql`
    select last_seq, sum(sum(number)) over (order by last_seq nulls last) as total
    from (${numbers}) as numbers group by last_seq`
  const place = sql`
    select last_seq, total from (${sums}) as sums
    where last_seq is not null and total <= ${position} order by last_seq desc limit 1`
  return {
    place,
    seq: sql<number>`coalesce((select last_seq from place), 0)`,
    offset: sql<number>`cast(${position} as bigint) - cast(coalesce((select total from place), 0) as bigint)`,
  }
}

function allInRanges(tenantId: string, type: ShipmentType | undefined): RawBuilder<unknown> {
  const number = type === undefined ? sql`local_count + collect_only_count` : sql.ref(countColumns[type])
  return sql`select last_seq, ${number} as number from shipment_ranges where tenant_id = ${tenantId}`
}

/**
 * Adds the ranges of shipments that are complete, one by one. Only one process may do so at a time.
 * @param size shipments of a range
 */
export async function countRanges(runBatch: RunBatch, now: number, size = rangeShipments): Promise<void> {
  const tenants = await runBatch(tx => tx.selectFrom('tenants').select('tenant_id').execute())
  for (const { tenant_id: tenantId } of tenants ?? []) {
    while ((await runBatch(tx => countRange(tx, { tenantId, now, size }))) === true);
  }
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
  if (last === undefined || last.created_at > now - settled) return false
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
    const column = countColumns[type]
    const isRange = sql<boolean>`tenant_id = ${tenant_id} and last_seq = ${last_seq}`
    await tx
      .updateTable('shipment_ranges')
      .set(column, eb => eb(column, '-', Number(count)))
      .where(isRange)
      .execute()
    // The numbers of an empty range become part of the next one.
    await tx
      .deleteFrom('shipment_ranges')
      .where(isRange)
      .where('local_count', '=', 0)
      .where('collect_only_count', '=', 0)
      .execute()
  }
}
