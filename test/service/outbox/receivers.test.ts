import { expect, onTestFinished, test, vi } from 'vitest'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { drained, failures, never, quick, startWithReceiver, stock } from '../../support/service/callbacks.ts'
import { booking } from '../../support/service/topology.ts'

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
  const shipmentUids: string[] = []
  for (let count = 0; count < 4; count++) shipmentUids.push(await stock(world))
  for (const shipmentUid of shipmentUids) await world.call('CancelShipment', { shipmentUid })
  await vi.waitFor(() => expect(failures(world).length).toBeGreaterThanOrEqual(4), { timeout: 5_000 })
  const back = await startReceiver(undefined, receiver.port)
  onTestFinished(() => back.stop())
  for (const shipmentUid of shipmentUids) {
    const callbacks = await back.until(2, shipmentUid)
    expect(callbacks.map(({ message }) => message.stateCode)).toEqual(['ReadyForDropOff', 'Cancelled'])
  }
  await drained(world, back, 8, 0)
})

test('a message of a killed process is sent when its lease has expired', async () => {
  const { world, receiver } = await startWithReceiver((_, count) => ({ status: count === 1 ? 500 : 204 }), {
    delivery: { ...quick, initialInterval: 5_000 },
  })
  await stock(world)
  await drained(world, receiver, 1, 1)
  const { store, settings } = world.service
  await store
    .updateTable('outbox')
    .set({ next_attempt_at: 0, lease_expires_at: settings.clock() + 60_000 })
    .execute()
  const other = await stock(world)
  await receiver.until(1, other)
  expect(receiver.received).toHaveLength(2)
  world.service.advance(60_000)
  await receiver.until(3)
})

test('registering again immediately delivers waiting messages', async () => {
  const { world, receiver } = await startWithReceiver((_, count) => ({ status: count === 1 ? 500 : 204 }), {
    delivery: { ...quick, initialInterval: 3_600_000, maximumInterval: 3_600_000 },
  })
  await stock(world)
  await drained(world, receiver, 1, 1)
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC' })
  await receiver.until(2)
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
