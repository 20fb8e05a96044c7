import { expect, onTestFinished, test } from 'vitest'
import type { Settings } from '#service'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { booking } from '../../support/service/topology.ts'
import { measureSlowness } from '../../support/slowness.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const quick = { initialInterval: 20, maximumInterval: 100, pollInterval: 50 }

test('a stop waits for deliveries in flight, and nothing is sent twice after the next start', async () => {
  const databaseUrl = await temporaryStore()
  const { promise: answered, resolve: response } = Promise.withResolvers<{ status: number }>()
  const receiver = await startReceiver(() => answered)
  onTestFinished(() => receiver.stop())
  const world = await start({ databaseUrl })
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC' })
  const shipmentUid = await stock(world)
  await receiver.until(1)
  const stopped = world.stop()
  response({ status: 204 })
  await stopped
  const next = await start({ databaseUrl })
  await next.call('CancelShipment', { shipmentUid })
  const callbacks = await receiver.until(2)
  expect(callbacks.map(({ message }) => message.stateCode)).toEqual(['ReadyForDropOff', 'Cancelled'])
})

test('a delivery that outlasts the stop is aborted and repeated after the next start', async () => {
  const databaseUrl = await temporaryStore()
  const receiver = await startReceiver(() => new Promise(() => undefined))
  onTestFinished(() => receiver.stop())
  const world = await start({ databaseUrl, delivery: { ...quick, stopTimeout: 50 } })
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC' })
  await stock(world)
  await receiver.until(1)
  const slowness = measureSlowness()
  const started = performance.now()
  await world.stop()
  expect((performance.now() - started) / slowness()).toBeLessThan(2_000)
  receiver.answer(() => ({ status: 204 }))
  await start({ databaseUrl })
  const [first, second] = await receiver.until(2)
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
})

test('two processes on one store send every message once, in the order of each shipment', async () => {
  const databaseUrl = await temporaryStore()
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const worlds = [await start({ databaseUrl }), await start({ databaseUrl })] as const
  await worlds[0].call('ConfigureCallback', { url: receiver.url, authType: 'HMAC' })
  const shipmentUids = await Promise.all(Array.from({ length: 18 }, (_, index) => stock(worlds[index % 2 ? 1 : 0])))
  await Promise.all(
    shipmentUids.map((shipmentUid, index) => worlds[index % 2 ? 0 : 1].call('CancelShipment', { shipmentUid })),
  )
  for (const shipmentUid of shipmentUids) {
    const callbacks = await receiver.until(2, shipmentUid)
    expect(callbacks.map(({ message }) => message.stateCode)).toEqual(['ReadyForDropOff', 'Cancelled'])
  }
  await Promise.all(worlds.map(world => world.stop()))
  expect(receiver.received).toHaveLength(36)
})

async function start(overrides: Partial<Settings>): Promise<ServiceWorld> {
  const world = await createWorld({ service: { delivery: quick, ...overrides } })
  onTestFinished(() => world.stop())
  return world
}

async function stock(world: ServiceWorld): Promise<string> {
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' })
  return shipmentUids[0] ?? ''
}
