import { expect, onTestFinished, test, vi } from 'vitest'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { holdPort } from '../../support/servers/heldPort.ts'
import {
  drained,
  failures,
  fillOutbox,
  never,
  quick,
  startWithReceiver,
  stock,
} from '../../support/service/callbacks.ts'
import { booking } from '../../support/service/topology.ts'
import { measureSlowness } from '../../support/slowness.ts'

test('a receiver that blocks one shipment does not delay the others', async () => {
  const { world, receiver } = await startWithReceiver(
    ({ message }) => (message.description === 'slow' ? never : { status: 204 }),
    {
      delivery: { ...quick, stopTimeout: 10 },
    },
  )
  const slow = await stock(world, { Details: { Description: 'slow' } })
  await receiver.until(1, slow)
  for (let count = 0; count < 3; count++) {
    const shipmentUid = await stock(world)
    await world.call('CancelShipment', { shipmentUid })
    await receiver.until(2, shipmentUid)
  }
  await world.call('CancelShipment', { shipmentUid: slow })
  expect(await receiver.until(1, slow)).toHaveLength(1)
})

test('a tenant whose receiver always hangs does not delay another tenant', async () => {
  const { world } = await startWithReceiver(() => never, { delivery: { ...quick, concurrency: 2, stopTimeout: 10 } })
  const other = await startReceiver()
  onTestFinished(() => other.stop())
  await world.call('ConfigureCallback', { url: other.url, authType: 'None' }, 'globex')
  for (let count = 0; count < 3; count++) await stock(world)
  await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'harbour' }, 'globex')
  await other.until(1)
})

test('a receiver that was unavailable loses nothing', async () => {
  const { world, receiver } = await startWithReceiver()
  await receiver.stop()
  const refused = await holdPort(receiver.port)
  const shipmentUids: string[] = []
  for (let count = 0; count < 4; count++) shipmentUids.push(await stock(world))
  for (const shipmentUid of shipmentUids) await world.call('CancelShipment', { shipmentUid })
  await vi.waitFor(async () => {
    const { store } = world.service
    const tried = await store.selectFrom('outbox').select('attempts').where('attempts', '>', 0).execute()
    expect(tried.length).toBe(4)
  })
  // One line for all of them.
  expect(failures(world)).toHaveLength(1)
  const back = await startReceiver(undefined, receiver.port)
  refused.release()
  onTestFinished(() => back.stop())
  for (const shipmentUid of shipmentUids) {
    const callbacks = await back.until(2, shipmentUid)
    expect(callbacks.map(({ message }) => message.stateCode)).toEqual(['ReadyForDropOff', 'Cancelled'])
  }
  await drained(world, back, 8, 0)
})

test('a receiver that fails gets few new callbacks at a time, and all of them soon when it is back', async () => {
  const failedAt: number[] = []
  const { world, receiver } = await startWithReceiver(
    () => {
      failedAt.push(performance.now())
      return { status: 503 }
    },
    { delivery: { ...quick, initialInterval: 3_600_000, maximumInterval: 3_600_000, slowAfter: 60_000 } },
  )
  const uids = await fillOutbox(world.service.store, { tenantId: 'acme', shipments: 800 })
  // At most 103 begin before forty have failed, and the others follow five at a time.
  const count = 103 + 21
  await receiver.until(count)
  expect((failedAt[count - 1] ?? 0) - (failedAt[0] ?? 0)).toBeGreaterThan(1_900)
  receiver.answer(() => ({ status: 204 }))
  const slowness = measureSlowness()
  const backSince = performance.now()
  await receiver.until(uids.length)
  // At that pace they would take more than a minute.
  expect((performance.now() - backSince) / slowness()).toBeLessThan(20_000)
})

test('a changed registration makes waiting messages due, and an unchanged one does not', async () => {
  const { world, receiver } = await startWithReceiver((_, count) => ({ status: count <= 2 ? 500 : 204 }), {
    delivery: { ...quick, initialInterval: 3_600_000, maximumInterval: 3_600_000 },
  })
  await stock(world)
  await drained(world, receiver, 1, 1)
  const before = await world.service.store.selectFrom('outbox').selectAll().execute()
  expect(await world.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC' })).toMatchObject({
    changed: false,
  })
  expect(await world.service.store.selectFrom('outbox').selectAll().execute()).toEqual(before)
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC', resetKey: true })
  await drained(world, receiver, 2, 1)
  await world.call('ConfigureCallback', { url: `${receiver.url}/new`, authType: 'HMAC' })
  await drained(world, receiver, 3, 0)
})

test('while callbacks are off none is queued; earlier ones go to the next address', async () => {
  const { world, receiver } = await startWithReceiver(() => ({ status: 500 }))
  const before = await stock(world)
  await receiver.until(1, before)
  await world.call('ConfigureCallback', { url: null, authType: 'HMAC' })
  const meanwhile = await stock(world)
  const next = await startReceiver()
  onTestFinished(() => next.stop())
  await world.call('ConfigureCallback', { url: next.url, authType: 'HMAC' })
  await world.call('CancelShipment', { shipmentUid: meanwhile })
  await next.until(1, before)
  const announced = await next.until(1, meanwhile)
  expect(announced.map(({ message }) => message.stateCode)).toEqual(['Cancelled'])
})
