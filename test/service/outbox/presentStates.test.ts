import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { CallbackFilter } from '../../../service/outbox/callbackFilter.ts'
import { insertMessage, toMessage } from '../../../service/outbox/enqueue.ts'
import { resendCallbacks } from '../../../service/outbox/resend.ts'
import { eventually } from '../../support/eventually.ts'
import { stock } from '../../support/service/callbacks.ts'
import { booking } from '../../support/service/topology.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const address = { url: 'http://127.0.0.1:9/', authType: 'None' } as const
const recently = 2_000

let world: ServiceWorld
let first: string
let second: string
/** Has the case number of `second`. */
let foreign: string

beforeAll(async () => {
  // Nothing delivers, so the callbacks stay in the store.
  world = await createWorld({ service: { delivery: { maximumInFlight: 0, pollInterval: 86_400_000 } } })
  const { store } = world.service
  await world.call('ConfigureCallback', address)
  first = await stock(world, { PupUid: 'shared', Details: { ReferenceCaseNo: 'L-1' } })
  second = await stock(world, { PupUid: 'shared', Details: { ReferenceCaseNo: 'L-2' } })
  const theirs = { ...booking, PupUid: 'shared', Details: { ReferenceCaseNo: 'L-2' } }
  foreign = (await world.call('CreateLocalShipmentAsStock', theirs, 'globex')).shipmentUids[0] ?? ''
  await world.call('CancelShipment', { shipmentUid: first })
  // Its texts have changed since, and its state has not.
  await store.updateTable('shipments').set({ state_since: 1_000 }).where('shipment_uid', '=', first).execute()
  return () => world.stop()
})

beforeEach(async () => {
  const { store } = world.service
  // As if all were delivered.
  await store.deleteFrom('outbox').execute()
  await store.updateTable('tenants').set({ callback_url: null }).where('tenant_id', '=', 'globex').execute()
})

/** Returns the shipments of the callbacks that the command leaves in the store. */
async function resent(filter: CallbackFilter): Promise<readonly string[]> {
  const { store, settings } = world.service
  const count = await resendCallbacks(store, settings.clock, filter)
  const rows = await store.selectFrom('outbox').select('shipment_uid').orderBy('seq').execute()
  expect(count).toBe(rows.length)
  return rows.map(({ shipment_uid }) => shipment_uid)
}

test('a delivered callback of a shipment is sent again with the present state and an id of its own', async () => {
  expect(await resent({ shipmentUid: first })).toEqual([first])
  const rows = await world.service.store.selectFrom('outbox').selectAll().execute()
  expect(rows).toMatchObject([{ tenant_id: 'acme', waits_for: null, next_attempt_at: 0, attempts: 0 }])
  expect(JSON.parse(rows[0]?.body ?? '')).toMatchObject({ message: { shipmentUid: first, stateCode: 'Cancelled' } })
})

test('a case and a time select shipments, and a time only those whose state has begun since', async () => {
  expect(await resent({ caseNo: 'L-1' })).toEqual([first])
  await world.service.store.deleteFrom('outbox').execute()
  expect(await resent({ since: recently })).toEqual([second])
})

test('a case number of several tenants is sent to each one that has an address, or to the given tenant', async () => {
  expect(await resent({ caseNo: 'L-2' })).toEqual([second])
  await world.service.store.deleteFrom('outbox').execute()
  await world.call('ConfigureCallback', address, 'globex')
  expect((await resent({ caseNo: 'L-2' })).toSorted()).toEqual([second, foreign].toSorted())
  const { store } = world.service
  const tenants = await store.selectFrom('outbox').select('tenant_id').where('shipment_uid', '=', foreign).execute()
  expect(tenants).toEqual([{ tenant_id: 'globex' }])
  await store.deleteFrom('outbox').execute()
  expect(await resent({ caseNo: 'L-2', tenantId: 'globex' })).toEqual([foreign])
})

test('an undelivered callback becomes due, and its shipment gets no second one', async () => {
  expect(await resent({ shipmentUid: second })).toEqual([second])
  const rows = () => world.service.store.selectFrom('outbox').select('message_id').execute()
  const before = await rows()
  expect(await resent({ shipmentUid: second })).toEqual([second])
  expect(await rows()).toEqual(before)
})

test.runIf(inject('postgres') !== undefined)(
  'a shipment whose callback is being enqueued by a change gets no second one',
  async () => {
    const { store } = world.service
    const shipment = await store
      .selectFrom('shipments')
      .selectAll()
      .where('shipment_uid', '=', second)
      .executeTakeFirstOrThrow()
    const change = await store.startTransaction().execute()
    await change.updateTable('shipments').set({ state_code: 'Cancelled' }).where('shipment_uid', '=', second).execute()
    const message = toMessage({ ...shipment, state_code: 'Cancelled' }, Date.now())
    await change.executeQuery(insertMessage(change, message))
    const resending = resendCallbacks(store, Date.now, { shipmentUid: second })
    await eventually(async () => {
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await waiting.execute(store)).rows.length === 1
    })
    await change.commit().execute()
    expect(await resending).toBe(0)
    const rows = await store.selectFrom('outbox').select('message_id').execute()
    expect(rows).toEqual([{ message_id: message.message_id }])
  },
)

test.each<CallbackFilter>([
  {},
  { tenantId: 'acme' },
  { messageId: 'msg_delivered', since: recently },
  { since: recently, dead: true },
])('%o selects undelivered callbacks only', async filter => expect(await resent(filter)).toEqual([]))
