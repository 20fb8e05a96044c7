import { sql } from 'kysely'
import { isFinalState } from '#contract/terms'
import type { StoreTransaction } from '../store/index.ts'
import {
  bigintValue,
  type CountedShipments,
  countByTenant,
  finalStates,
  type RunBatch,
  rangeShipments,
  rowCount,
  settlingTime,
  subtractCount,
  typeCount,
} from './countTables.ts'
import type { PageRanges } from './pageStart.ts'

// The numbers of ended shipments by their last change. An ended shipment never changes, and active ones are few.

/** The ranges of a list in the order of changes. The newest changes are in no range: the page query walks them. */
export function rangesByChange({ tenantId, states, type }: CountedShipments): PageRanges {
  const ofType = type === undefined ? sql`` : sql`and shipment_type = ${type}`
  return {
    ranges: sql`
      select last_change as range_end, ${rowCount(type)} as number from shipment_change_ranges
      where tenant_id = ${tenantId} and state_code in (${sql.join(states.filter(isFinalState))})`,
    others: states
      .filter(state => !isFinalState(state))
      .map(
        state => sql`
          select updated_at as at from shipments
          where tenant_id = ${tenantId} and state_code = ${state} ${ofType}`,
      ),
  }
}

/**
 * Adds the ranges of changes that are complete, one by one. Only one process may do so at a time.
 * @param size shipments of a range
 */
export async function countChanges(runBatch: RunBatch, now: number, size = rangeShipments): Promise<void> {
  await countByTenant(runBatch, (tx, tenantId) => countRange(tx, { tenantId, now, size }))
}

interface Counting {
  readonly tenantId: string
  readonly now: number
  readonly size: number
}

/** Returns whether it added a range. A range without ended shipments is not stored, so the next round reads it again. */
async function countRange(tx: StoreTransaction, { tenantId, now, size }: Counting): Promise<boolean> {
  let after = await findLastChange(tx, tenantId, now)
  for (;;) {
    const next = tx.selectFrom('shipments').where('tenant_id', '=', tenantId).where('updated_at', '>', after)
    const last = await next
      .select('updated_at')
      .orderBy('updated_at')
      .limit(1)
      .offset(size - 1)
      .executeTakeFirst()
    // A transaction that is still open may have an earlier change.
    if (last === undefined || last.updated_at > now - settlingTime) return false
    const counted = next
      .where('updated_at', '<=', last.updated_at)
      .where('state_code', 'in', finalStates)
      .select([
        'tenant_id',
        bigintValue(last.updated_at).as('last_change'),
        'state_code',
        typeCount('LocalPupShipment').as('local_count'),
        typeCount('CollectOnlyShipment').as('collect_only_count'),
      ])
      .groupBy(['tenant_id', 'state_code'])
    const { numInsertedOrUpdatedRows: states } = await tx
      .insertInto('shipment_change_ranges')
      .columns(['tenant_id', 'last_change', 'state_code', 'local_count', 'collect_only_count'])
      .expression(counted)
      .executeTakeFirstOrThrow()
    if (Number(states) > 0) return true
    after = last.updated_at
  }
}

/** Finds the end of the last range. */
async function findLastChange(tx: StoreTransaction, tenantId: string, now: number): Promise<number> {
  const ranges = tx.selectFrom('shipment_change_ranges').where('tenant_id', '=', tenantId)
  const { last } = await ranges.select(eb => eb.fn.max('last_change').as('last')).executeTakeFirstOrThrow()
  if (last === null || last <= now) return last ?? -1
  // The clock was set back: shipments change before the moment up to which they are counted. All are counted again.
  await tx.deleteFrom('shipment_change_ranges').where('tenant_id', '=', tenantId).execute()
  return -1
}

/** Subtracts ended shipments that the caller deletes in the same transaction. Only one process may do so at a time. */
export async function subtractFromChanges(tx: StoreTransaction, shipmentUids: readonly string[]): Promise<void> {
  const deleted = tx
    .selectFrom('shipments')
    .where('shipment_uid', 'in', shipmentUids)
    .select(['tenant_id', 'state_code', 'shipment_type'])
    .select(eb =>
      eb
        .selectFrom('shipment_change_ranges as ranges')
        .whereRef('ranges.tenant_id', '=', 'shipments.tenant_id')
        .whereRef('ranges.state_code', '=', 'shipments.state_code')
        .whereRef('ranges.last_change', '>=', 'shipments.updated_at')
        .select(({ fn }) => fn.min('ranges.last_change').as('last_change'))
        .as('last_change'),
    )
  const found = await tx
    .selectFrom(deleted.as('deleted'))
    .where('last_change', 'is not', null)
    .select(eb => ['tenant_id', 'last_change', 'state_code', 'shipment_type', eb.fn.countAll().as('count')])
    .groupBy(['tenant_id', 'last_change', 'state_code', 'shipment_type'])
    .execute()
  for (const { tenant_id, last_change, state_code, shipment_type: type, count } of found) {
    const isRange = sql<boolean>`tenant_id = ${tenant_id} and last_change = ${last_change} and state_code = ${state_code}`
    await subtractCount(tx, { table: 'shipment_change_ranges', isRow: isRange, type }, Number(count))
  }
}
