import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { drained, failures, never, quick, startWithReceiver, stock } from '../../support/service/callbacks.ts'
import { measureSlowness } from '../../support/slowness.ts'

test('a shipment keeps its order while the receiver fails, and each message its webhook-id and body', async () => {
  let failures = 3
  const { world, receiver } = await startWithReceiver(() => ({ status: failures-- > 0 ? 500 : 204 }))
  const shipmentUid = await stock(world)
  await world.call('CancelShipment', { shipmentUid })
  const callbacks = await receiver.until(5, shipmentUid)
  expect(callbacks.map(({ message }) => message.stateCode)).toEqual([...Array(4).fill('ReadyForDropOff'), 'Cancelled'])
  const ids = callbacks.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids.slice(0, 4))).toHaveLength(1)
  expect(ids[4]).not.toBe(ids[0])
  expect(new Set(callbacks.slice(0, 4).map(({ body }) => body))).toHaveLength(1)
})

test('each of three callbacks of a shipment waits for the one before it', async () => {
  const { promise: made, resolve: make } = Promise.withResolvers<void>()
  const { world, receiver } = await startWithReceiver(
    async (_, count) => {
      await made
      return { status: count === 2 ? 500 : 204 }
    },
    // The next callback and the retry begin without a poll.
    { delivery: { ...quick, pollInterval: 3_600_000 } },
  )
  const shipmentUid = await stock(world)
  await receiver.until(1)
  await world.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' })
  await world.call('CancelShipment', { shipmentUid })
  make()
  const callbacks = await receiver.until(4)
  const [first, second, third] = [...new Set(callbacks.map(({ message }) => message.stateCode))]
  expect([first, third]).toEqual(['ReadyForDropOff', 'Cancelled'])
  // The second one fails once.
  expect(callbacks.map(({ message }) => message.stateCode)).toEqual([first, second, second, third])
})

test('webhook-timestamp is the time of the attempt', async () => {
  const { world, receiver } = await startWithReceiver((_, count) => ({ status: count === 1 ? 500 : 204 }), {
    delivery: { ...quick, initialInterval: 60_000, maximumInterval: 60_000 },
  })
  await stock(world)
  await receiver.until(1)
  await drained(world, receiver, 1, 1)
  world.service.advance(100_000)
  // On PostgreSQL the time of retries is the server's.
  await world.service.store.updateTable('outbox').set({ next_attempt_at: 1 }).execute()
  const [first, second] = await receiver.until(2)
  const seconds = Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp'])
  expect(seconds).toBeGreaterThanOrEqual(100)
})

describe('a delivery fails', () => {
  test.each([300, 301, 302, 307, 308, 400, 404, 410, 429, 500, 503])('with %i', async status => {
    const elsewhere = await startReceiver()
    onTestFinished(() => elsewhere.stop())
    const headers = { location: elsewhere.url }
    const { world, receiver } = await startWithReceiver((_, count) =>
      count === 1 ? { status, headers } : { status: 204 },
    )
    await stock(world)
    await receiver.until(2)
    expect(elsewhere.received).toEqual([])
  })

  test('without a response in time', async () => {
    const { world, receiver } = await startWithReceiver((_, count) => (count === 1 ? never : { status: 204 }), {
      delivery: { ...quick, timeout: 100 },
    })
    await stock(world)
    await receiver.until(2)
  })

  test.each([200, 201, 202, 299])('but not with %i', async status => {
    const { world, receiver } = await startWithReceiver(() => ({ status }))
    await stock(world)
    await drained(world, receiver, 1, 0)
  })
})

test('Retry-After is honoured', async () => {
  const { world, receiver } = await startWithReceiver((_, count) =>
    count === 1 ? { status: 503, headers: { 'retry-after': '1' } } : { status: 204 },
  )
  const started = performance.now()
  await stock(world)
  await receiver.until(2)
  expect(performance.now() - started).toBeGreaterThan(990)
})

test('the first delivery starts within milliseconds of the commit', async () => {
  const { world, receiver } = await startWithReceiver(undefined, { delivery: { pollInterval: 60_000 } })
  const waits: number[] = []
  const slowness = measureSlowness()
  for (let count = 0; count < 20; count++) {
    const shipmentUid = await stock(world)
    const started = performance.now()
    await receiver.until(1, shipmentUid)
    waits.push(performance.now() - started)
    await world.call('CancelShipment', { shipmentUid })
  }
  const [median = 0] = waits.sort((one, other) => one - other).slice(10)
  expect(median / slowness()).toBeLessThan(50)
})

test('an address that is no longer allowed is not dialled', async () => {
  const { world, receiver } = await startWithReceiver(undefined, { allowPrivateNetworks: false })
  await world.service.store.updateTable('tenants').set({ callback_url: receiver.url }).execute()
  await stock(world)
  await vi.waitFor(() => expect(failures(world)[0]).toMatchObject({ reason: 'forbidden address' }))
  const byName = receiver.url.replace('http://127.0.0.1', 'https://localhost')
  await world.service.store.updateTable('tenants').set({ callback_url: byName }).execute()
  await vi.waitFor(() => expect(failures(world).at(-1)).toMatchObject({ reason: 'EFORBIDDENADDRESS' }))
  expect(receiver.received).toEqual([])
})
