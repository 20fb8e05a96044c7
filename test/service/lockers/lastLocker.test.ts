import { expect, onTestFinished, test } from 'vitest'
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
