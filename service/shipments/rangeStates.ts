import { type ExpressionBuilder, sql } from 'kysely'
import type { ShipmentType, StateCode } from '#contract/terms'
import type { StoreTransaction } from '../store/index.ts'
import type { Tables } from '../store/tables.ts'
import { bigintValue, type CountedShipments, countColumns, rowCount, typeCount } from './countTables.ts'
import type { PageRanges } from './pageStart.ts'

// The numbers of ended shipments in the ranges of ranges.ts, by state. The batches of counts.ts update them.

/** The shipments of a state in a range. */
export interface RangeState {
  readonly tenantId: string
  /** Null for a shipment after the last range, which is in none. */
  readonly lastSeq: number | null
  readonly state: StateCode
  readonly type: ShipmentType
}

/** An expression with the range of a shipment; null after the last range. */
export function rangeOf(eb: ExpressionBuilder<Tables, 'shipments'>) {
  return eb
    .selectFrom('shipment_ranges')
    .whereRef('shipment_ranges.tenant_id', '=', 'shipments.tenant_id')
    .whereRef('last_seq', '>=', 'shipments.seq')
    .select(({ fn }) => fn.min('last_seq').as('last_seq'))
}

/** Selects the ended shipments that are part of a count. */
export function selectCounted(tx: StoreTransaction) {
  return tx
    .selectFrom('shipments')
    .innerJoin('shipment_counts', join =>
      join
        .onRef('shipment_counts.tenant_id', '=', 'shipments.tenant_id')
        .onRef('shipment_counts.state_code', '=', 'shipments.state_code')
        .onRef('shipment_counts.counted_until', '>=', 'shipments.state_since'),
    )
}

/** Adds shipments that were counted, or subtracts deleted ones. */
export async function addToRange(
  tx: StoreTransaction,
  { tenantId, lastSeq, state, type }: RangeState,
  count: number,
): Promise<void> {
  if (lastSeq === null) return
  const key = { tenant_id: tenantId, last_seq: lastSeq, state_code: state }
  const column = countColumns[type]
  await tx
    .insertInto('shipment_range_states')
    .values({ ...key, local_count: 0, collect_only_count: 0, [column]: count })
    .onConflict(conflict =>
      conflict
        .columns(['tenant_id', 'last_seq', 'state_code'])
        .doUpdateSet(eb => ({ [column]: eb(`shipment_range_states.${column}`, '+', count) })),
    )
    .execute()
  if (count > 0) return
  await tx
    .deleteFrom('shipment_range_states')
    .where(eb => eb.and({ ...key, local_count: 0, collect_only_count: 0 }))
    .execute()
}

/** Adds the counted shipments of a new range, which begins after the shipment `after`. */
export async function addRange(
  tx: StoreTransaction,
  { tenantId, after, lastSeq }: { readonly tenantId: string; readonly after: number; readonly lastSeq: number },
): Promise<void> {
  const counted = selectCounted(tx)
    .where('shipments.tenant_id', '=', tenantId)
    .where('seq', '>', after)
    .where('seq', '<=', lastSeq)
    .select([
      'shipments.tenant_id',
      bigintValue(lastSeq).as('last_seq'),
      'shipments.state_code',
      typeCount('LocalPupShipment').as('local_count'),
      typeCount('CollectOnlyShipment').as('collect_only_count'),
    ])
    .groupBy(['shipments.tenant_id', 'shipments.state_code'])
  await tx
    .insertInto('shipment_range_states')
    .columns(['tenant_id', 'last_seq', 'state_code', 'local_count', 'collect_only_count'])
    .expression(counted)
    .execute()
}

/** Deletes the numbers of a state. The next round counts it again from the beginning. */
export async function forgetRanges(tx: StoreTransaction, tenantId: string, state: StateCode): Promise<void> {
  await tx
    .deleteFrom('shipment_range_states')
    .where('tenant_id', '=', tenantId)
    .where('state_code', '=', state)
    .execute()
}

/**
 * The ranges of a list of some states in the order of creation. `others` are active shipments, and those that have ended
 * since the last count.
 */
export function rangesByState({ tenantId, states, type }: CountedShipments): PageRanges {
  const ofType = type === undefined ? sql`` : sql`and shipment_type = ${type}`
  return {
    ranges: sql`
      select last_seq as range_end, ${rowCount(type)} as number from shipment_range_states
      where tenant_id = ${tenantId} and state_code in (${sql.join(states)})`,
    others: states.map(
      state => sql`
        select seq as at from shipments
        where tenant_id = ${tenantId} and state_code = ${state} ${ofType} and state_since > coalesce((
          select counted_until from shipment_counts where tenant_id = ${tenantId} and state_code = ${state}), -1)`,
    ),
  }
}
