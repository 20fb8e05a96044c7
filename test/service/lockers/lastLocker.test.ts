import { expect, onTestFinished, test } from 'vitest'
import { stock } from '../../support/service/callbacks.ts'
import { booking } from '../../support/service/topology.ts'
import { createWorld } from '../../support/world/createWorld.ts'

test('fifty callers race for the last four lockers: four bookings, four lockers, and all codes differ', async () => {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => world.call('CreateLocalShipmentAsStock', booking)),
  )
  expect(responses.filter(({ success }) => success)).toHaveLength(4)
  expect(new Set(responses.filter(({ success }) => !success).map(({ error }) => error))).toEqual(
    new Set(['NoLockerAvailable']),
  )
  const { items } = await world.call('GetShipments', { activeShipments: true })
  expect(new Set(items.map(({ lockerUid }) => lockerUid))).toHaveLength(4)
  expect(new Set(items.flatMap(({ pickUpCode, deliveryCode }) => [pickUpCode, deliveryCode]))).toHaveLength(8)
})

test('a locker is booked again as soon as it is released, under concurrent callers', async () => {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  const rounds = Array.from({ length: 8 }, async () => {
    let booked = 0
    for (let round = 0; round < 10; round++) {
      const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'border' })
      const [shipmentUid] = shipmentUids ?? []
      if (shipmentUid === undefined) continue
      booked++
      expect(await world.call('CancelShipment', { shipmentUid })).toMatchObject({ success: true })
    }
    return booked
  })
  const booked = (await Promise.all(rounds)).reduce((sum, count) => sum + count)
  expect(booked).toBeGreaterThan(0)
  expect(await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'border' })).toMatchObject({
    success: true,
  })
})

test('a shipment that ends releases its own locker, and no other one', async () => {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  const ended = await stock(world)
  await stock(world)
  await world.call('CancelShipment', { shipmentUid: ended })
  const { store } = world.service
  const booked = await store.selectFrom('lockers').select('locker_uid').where('booked', '=', 1).execute()
  const active = await store.selectFrom('shipments').select('locker_uid').where('shipment_uid', '<>', ended).execute()
  expect(booked).toEqual(active)
})
