import { expect, onTestFinished, test } from 'vitest'
import { createLockerRegistry, type LockerRegistry } from '../../../service/outOfService/index.ts'
import { type Site, startSite } from '../../support/service/site.ts'
import { booking } from '../../support/service/topology.ts'
import { createWorld } from '../../support/world/createWorld.ts'

const start = Date.UTC(2026, 0, 5, 8)
const since = '2026-01-05T08:00:00.000'

/** A site whose clock stands still, and the registry of its lockers. */
async function startWithLockers(): Promise<Site & { lockers: LockerRegistry; pass(): void }> {
  let now = start
  const site = await startSite({ clock: () => now, tokenLifetime: 86_400 })
  const lockers = createLockerRegistry(site.world.service.store, () => now)
  const pass = () => {
    now += 1_000
  }
  return { ...site, lockers, pass }
}

test('a booking at a broken locker stays visible with the reason, and is found as changed', async () => {
  const { world, run, read, lockers, pass } = await startWithLockers()
  await run('Issue')
  const { deliveryCode, pickUpCode } = await read('a')
  pass()
  const door = { pupUid: 'square', lockerName: 'S1' }
  const taken = await lockers.takeOutOfService(door, ' door bent ')
  const outOfService = { reason: 'door bent', since: '2026-01-05T08:00:01.000' }
  const { shipmentUid } = await read('a')
  const affected = {
    tenantId: 'acme',
    shipmentUid,
    referenceCaseNo: null,
    stateCode: 'ReadyForDropOff',
    lockerName: 'S1',
  }
  expect(taken).toEqual({ ...door, changed: true, shipments: [affected] })
  expect(await read('a')).toMatchObject({ stateCode: 'ReadyForDropOff', deliveryCode, pickUpCode, outOfService })
  const { items } = await world.call('GetShipments', { updatedSince: '2026-01-05T08:00:01' })
  expect(items).toMatchObject([{ shipmentUid, outOfService }])
  expect((await world.call('GetShipments', { outOfService: true })).items).toEqual(items)
  expect((await world.call('GetCollectOnlyShipments', { outOfService: true })).items).toEqual([])
  pass()
  expect(await lockers.takeOutOfService(door, 'lock jammed')).toMatchObject({ changed: true })
  expect((await read('a')).outOfService).toEqual({ ...outOfService, reason: 'lock jammed' })
  expect(await lockers.takeOutOfService(door, 'lock jammed')).toMatchObject({ changed: false })
  expect(await lockers.returnToService(door)).toMatchObject({ changed: true, shipments: [affected] })
  expect((await read('a')).outOfService).toBeNull()
  expect((await world.call('GetShipments', { outOfService: true })).items).toEqual([])
  expect(await lockers.returnToService(door)).toMatchObject({ changed: false })
  const audited = await world.service.store
    .selectFrom('audit_log')
    .select(['actor', 'action', 'subject'])
    .where('action', 'like', 'locker.%')
    .orderBy('seq')
    .execute()
  const of = (action: string) => ({ actor: 'operator', action: `locker.${action}`, subject: 'square:S1' })
  expect(audited).toEqual([of('outOfService'), of('outOfService'), of('inService')])
})

test('a closed pick up point is listed with the reason and without free lockers; ended shipments have no reason', async () => {
  const { world, run, read, lockers } = await startWithLockers()
  await run('Issue')
  await run('Stock')
  await run('cancel a')
  await lockers.takeOutOfService({ pupUid: 'square', lockerName: 'S2' }, 'door bent')
  await lockers.takeOutOfService({ pupUid: 'square' }, 'flooded')
  const { items } = await world.call('GetPickUpPoints', { pupUid: 'square', includeDetails: true })
  const [point] = items
  expect(point?.outOfService).toEqual({ reason: 'flooded', since })
  expect(point?.lockers?.map(({ total, free }) => [total, free])).toEqual([
    [2, 0],
    [1, 0],
    [1, 0],
  ])
  expect((await read('a')).outOfService).toBeNull()
  expect((await read('b')).outOfService).toEqual({ reason: 'door bent', since })
  const { shipmentUid } = await read('b')
  expect((await world.call('GetShipments', { outOfService: true })).items).toMatchObject([{ shipmentUid }])
  await lockers.returnToService({ pupUid: 'square' })
  const { items: later } = await world.call('GetPickUpPoints', { pupUid: 'square', includeDetails: true })
  expect(later[0]?.outOfService).toBeNull()
  expect(later[0]?.lockers?.map(({ total, free }) => [total, free])).toEqual([
    [2, 1],
    [1, 1],
    [1, 1],
  ])
})

test('nothing goes into a broken locker, and everything comes out', async () => {
  const { run, read, lockers, callbacks } = await startWithLockers()
  await run('Issue')
  await run('Issue')
  await run('dropOff b')
  await run('IssueAndSwapIntake')
  await run('dropOff c')
  await lockers.takeOutOfService({ pupUid: 'square' }, 'flooded')
  await callbacks()

  expect((await run('dropOff a')).body).toMatchObject({ error: 'LockerOutOfService' })
  expect((await run('unlock DropOff a')).body).toMatchObject({ error: 'UnlockNotAllowed' })
  // Without a goal the door of a repaired locker can be tried out.
  expect((await run('unlock DropOff a', { unlockGoal: null })).body).toMatchObject({ success: true })
  expect((await read('a')).stateCode).toBe('ReadyForDropOff')
  expect((await run('pickUp b')).body).toMatchObject({ success: true })
  // One opening takes the issued item out and brings the other one in.
  expect((await run('unlock DropOff d')).body).toMatchObject({ success: true })
  expect((await run('unlock PickUp d')).body).toMatchObject({ success: true })
  expect(await callbacks()).toEqual(['b Completed', 'c Completed', 'd ReadyForPickup', 'd Completed'])
  expect((await run('cancel a')).body).toMatchObject({ success: true })
})

test('a broken locker takes no item, and the one beside it does', async () => {
  const { run, lockers, callbacks } = await startWithLockers()
  await run('Issue')
  await run('Issue')
  await lockers.takeOutOfService({ pupUid: 'square', lockerName: 'S1' }, 'door bent')
  await callbacks()
  expect((await run('dropOff a')).body).toMatchObject({ error: 'LockerOutOfService' })
  expect((await run('unlock DropOff a')).body).toMatchObject({ error: 'UnlockNotAllowed' })
  expect((await run('dropOff b')).body).toMatchObject({ success: true })
  expect(await callbacks()).toEqual(['b ReadyForPickup'])
})

test('nothing new is booked at the locker of an earlier shipment, and that shipment is managed as before', async () => {
  const { run, read, lockers, callbacks } = await startWithLockers()
  await run('Stock')
  await run('dropOff a')
  await run('Intake')
  await run('Issue')
  const before = [await read('a'), await read('b'), await read('c')]
  await lockers.takeOutOfService({ pupUid: 'square' }, 'flooded')
  await callbacks()
  for (const step of [
    'IssueFromStock a',
    'IssueFromStockAndSwapIntake a',
    'IssueFromStockAndSubsequentIntakeAndCircularStock a',
    'StockAfterSwapIntake b',
    'LocalSwap c',
  ] as const) {
    expect((await run(step)).body, step).toMatchObject({ error: 'LockerOutOfService' })
  }
  const outOfService = { reason: 'flooded', since }
  expect([await read('a'), await read('b'), await read('c')]).toEqual(before.map(item => ({ ...item, outOfService })))
  for (const step of ['setReceiver a', 'setDetails b', 'addObject c', 'removeObject c', 'cancel b'] as const) {
    expect((await run(step)).body, step).toMatchObject({ success: true })
  }
  expect(await callbacks()).toEqual(['a ReadyForPickup', 'b Cancelled'])
})

test('stock that has a follower is refused by its state before its broken locker', async () => {
  const { run, lockers, callbacks } = await startWithLockers()
  await run('Stock')
  await run('LocalSwap a')
  await lockers.takeOutOfService({ pupUid: 'square' }, 'flooded')
  await callbacks()
  for (const step of [
    'IssueFromStockAndSwapIntake a',
    'IssueFromStockAndSubsequentIntakeAndCircularStock a',
  ] as const) {
    expect((await run(step)).body, step).toMatchObject({ error: 'InvalidShipmentState' })
  }
  expect((await run('IssueFromStock a')).body).toMatchObject({ error: 'LockerOutOfService' })
  expect(await callbacks()).toEqual([])
})

test('no booking is made after a pick up point was closed, at whichever moment', async () => {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  const lockers = createLockerRegistry(world.service.store, Date.now)
  const book = (PupUid: string) => world.call('CreateLocalShipmentAsStock', { ...booking, PupUid })
  const made = async (pupUid: string) =>
    (await world.call('GetShipments', { bookedPupUid: pupUid, pageSize: 500 })).items.map(item => item.shipmentUid)
  for (const [round, pupUid] of ['square', 'reserve', 'lastResort', 'shared'].entries()) {
    const first = Array.from({ length: 1 + round * 3 }, () => book(pupUid))
    const closed = lockers.takeOutOfService({ pupUid }, 'flooded').then(() => made(pupUid))
    const later = Array.from({ length: 6 }, () => book(pupUid))
    const bookedBefore = await closed
    await Promise.all([...first, ...later])
    expect(await made(pupUid)).toEqual(bookedBefore)
    expect(await book(pupUid)).toMatchObject({ error: 'NoLockerAvailable' })
  }
})

test('a wrong target or reason is refused with the name of the argument', async () => {
  const { lockers } = await startWithLockers()
  await expect(lockers.takeOutOfService({ pupUid: 'nowhere' }, 'x')).rejects.toThrow('--pup: must be the uid')
  await expect(lockers.returnToService({ pupUid: 'square', lockerName: 'Z9' })).rejects.toThrow(
    '--locker: must be the name of a locker of square, got "Z9".',
  )
  await expect(lockers.takeOutOfService({ pupUid: 'square' }, '  ')).rejects.toThrow(
    '--out-of-service: must have a reason of 1 to 200',
  )
  await expect(lockers.list('nowhere')).rejects.toThrow('--pup: must be the uid')
})
