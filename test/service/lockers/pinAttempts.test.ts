import { describe, expect, onTestFinished, test } from 'vitest'
import { booking } from '../../support/service/topology.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

describe('a pin code is rejected', () => {
  test.each([
    { what: 'at an unknown pick up point', access: { pupUid: 'nowhere' }, error: 'InvalidPupUid' },
    { what: 'at a foreign pick up point', access: { pupUid: 'harbour' }, error: 'InvalidPupUid' },
    { what: 'at an unknown locker', access: { lockerName: 'S9' }, error: 'InvalidLocker' },
    { what: 'at a locker of another pick up point', access: { lockerName: 'R1' }, error: 'InvalidLocker' },
    { what: 'at another locker than its own', access: { lockerName: 'S2' }, error: 'InvalidAccessCode' },
    { what: 'when it is not one', access: { pinCode: 'open' }, error: 'InvalidAccessCode' },
    { what: 'when it is longer than any', access: { pinCode: '1'.repeat(1_000) }, error: 'InvalidAccessCode' },
  ])('$what: $error', async ({ access, error }) => {
    const { world, codes } = await start()
    expect(await world.call('SimulateLockerAccess', { ...codes.dropOff, ...access })).toMatchObject({
      success: false,
      error,
    })
    expect(await state(world)).toBe('ReadyForDropOff')
  })

  test('before its turn, and after it', async () => {
    const { world, codes } = await start()
    expect(await world.call('SimulateLockerAccess', codes.pickUp)).toMatchObject({ error: 'InvalidAccessCode' })
    expect(await world.call('SimulateLockerAccess', codes.dropOff)).toMatchObject({ success: true })
    expect(await world.call('SimulateLockerAccess', codes.dropOff)).toMatchObject({ error: 'InvalidAccessCode' })
    expect(await state(world)).toBe('WaitForReceiver')
  })

  test("when it is another tenant's, at a pick up point of both", async () => {
    const { world } = await start()
    const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' }, 'globex')
    const [shipmentUid = ''] = shipmentUids
    const { deliveryCode } = await world.call('GetShipmentAccessCode', { shipmentUid }, 'globex')
    const access = { pupUid: 'shared', lockerName: '1', pinCode: deliveryCode ?? '' }
    expect(await world.call('SimulateLockerAccess', access)).toMatchObject({ error: 'InvalidAccessCode' })
    expect(await world.call('SimulateLockerAccess', access, 'globex')).toMatchObject({ success: true })
  })
})

test('five wrong codes lock the locker, twice as long each further time; a right one resets that', async () => {
  const { world, codes } = await start()
  const wrong = { ...codes.dropOff, pinCode: 'wrong' }
  for (let count = 1; count <= 5; count++) {
    expect(await world.call('SimulateLockerAccess', wrong)).toMatchObject({ error: 'InvalidAccessCode' })
  }
  for (const seconds of [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]) {
    // The right code is refused too, or a lock would only tell that the codes so far were wrong.
    const locked = await world.call('SimulateLockerAccess', codes.dropOff)
    expect(locked).toMatchObject({ success: false, error: 'TooManyAttempts' })
    expect(locked.retryAfter).toBeGreaterThan(seconds / 2)
    expect(locked.retryAfter).toBeLessThanOrEqual(seconds)
    world.service.advance(seconds * 1_000)
    expect(await world.call('SimulateLockerAccess', wrong)).toMatchObject({ error: 'InvalidAccessCode' })
  }
  expect(await state(world)).toBe('ReadyForDropOff')
  world.service.advance(3_600_000)
  expect(await world.call('SimulateLockerAccess', codes.dropOff)).toMatchObject({ success: true })
  expect(await world.call('SimulateLockerAccess', wrong)).toMatchObject({ error: 'InvalidAccessCode' })
  expect(await world.call('SimulateLockerAccess', wrong)).toMatchObject({ error: 'InvalidAccessCode' })
})

test('a lock that ends later than possible has expired: the clock was set back', async () => {
  const { world, codes } = await start()
  const wrong = { ...codes.dropOff, pinCode: 'wrong' }
  for (let count = 1; count <= 5; count++) await world.call('SimulateLockerAccess', wrong)
  world.service.advance(-2 * 3_600_000)
  // The count stays, so that wrong codes lock the locker by the new time.
  expect(await world.call('SimulateLockerAccess', wrong)).toMatchObject({ error: 'InvalidAccessCode' })
  const locked = await world.call('SimulateLockerAccess', codes.dropOff)
  expect(locked).toMatchObject({ error: 'TooManyAttempts' })
  expect(locked.retryAfter).toBeLessThanOrEqual(60)
  world.service.advance(60_000)
  expect(await world.call('SimulateLockerAccess', codes.dropOff)).toMatchObject({ success: true })
})

test('concurrent wrong codes gain nothing: five are checked', async () => {
  const { world, codes } = await start()
  const wrong = Array.from({ length: 20 }, (_, count) => ({ ...codes.dropOff, pinCode: `wrong-${count}` }))
  const responses = await Promise.all(wrong.map(access => world.call('SimulateLockerAccess', access)))
  const looked = responses.filter(({ error }) => error === 'InvalidAccessCode')
  const locked = responses.filter(({ error }) => error === 'TooManyAttempts')
  expect([looked.length, locked.length]).toEqual([5, 15])
  for (const { retryAfter } of locked) expect(retryAfter).toBeGreaterThan(0)
})

test('the wrong codes of one tenant lock a shared locker for that tenant only', async () => {
  const { world } = await start()
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' }, 'globex')
  const codes = await world.call('GetShipmentAccessCode', { shipmentUid: shipmentUids[0] ?? '' }, 'globex')
  const access = { pupUid: 'shared', lockerName: '1', pinCode: codes.deliveryCode ?? '' }
  const wrong = { ...access, pinCode: 'wrong' }
  expect(await world.call('SimulateLockerAccess', wrong, 'globex')).toMatchObject({ error: 'InvalidAccessCode' })
  for (let count = 1; count <= 5; count++) await world.call('SimulateLockerAccess', wrong)
  expect(await world.call('SimulateLockerAccess', wrong)).toMatchObject({ error: 'TooManyAttempts' })
  expect(await world.call('SimulateLockerAccess', wrong, 'globex')).toMatchObject({ error: 'InvalidAccessCode' })
  expect(await world.call('SimulateLockerAccess', access, 'globex')).toMatchObject({ success: true })
  // A right code resets the count of its tenant, and not that of the other.
  expect(await world.call('SimulateLockerAccess', wrong)).toMatchObject({ error: 'TooManyAttempts' })
})

test('a lock does not affect the next locker, whose right code leaves it', async () => {
  const { world, codes } = await start()
  const wrong = { ...codes.dropOff, lockerName: 'S2' }
  const oneWrong = await world.call('SimulateLockerAccess', { ...codes.dropOff, pinCode: 'wrong' })
  expect(oneWrong).toMatchObject({ error: 'InvalidAccessCode' })
  for (let count = 1; count <= 5; count++) await world.call('SimulateLockerAccess', wrong)
  expect(await world.call('SimulateLockerAccess', wrong)).toMatchObject({ error: 'TooManyAttempts' })
  expect(await world.call('SimulateLockerAccess', codes.dropOff)).toMatchObject({ success: true })
  expect(await world.call('SimulateLockerAccess', wrong)).toMatchObject({ error: 'TooManyAttempts' })
})

/** A world with one stock shipment at locker S1, and its codes. */
async function start() {
  const world = await createWorld({ service: { tokenLifetime: 86_400 } })
  onTestFinished(() => world.stop())
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', booking)
  const { pickUpCode, deliveryCode } = await world.call('GetShipmentAccessCode', { shipmentUid: shipmentUids[0] ?? '' })
  const door = { pupUid: 'square', lockerName: 'S1' }
  const codes = { dropOff: { ...door, pinCode: deliveryCode ?? '' }, pickUp: { ...door, pinCode: pickUpCode ?? '' } }
  return { world, codes }
}

async function state(world: ServiceWorld): Promise<string | undefined> {
  const { items } = await world.call('GetShipments', {})
  return items[0]?.stateCode
}
