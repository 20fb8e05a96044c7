import { type RawBuilder, sql } from 'kysely'
import { isFinalState, type ShipmentType, type StateCode, stateCodes } from '#contract/terms'
import type { StoreTransaction } from '../store/index.ts'

// Common to the tables of counts and of ranges, which the rounds of the purge fill.

export const finalStates = stateCodes.filter(isFinalState)

/** The columns of numbers. */
export const countColumns = { LocalPupShipment: 'local_count', CollectOnlyShipment: 'collect_only_count' } as const

/** An expression with the number in a row. @param type undefined for both types */
export function rowCount(type: ShipmentType | undefined): RawBuilder<number> {
  return type === undefined ? sql<number>`local_count + collect_only_count` : sql.ref(countColumns[type])
}

/**
 * Passes a number as a parameter. A literal would make each number a new statement, and a connection prepares a limited
 * number of them. The cast is needed because PostgreSQL reads a parameter in a column list as text.
 */
export function bigintValue(value: number): RawBuilder<number> {
  return sql<number>`cast(${value} as bigint)`
}

/** An expression with the number of a type among grouped shipments. */
export function typeCount(type: ShipmentType): RawBuilder<number> {
  return sql<number>`sum(case shipment_type when ${type} then 1 else 0 end)`
}

interface CountRow {
  readonly table: 'shipment_ranges' | 'shipment_change_ranges'
  readonly isRow: RawBuilder<boolean>
  readonly type: ShipmentType
}

/** Subtracts from the number of a row, and deletes a row without shipments. */
export async function subtractCount(
  tx: StoreTransaction,
  { table, isRow, type }: CountRow,
  count: number,
): Promise<void> {
  const [name, column] = [sql.table(table), sql.ref(countColumns[type])]
  await sql`update ${name} set ${column} = ${column} - ${count} where ${isRow}`.execute(tx)
  await sql`delete from ${name} where ${isRow} and local_count = 0 and collect_only_count = 0`.execute(tx)
}

export interface CountedShipments {
  readonly tenantId: string
  readonly states: readonly StateCode[]
  /** Undefined for both types. */
  readonly type: ShipmentType | undefined
}

/** Shipments of a range. One transaction counts them, so that it does not stall others. */
export const rangeShipments = 2_000

/** Milliseconds after which no transaction with an earlier `now` is open, although the clocks of processes differ. */
export const settlingTime = 20 * 60_000

/** Runs a transaction of its own; undefined if another process counts, or this one stops. */
export type RunBatch = <Result>(work: (tx: StoreTransaction) => Promise<Result>) => Promise<Result | undefined>

/** Counts the shipments of each tenant, with each function until it returns false or counts nothing. */
export async function countByTenant(
  runBatch: RunBatch,
  ...countBatches: readonly ((tx: StoreTransaction, tenantId: string) => Promise<boolean>)[]
): Promise<void> {
  const tenants = await runBatch(tx => tx.selectFrom('tenants').select('tenant_id').execute())
  for (const { tenant_id: tenantId } of tenants ?? []) {
    for (const countBatch of countBatches) {
      while ((await runBatch(tx => countBatch(tx, tenantId))) === true);
    }
  }
}
