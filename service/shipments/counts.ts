import { sql } from 'kysely'
import { isFinalState, type StateCode } from '#contract/terms'
import type { Store, StoreTransaction } from '../store/index.ts'
import {
  type CountedShipments,
  countByTenant,
  countColumns,
  finalStates,
  type RunBatch,
  rowCount,
  settlingTime,
} from './countTables.ts'
import { addToRange, forgetRanges, rangeOf, selectCounted } from './rangeStates.ts'

/** Shipments that one transaction counts, so that it does not stall others. */
const batchShipments = 2_000

/**
 * An expression with the exact number of a tenant's shipments in some states. Ended ones are read from their count, and only
 * those that ended since are counted, so its cost does not grow with their number.
 */
export function shipmentTotal(db: Store, { tenantId, states, type }: CountedShipments) {
  const ended = states.filter(isFinalState)
  const counts = db.selectFrom('shipment_counts').where('tenant_id', '=', tenantId)
  const stored = counts
    .where('state_code', 'in', ended)
    .select(sql<number>`coalesce(sum(${rowCount(type)}), 0)`.as('stored'))
  const ofType = () => {
    const all = db.selectFrom('shipments').where('shipments.tenant_id', '=', tenantId)
    return type === undefined ? all : all.where('shipments.shipment_type', '=', type)
  }
  const parts = ended.map(state => {
    const until = counts.where('state_code', '=', state).select('counted_until')
    const since = sql<number>`coalesce((${until}), -1)`
    const recent = ofType().where('state_code', '=', state).where('state_since', '>', since)
    return sql`(${recent.select(eb => eb.fn.countAll().as('recent'))})`
  })
  if (ended.length > 0) parts.push(sql`(${stored})`)
  const active = states.filter(state => !isFinalState(state))
  if (active.length > 0)
    parts.push(
      sql`(${ofType()
        .where('state_code', 'in', active)
        .select(eb => eb.fn.countAll().as('active'))})`,
    )
  if (parts.length === 0) parts.push(sql`0`)
  return sql<number>`cast(${sql.join(parts, sql` + `)} as bigint)`
}

const matches = (key: { readonly tenant_id: string; readonly state_code: string }) =>
  sql<boolean>`tenant_id = ${key.tenant_id} and state_code = ${key.state_code}`

/** Adds newly ended shipments to their counts, batch by batch. Only one process may do so at a time. */
export async function countEnded(runBatch: RunBatch, now: number): Promise<void> {
  const ofStates = finalStates.map(
    state => (tx: StoreTransaction, tenantId: string) => countBatch(tx, tenantId, state, now),
  )
  await countByTenant(runBatch, ...ofStates)
}

/** Returns whether more shipments are left to count. */
async function countBatch(tx: StoreTransaction, tenantId: string, state: StateCode, now: number): Promise<boolean> {
  const key = { tenant_id: tenantId, state_code: state }
  const stored = await tx.selectFrom('shipment_counts').selectAll().where(matches(key)).executeTakeFirst()
  // A clock that was set back: shipments end before the moment up to which they are counted.
  const isAhead = stored !== undefined && stored.counted_until > now
  const before =
    stored === undefined || isAhead ? { ...key, local_count: 0, collect_only_count: 0, counted_until: -1 } : stored
  const end = now - settlingTime
  if (end <= before.counted_until) return false
  const next = tx
    .selectFrom('shipments')
    .where(matches(key))
    .where('state_since', '>', before.counted_until)
    .where('state_since', '<=', end)
  const last = await next
    .select('state_since')
    .orderBy('state_since')
    .limit(1)
    .offset(batchShipments - 1)
    .executeTakeFirst()
  const until = last?.state_since ?? end
  const ended = next.where('state_since', '<=', until).select(eb => ['shipment_type', rangeOf(eb).as('last_seq')])
  const found = await tx
    .selectFrom(ended.as('ended'))
    .select(eb => ['shipment_type', 'last_seq', eb.fn.countAll().as('count')])
    .groupBy(['shipment_type', 'last_seq'])
    .execute()
  if (isAhead) await forgetRanges(tx, tenantId, state)
  const counted = { ...before, counted_until: until }
  for (const { shipment_type: type, last_seq: lastSeq, count } of found) {
    counted[countColumns[type]] += Number(count)
    await addToRange(tx, { tenantId, lastSeq, state, type }, Number(count))
  }
  await tx
    .insertInto('shipment_counts')
    .values(counted)
    .onConflict(conflict => conflict.columns(['tenant_id', 'state_code']).doUpdateSet(counted))
    .execute()
  return last !== undefined
}

/** Subtracts ended shipments that the caller deletes in the same transaction. Only one process may do so at a time. */
export async function subtractEnded(tx: StoreTransaction, shipmentUids: readonly string[]): Promise<void> {
  const counted = selectCounted(tx)
    .where('shipment_uid', 'in', shipmentUids)
    .select(['shipments.tenant_id', 'shipments.state_code', 'shipment_type'])
    .select(eb => rangeOf(eb).as('last_seq'))
  const found = await tx
    .selectFrom(counted.as('counted'))
    .select(eb => ['tenant_id', 'state_code', 'shipment_type', 'last_seq', eb.fn.countAll().as('count')])
    .groupBy(['tenant_id', 'state_code', 'shipment_type', 'last_seq'])
    .execute()
  for (const { shipment_type: type, last_seq: lastSeq, count, ...key } of found) {
    const column = countColumns[type]
    await tx
      .updateTable('shipment_counts')
      .set(column, eb => eb(column, '-', Number(count)))
      .where(matches(key))
      .execute()
    await addToRange(tx, { tenantId: key.tenant_id, lastSeq, state: key.state_code, type }, -Number(count))
  }
}
