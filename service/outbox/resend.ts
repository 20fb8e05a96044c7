import { sql } from 'kysely'
import { inTransaction, type Store } from '../store/index.ts'
import { type Clock, databaseTime, forNoKeyUpdate } from '../store/locks.ts'
import { type CallbackFilter, narrowCallbacks } from './callbackFilter.ts'
import { insertMessage, toMessage } from './enqueue.ts'
import { isFree } from './schedule.ts'

/** Callbacks whose shipments one transaction changes, so that a service waits only briefly for each. */
const callbackSlice = 500

/**
 * Makes the undelivered callbacks of the selected shipments due, those that were given up included, at the pace of their
 * tenant's retries. Backoff and age start again. Works while services run. Returns the number of callbacks.
 */
export async function resendUndelivered(store: Store, clock: Clock, filter: CallbackFilter): Promise<number> {
  let resent = 0
  const done = new Set<string>()
  for (let last = 0; ; ) {
    const slice = await narrowCallbacks(store.selectFrom('outbox'), filter)
      .select(['seq', 'shipment_uid'])
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(callbackSlice)
      .execute()
    if (slice.length === 0) return resent
    last = slice.at(-1)?.seq ?? last
    const shipmentUids = [...new Set(slice.map(({ shipment_uid }) => shipment_uid))].filter(uid => !done.has(uid))
    if (shipmentUids.length === 0) continue
    resent += await inTransaction(store, tx => resendShipments(tx, clock, shipmentUids))
    for (const uid of shipmentUids) done.add(uid)
  }
}

async function resendShipments(store: Store, clock: Clock, shipmentUids: readonly string[]): Promise<number> {
  const now = databaseTime(store, clock)
  const { numUpdatedRows } = await store
    .updateTable('outbox')
    .set({
      attempts: 0,
      // 0 would exempt it from the pace of retries.
      next_attempt_at: sql<number>`case when next_attempt_at = 0 then 0 else ${now} end`,
      resent_at: now,
      dead_since: null,
    })
    .where('shipment_uid', 'in', shipmentUids)
    // A message that is being delivered gets the outcome of its delivery.
    .where(isFree(now))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Shipments of one transaction, so that changes of them wait briefly. */
const shipmentSlice = 200

/**
 * Makes the selected undelivered callbacks due. A selection by shipment, case or time also sends the present state of
 * shipments whose callbacks were delivered. Works while services run. Returns the number of callbacks.
 */
export async function resendCallbacks(store: Store, clock: Clock, filter: CallbackFilter): Promise<number> {
  const due = await resendUndelivered(store, clock, filter)
  const { shipmentUid, caseNo, since, messageId, dead = false } = filter
  if (dead || messageId !== undefined || (shipmentUid ?? caseNo ?? since) === undefined) return due
  return due + (await enqueuePresentStates(store, clock, filter))
}

/**
 * Enqueues a callback with the present state of each selected shipment, for receivers that have lost the one that was
 * delivered. Skips shipments with an undelivered callback, and tenants without an address. The lock of each
 * shipment orders its callback with concurrent changes. Returns the number of callbacks.
 */
async function enqueuePresentStates(store: Store, clock: Clock, filter: CallbackFilter): Promise<number> {
  const tenants = await store
    .selectFrom('tenants')
    .select('tenant_id')
    .where('callback_url', 'is not', null)
    .$if(filter.tenantId !== undefined, query => query.where('tenant_id', '=', filter.tenantId ?? ''))
    .execute()
  let enqueued = 0
  for (const { tenant_id } of tenants) enqueued += await enqueueOfTenant(store, clock, tenant_id, filter)
  return enqueued
}

async function enqueueOfTenant(store: Store, clock: Clock, tenantId: string, filter: CallbackFilter): Promise<number> {
  const { since, shipmentUid, caseNo } = filter
  let enqueued = 0
  for (let last = 0; ; ) {
    const slice = await store
      .selectFrom('shipments')
      .select(['seq', 'shipment_uid'])
      .where('tenant_id', '=', tenantId)
      .where('seq', '>', last)
      // No state begins after the last change. There is an index of changes only.
      .$if(since !== undefined, query =>
        query.where('updated_at', '>=', since ?? 0).where('state_since', '>=', since ?? 0),
      )
      .$if(shipmentUid !== undefined, query => query.where('shipment_uid', '=', shipmentUid ?? ''))
      .$if(caseNo !== undefined, query => query.where('reference_case_no', '=', caseNo ?? ''))
      .orderBy('seq')
      .limit(shipmentSlice)
      .execute()
    if (slice.length === 0) return enqueued
    last = slice.at(-1)?.seq ?? last
    const uids = slice.map(({ shipment_uid }) => shipment_uid)
    enqueued += await inTransaction(store, tx => enqueueSlice(tx, clock, uids))
  }
}

async function enqueueSlice(tx: Store, clock: Clock, uids: readonly string[]): Promise<number> {
  const shipments = await tx
    .selectFrom('shipments')
    .selectAll()
    .where('shipment_uid', 'in', uids)
    .orderBy('seq')
    .modifyEnd(forNoKeyUpdate(tx))
    .execute()
  // A statement of its own: the one that waits for a lock does not see the callback of the change that had the lock.
  const undelivered = await tx.selectFrom('outbox').select('shipment_uid').where('shipment_uid', 'in', uids).execute()
  const excluded = new Set(undelivered.map(({ shipment_uid }) => shipment_uid))
  const selected = shipments.filter(({ shipment_uid }) => !excluded.has(shipment_uid))
  for (const shipment of selected) await tx.executeQuery(insertMessage(tx, toMessage(shipment, clock())))
  return selected.length
}
