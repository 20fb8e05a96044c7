import { expect, onTestFinished, test } from 'vitest'
import { booking } from './places.ts'
import { startWorld } from './world.ts'

test('fifty callers race for the last four lockers: four bookings, four lockers, and all codes differ', async () => {
  const world = await startWorld()
  onTestFinished(() => world.stop())
  const answers = await Promise.all(Array.from({ length: 50 }, () => world.call('CreateLocalShipmentAsStock', booking)))
  expect(answers.filter(({ success }) => success)).toHaveLength(4)
  expect(new Set(answers.filter(({ success }) => !success).map(({ error }) => error))).toEqual(
    new Set(['NoLockerAvailable']),
  )
  const { items } = await world.call('GetShipments', { activeShipments: true })
  expect(new Set(items.map(({ lockerUid }) => lockerUid))).toHaveLength(4)
  expect(new Set(items.flatMap(({ pickUpCode, deliveryCode }) => [pickUpCode, deliveryCode]))).toHaveLength(8)
})

test('a locker is booked again and again by whoever comes while it is given back', async () => {
  const world = await startWorld()
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
