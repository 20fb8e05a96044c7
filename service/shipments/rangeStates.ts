import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import type { ShipmentType, StateCode } from '#contract/terms'
import type { StoreTransaction } from '../store/index.ts'
import type { Tables } from '../store/tables.ts'

// The numbers of ended shipments in the ranges of ranges.ts, by state (D-390). They move on with the counts of counts.ts.

/** The columns of numbers, in the tables of counts and ranges. */
export const countColumns = { LocalPupShipment: 'local_count', CollectOnlyShipment: 'collect_only_count' } as const

/** The shipments of a state in a range. */
export interface RangeState {
  readonly tenantId: string
  /** Null for a shipment behind the last range, which is in none. */
  readonly lastSeq: number | null
  readonly state: StateCode
  readonly type: ShipmentType
}

/** An expression with the range of a shipment; null behind the last one. */
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

/** Adds the counted shipments of a new range, whose first one is behind `after`. */
export async function addRange(
  tx: StoreTransaction,
  { tenantId, after, lastSeq }: { readonly tenantId: string; readonly after: number; readonly lastSeq: number },
): Promise<void> {
  const numberOf = (type: ShipmentType) => sql<number>`sum(case shipment_type when ${type} then 1 else 0 end)`
  const counted = selectCounted(tx)
    .where('shipments.tenant_id', '=', tenantId)
    .where('seq', '>', after)
    .where('seq', '<=', lastSeq)
    .select([
      'shipments.tenant_id',
      sql.lit(lastSeq).as('last_seq'),
      'shipments.state_code',
      numberOf('LocalPupShipment').as('local_count'),
      numberOf('CollectOnlyShipment').as('collect_only_count'),
    ])
    .groupBy(['shipments.tenant_id', 'shipments.state_code'])
  await tx
    .insertInto('shipment_range_states')
    .columns(['tenant_id', 'last_seq', 'state_code', 'local_count', 'collect_only_count'])
    .expression(counted)
    .execute()
}

/** The next round counts the state from its beginning. */
export async function forgetRanges(tx: StoreTransaction, tenantId: string, state: StateCode): Promise<void> {
  await tx
    .deleteFrom('shipment_range_states')
    .where('tenant_id', '=', tenantId)
    .where('state_code', '=', state)
    .execute()
}

interface StatesOfTenant {
  readonly tenantId: string
  readonly states: readonly StateCode[]
  /** Undefined for both types. */
  readonly type: ShipmentType | undefined
}

/**
 * A query of ranges and numbers of shipments: those that are counted, and one row for each that ended since or is active. A range
 * may have several rows.
 */
export function statesInRanges({ tenantId, states, type }: StatesOfTenant): RawBuilder<unknown> {
  const counted = sql`
    select last_seq, ${type === undefined ? sql`local_count + collect_only_count` : sql.ref(countColumns[type])} as number
    from shipment_range_states where tenant_id = ${tenantId} and state_code in (${sql.join(states)})`
  const ofType = type === undefined ? sql`` : sql`and shipment_type = ${type}`
  const others = states.map(
    state => sql`
      select (
        select min(last_seq) from shipment_ranges
        where shipment_ranges.tenant_id = ${tenantId} and last_seq >= shipments.seq) as last_seq, 1 as number
      from shipments
      where tenant_id = ${tenantId} and state_code = ${state} ${ofType} and state_since > coalesce((
        select counted_until from shipment_counts where tenant_id = ${tenantId} and state_code = ${state}), -1)`,
  )
  return sql`${sql.join([counted, ...others], sql` union all `)}`
}
