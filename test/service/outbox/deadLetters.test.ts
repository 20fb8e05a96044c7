import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type CallbackFilter, findUndelivered } from '../../../service/outbox/callbackFilter.ts'
import { resendUndelivered } from '../../../service/outbox/resend.ts'
import { drained, fillOutbox, never, quick, startWithReceiver, stock } from '../../support/service/callbacks.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

/** Every failed callback is too old. */
const delivery = { ...quick, maxAge: -60_000 }

const givenUp = ({ service }: ServiceWorld) => service.lines.filter(({ msg }) => msg === 'callback given up')

test('a callback that fails at the age limit is given up with an error in the log, and later ones of its shipment wait', async () => {
  const { world, receiver } = await startWithReceiver(() => ({ status: 500 }), { delivery })
  const { store } = world.service
  const shipmentUid = await stock(world)
  await vi.waitFor(() => expect(givenUp(world)).toHaveLength(1))
  const [first] = await receiver.until(1)
  expect(givenUp(world)[0]).toMatchObject({
    level: 50,
    tenantId: 'acme',
    shipmentUid,
    messageId: first?.headers['webhook-id'],
    failures: 1,
    reason: '500',
  })
  await world.call('CancelShipment', { shipmentUid })
  const other = await stock(world)
  await receiver.until(1, other)
  await vi.waitFor(async () => expect(await findUndelivered(store, { dead: true }, 10)).toHaveLength(2))
  expect(await findUndelivered(store, { shipmentUid }, 10)).toMatchObject([
    { tenantId: 'acme', failures: 1, nextAttemptAt: null, deadSince: expect.any(Number), waits: false },
    { tenantId: 'acme', failures: 0, nextAttemptAt: null, deadSince: null, waits: true },
  ])
  expect(await findUndelivered(store, { shipmentUid, failed: true }, 10)).toMatchObject([{ failures: 1 }])
  // Longer than several polls and retries.
  await pause(5 * quick.maximumInterval)
  expect(receiver.received).toHaveLength(2)
})

test('callbacks that were given up are sent again on command, in the order of their shipment', async () => {
  const { world, receiver } = await startWithReceiver(() => ({ status: 500 }), { delivery })
  const { store, settings } = world.service
  const shipmentUid = await stock(world)
  await vi.waitFor(() => expect(givenUp(world)).toHaveLength(1))
  await world.call('CancelShipment', { shipmentUid })
  receiver.answer(() => ({ status: 204 }))
  expect(await resendUndelivered(store, settings.clock, { tenantId: 'globex' })).toBe(0)
  expect(await resendUndelivered(store, settings.clock, { dead: true })).toBe(2)
  await drained(world, receiver, 3, 0)
  const [first, again, cancelled] = receiver.received
  expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect([again, cancelled].map(callback => callback?.message.stateCode)).toEqual(['ReadyForDropOff', 'Cancelled'])
})

test('after the command the age counts anew', async () => {
  const { world, receiver } = await startWithReceiver(() => ({ status: 500 }), {
    delivery: { ...quick, maxAge: 3_600_000 },
  })
  const { store, settings } = world.service
  await stock(world)
  await receiver.until(1)
  await store.updateTable('outbox').set({ created_at: 0 }).execute()
  await vi.waitFor(() => expect(givenUp(world)).toHaveLength(1))
  await resendUndelivered(store, settings.clock, { dead: true })
  const before = receiver.received.length
  await receiver.until(before + 3)
  expect(givenUp(world)).toHaveLength(1)
  receiver.answer(() => ({ status: 204 }))
  await vi.waitFor(async () => expect(await findUndelivered(store, {}, 1)).toEqual([]))
})

test('after the command the backoff begins anew', async () => {
  const world = await startWithoutDelivery()
  const { store, settings } = world.service
  await fillOutbox(store, { tenantId: 'acme', shipments: 1, failed: { attempts: 12, retryInMs: 3_600_000 } })
  expect(await resendUndelivered(store, settings.clock, { failed: true })).toBe(1)
  const [callback] = await findUndelivered(store, {}, 10)
  expect(callback).toMatchObject({ failures: 0 })
  expect(Math.abs((callback?.nextAttemptAt ?? 0) - Date.now())).toBeLessThan(60_000)
})

test('a shipment whose callbacks are far apart is sent again once', async () => {
  const world = await startWithoutDelivery()
  const { store, settings } = world.service
  await fillOutbox(store, { tenantId: 'acme', shipments: 600, messages: 2 })
  expect(await resendUndelivered(store, settings.clock, {})).toBe(1_200)
})

test('a callback that is being delivered gets the outcome of its delivery, and the later ones of its shipment stay new', async () => {
  const { world, receiver } = await startWithReceiver(() => never, { delivery: { ...quick, stopTimeout: 10 } })
  const { store, settings } = world.service
  const shipmentUid = await stock(world)
  await receiver.until(1)
  await world.call('CancelShipment', { shipmentUid })
  const rows = () => store.selectFrom('outbox').selectAll().orderBy('seq').execute()
  const [sent] = await rows()
  expect(await resendUndelivered(store, settings.clock, {})).toBe(1)
  expect(await rows()).toEqual([sent, expect.objectContaining({ next_attempt_at: 0, resent_at: expect.any(Number) })])
})

test('each field of the command narrows the selection', async () => {
  const world = await startWithoutDelivery()
  const { store, settings } = world.service
  await world.call('ConfigureCallback', { url: 'http://127.0.0.1:9/', authType: 'None' })
  const shipmentUid = await stock(world, { Details: { ReferenceCaseNo: 'L-1' } })
  await stock(world, { Details: { ReferenceCaseNo: 'L-2' } })
  await fillOutbox(store, { tenantId: 'globex', shipments: 1 })
  await store
    .updateTable('outbox')
    .set({ message_id: 'msg_chosen', created_at: 9_000_000_000_000, attempts: 1, dead_since: 1 })
    .where('shipment_uid', '=', shipmentUid)
    .execute()
  const filters: CallbackFilter[] = [
    { shipmentUid },
    { messageId: 'msg_chosen' },
    { caseNo: 'L-1' },
    { since: 9_000_000_000_000 },
    { failed: true },
    { dead: true },
  ]
  for (const filter of filters)
    expect(await findUndelivered(store, filter, 10), JSON.stringify(filter)).toMatchObject([{ shipmentUid }])
  expect(await findUndelivered(store, { tenantId: 'acme' }, 10)).toHaveLength(2)
  expect(await findUndelivered(store, { tenantId: 'globex', caseNo: 'L-1' }, 10)).toEqual([])
  expect(await resendUndelivered(store, settings.clock, { caseNo: 'L-1' })).toBe(1)
  const resent = await store.selectFrom('outbox').select('shipment_uid').where('resent_at', 'is not', null).execute()
  expect(resent).toEqual([{ shipment_uid: shipmentUid }])
})

async function startWithoutDelivery(): Promise<ServiceWorld> {
  const world = await createWorld({ service: { delivery: { maximumInFlight: 0, pollInterval: 86_400_000 } } })
  onTestFinished(() => world.stop())
  return world
}
