import { expect, onTestFinished, test } from 'vitest'
import { booking } from '../../support/service/topology.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

test('codes have six digits, last until the shipment ends, and are the same in every response', async () => {
  const world = await start()
  const shipmentUid = await stock(world)
  const codes = await world.call('GetShipmentAccessCode', { shipmentUid })
  expect(codes).toEqual({
    success: true,
    error: null,
    message: null,
    shipmentUid,
    pickUpCode: expect.stringMatching(/^\d{6}$/),
    deliveryCode: expect.stringMatching(/^\d{6}$/),
  })
  expect(codes.pickUpCode).not.toBe(codes.deliveryCode)
  const { items } = await world.call('GetShipments', { shipmentUid })
  expect(items[0]).toMatchObject({ pickUpCode: codes.pickUpCode, deliveryCode: codes.deliveryCode })

  await world.call('SimulateLockerAccess', { pupUid: 'square', lockerName: 'S1', pinCode: codes.deliveryCode ?? '' })
  expect(await world.call('GetShipmentAccessCode', { shipmentUid })).toEqual(codes)

  await world.call('CancelShipment', { shipmentUid })
  expect(await world.call('GetShipmentAccessCode', { shipmentUid })).toEqual({
    ...codes,
    pickUpCode: null,
    deliveryCode: null,
  })
  expect((await world.call('GetShipments', { shipmentUid })).items[0]).toMatchObject({
    pickUpCode: null,
    deliveryCode: null,
  })
  // Or the million codes of a pick up point would run out one day.
  expect(await world.service.store.selectFrom('access_codes').selectAll().execute()).toEqual([])
})

test('a booking that overflows has codes at its own pick up point only, until it ends', async () => {
  const world = await start()
  const { store } = world.service
  const places = () => store.selectFrom('access_codes').select('pup_uid').execute()
  const onlyAtOverflow = { Dimension: { width: 30, height: 30, length: 30 }, AllowOverflowLockers: true }
  const shipmentUid = await stock(world, { PupUid: 'shelves', ...onlyAtOverflow })
  expect(await places()).toEqual([{ pup_uid: 'reserve' }, { pup_uid: 'reserve' }])
  await world.call('CancelShipment', { shipmentUid })
  expect(await places()).toEqual([])
})

test('the code of a shipment that has ended opens nothing', async () => {
  const world = await start()
  const shipmentUid = await stock(world)
  const { deliveryCode } = await world.call('GetShipmentAccessCode', { shipmentUid })
  await world.call('CancelShipment', { shipmentUid })
  const access = { pupUid: 'square', lockerName: 'S1', pinCode: deliveryCode ?? '' }
  expect(await world.call('SimulateLockerAccess', access)).toMatchObject({ error: 'InvalidAccessCode' })
})

test('the codes of an unknown shipment are InvalidShipment', async () => {
  const world = await start()
  const unknown = { shipmentUid: 'nothing' }
  expect(await world.call('GetShipmentAccessCode', unknown)).toMatchObject({ error: 'InvalidShipment' })
  expect(await world.call('CancelShipment', unknown)).toMatchObject({ error: 'InvalidShipment' })
})

async function start(): Promise<ServiceWorld> {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  return world
}

async function stock(world: ServiceWorld, fields: object = {}): Promise<string> {
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...booking, ...fields })
  return shipmentUids[0] ?? ''
}
