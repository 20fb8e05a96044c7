import { describe, expect, onTestFinished, test } from 'vitest'
import { createLockerRegistry } from '../../../service/outOfService/index.ts'
import { booking, item, topology } from '../../support/service/topology.ts'
import { createWorld } from '../../support/world/createWorld.ts'

interface Row {
  what: string
  /** Lockers that are taken before, as `point:name`. */
  taken?: string[]
  /** Lockers, and pick up points without a name, that are out of service. */
  broken?: string[]
  ask?: object
  /** `point:name` of the locker booked, or the refusal. */
  gets: string
}

const elsewhere = { AllowOverflowLockers: true }
const onlyFitting = { AllowLargerLockers: false }
const size = (width: number, height: number, length: number) => ({ Dimension: { width, height, length } })
const cube = (side: number) => size(side, side, side)

const rows: Row[] = [
  { what: 'the smallest size, its first locker', gets: 'square:S1' },
  { what: 'the next of that size', taken: ['square:S1'], gets: 'square:S2' },
  { what: 'an exact fit', ask: size(10, 20, 30), gets: 'square:S1' },
  { what: 'an exact fit, turned', ask: size(30, 10, 20), gets: 'square:S1' },
  { what: 'an exact fit, turned the other way', ask: size(20, 30, 10), gets: 'square:S1' },
  { what: 'a millimetre too long for the smallest', ask: size(10, 20, 30.1), gets: 'square:M1' },
  { what: 'only the longest side counts against it', ask: size(1, 1, 35), gets: 'square:M1' },
  { what: 'only the middle side counts against it', ask: size(1, 25, 25), gets: 'square:M1' },
  { what: 'a larger one when allowed', taken: ['square:S1', 'square:S2'], gets: 'square:M1' },
  { what: 'the largest one when allowed', taken: ['square:S1', 'square:S2', 'square:M1'], gets: 'square:L1' },
  { what: 'the fitting size without larger ones', ask: { ...onlyFitting, ...size(15, 25, 35) }, gets: 'square:M1' },
  {
    what: 'no larger one when not allowed',
    taken: ['square:S1', 'square:S2'],
    ask: onlyFitting,
    gets: 'NoLockerAvailable',
  },
  {
    what: 'nothing when all are taken',
    taken: ['square:S1', 'square:S2', 'square:M1', 'square:L1'],
    gets: 'NoLockerAvailable',
  },
  { what: 'nothing when it fits nowhere', ask: size(1, 1, 41), gets: 'InvalidDimension' },
  { what: 'size is volume, not the longest side', ask: { PupUid: 'shelves' }, gets: 'shelves:cube' },
  { what: 'what fits only the larger shelf', ask: { PupUid: 'shelves', ...size(5, 90, 5) }, gets: 'shelves:flat' },

  { what: 'that very locker', ask: { LockerUid: 'square:L1', ...onlyFitting }, gets: 'square:L1' },
  {
    what: 'not another one for a taken LockerUid',
    taken: ['square:M1'],
    ask: { LockerUid: 'square:M1', ...elsewhere },
    gets: 'NoLockerAvailable',
  },
  { what: 'a LockerUid too small', ask: { LockerUid: 'square:S1', ...size(11, 20, 30) }, gets: 'InvalidDimension' },
  { what: 'a LockerUid of another point', ask: { LockerUid: 'reserve:R1', ...elsewhere }, gets: 'InvalidLocker' },
  { what: 'an unknown LockerUid', ask: { LockerUid: 'nowhere' }, gets: 'InvalidLocker' },
  { what: 'null as no LockerUid', ask: { LockerUid: null }, gets: 'square:S1' },
  { what: 'an empty text as no LockerUid', ask: { LockerUid: '' }, gets: 'square:S1' },

  {
    what: 'the overflow when the point is full',
    taken: ['square:S1', 'square:S2', 'square:M1', 'square:L1'],
    ask: elsewhere,
    gets: 'reserve:R1',
  },
  {
    what: 'the fitting size at the overflow rather than a larger one here',
    taken: ['square:S1', 'square:S2'],
    ask: { ...elsewhere, ...onlyFitting },
    gets: 'reserve:R1',
  },
  {
    what: 'a larger one here before the overflow',
    taken: ['square:S1', 'square:S2'],
    ask: elsewhere,
    gets: 'square:M1',
  },
  {
    what: 'no larger one at the overflow either',
    taken: ['square:S1', 'square:S2', 'reserve:R1'],
    ask: { ...elsewhere, ...onlyFitting },
    gets: 'NoLockerAvailable',
  },
  {
    what: 'no overflow of the overflow',
    taken: ['square:S1', 'square:S2', 'square:M1', 'square:L1', 'reserve:R1', 'reserve:R2'],
    ask: elsewhere,
    gets: 'NoLockerAvailable',
  },
  {
    what: 'the overflow for what fits only there',
    ask: { PupUid: 'shelves', ...elsewhere, ...cube(30) },
    gets: 'reserve:R2',
  },
  {
    what: 'the overflow for what fits only there, of the fitting size',
    ask: { PupUid: 'shelves', ...elsewhere, ...onlyFitting, ...cube(30) },
    gets: 'reserve:R2',
  },
  {
    what: 'nothing for what fits only at the overflow, while that is full',
    taken: ['reserve:R2'],
    ask: { PupUid: 'shelves', ...elsewhere, ...cube(30) },
    gets: 'NoLockerAvailable',
  },
  {
    what: 'nothing for what fits only at the overflow, without the flag',
    ask: { PupUid: 'shelves', ...cube(30) },
    gets: 'InvalidDimension',
  },
  {
    what: 'nothing for what fits only at the overflow, with a LockerUid',
    ask: { PupUid: 'shelves', ...elsewhere, ...cube(30), LockerUid: 'shelves:cube' },
    gets: 'InvalidDimension',
  },
  {
    what: 'nothing for what fits neither here nor at the overflow',
    ask: { PupUid: 'shelves', ...elsewhere, ...cube(41) },
    gets: 'InvalidDimension',
  },
  {
    what: 'nothing at a full point for what does not fit the overflow',
    taken: ['shelves:flat'],
    ask: { PupUid: 'shelves', ...elsewhere, ...size(5, 90, 5) },
    gets: 'NoLockerAvailable',
  },
  { what: 'nothing for a side over any limit', ask: { ...elsewhere, ...size(1, 1, 1e300) }, gets: 'InvalidDimension' },
  {
    what: 'no foreign overflow for what fits no locker here',
    ask: { PupUid: 'border', ...elsewhere, ...size(20, 20, 20) },
    gets: 'InvalidDimension',
  },
  {
    what: 'no overflow to a foreign pick up point',
    taken: ['border:1'],
    ask: { PupUid: 'border', ...elsewhere },
    gets: 'NoLockerAvailable',
  },

  { what: 'another locker than a broken one', broken: ['square:S1'], gets: 'square:S2' },
  { what: 'a larger one than broken ones', broken: ['square:S1', 'square:S2'], gets: 'square:M1' },
  {
    what: 'no larger one than broken ones when not allowed',
    broken: ['square:S1', 'square:S2'],
    ask: onlyFitting,
    gets: 'NoLockerAvailable',
  },
  { what: 'nothing at a closed point', broken: ['square'], gets: 'NoLockerAvailable' },
  { what: 'the overflow of a closed point', broken: ['square'], ask: elsewhere, gets: 'reserve:R1' },
  {
    what: 'nothing where the overflow is closed too',
    broken: ['square', 'reserve'],
    ask: elsewhere,
    gets: 'NoLockerAvailable',
  },
  { what: 'still the size at a closed point', broken: ['square'], ask: size(1, 1, 41), gets: 'InvalidDimension' },
  { what: 'no broken LockerUid', broken: ['square:M1'], ask: { LockerUid: 'square:M1' }, gets: 'LockerOutOfService' },
  {
    what: 'no LockerUid at a closed point, and no overflow of it',
    broken: ['square'],
    ask: { ...elsewhere, LockerUid: 'square:M1' },
    gets: 'LockerOutOfService',
  },

  { what: 'an unknown point', ask: { PupUid: 'nowhere' }, gets: 'InvalidPupUid' },
  { what: 'the point before the locker', ask: { PupUid: 'nowhere', LockerUid: 'nowhere' }, gets: 'InvalidPupUid' },
]

describe('a booking gets (SPEC-13, SPEC-38, SPEC-40)', () => {
  test.each(rows)('$what: $gets', async ({ taken = [], broken = [], ask, gets }) => {
    const world = await createWorld()
    onTestFinished(() => world.stop())
    for (const lockerUid of taken) {
      const [PupUid = ''] = lockerUid.split(':')
      const got = await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid, LockerUid: lockerUid })
      expect(got).toMatchObject({ success: true })
    }
    const lockers = createLockerRegistry(world.service.store, Date.now)
    for (const uid of broken) {
      const [pupUid = '', lockerName] = uid.split(':')
      await lockers.takeOutOfService({ pupUid, lockerName }, 'broken')
    }
    const response = await world.call('CreateLocalShipmentAsStock', { ...booking, Dimension: item, ...ask })
    expect(response.success ? await lockerOf(world, response.shipmentUids) : response.error).toBe(gets)
  })

  async function lockerOf(world: Awaited<ReturnType<typeof createWorld>>, [shipmentUid]: readonly string[]) {
    const { items } = await world.call('GetShipments', { shipmentUid })
    const [shipment] = items
    expect(shipment?.lockerUid).toBe(`${shipment?.pupUid}:${shipment?.lockerName}`)
    return shipment?.lockerUid
  }
})

/** All of the same volume, with the best one last. */
const ties = {
  pupUid: 'ties',
  name: 'Ties',
  timeZone: 'Europe/Amsterdam',
  tenants: ['acme', 'globex'],
  lockers: [
    { names: 'long', width: 10, height: 10, length: 60 },
    { names: 'wide', width: 8, height: 25, length: 30 },
    { names: 'even', width: 10, height: 20, length: 30 },
  ],
}

test.each([
  ['even', [], onlyFitting],
  ['even', [], {}],
  ['wide', ['even'], {}],
  ['long', ['even', 'wide'], {}],
])('of lockers of one volume, a booking gets the one with the shortest sides: %s', async (gets, taken, ask) => {
  const world = await createWorld({ service: { topology: { ...topology, pickUpPoints: [ties] } } })
  onTestFinished(() => world.stop())
  const request = { ...booking, PupUid: 'ties', ...size(8, 10, 30) }
  for (const name of taken) await world.call('CreateLocalShipmentAsStock', { ...request, LockerUid: `ties:${name}` })
  await world.call('CreateLocalShipmentAsStock', { ...request, ...ask })
  const { items } = await world.call('GetShipments', {})
  expect(items.map(({ lockerName }) => lockerName).sort()).toEqual([...taken, gets].sort())
})

test.each([
  [
    'a LockerUid that is booked',
    { LockerUid: 'square:M1', ...elsewhere },
    /^LockerUid must be the uid of a free locker/,
  ],
  ['a full point', {}, /^PupUid has no free locker/],
])('NoLockerAvailable for %s names the field that helps', async (_what, ask, message) => {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  for (const name of ['S1', 'S2', 'M1', 'L1'])
    await world.call('CreateLocalShipmentAsStock', { ...booking, LockerUid: `square:${name}` })
  const response = await world.call('CreateLocalShipmentAsStock', { ...booking, Dimension: item, ...ask })
  expect(response).toMatchObject({ error: 'NoLockerAvailable', message: expect.stringMatching(message) })
})

test('the pick up point is checked before the user, and the user before the locker', async () => {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  const issue = { ...booking, ToUserUid: 'nobody', LockerUid: 'nowhere' }
  expect(await world.call('CreateLocalShipmentAsIssue', { ...issue, PupUid: 'nowhere' })).toMatchObject({
    error: 'InvalidPupUid',
  })
  expect(await world.call('CreateLocalShipmentAsIssue', issue)).toMatchObject({ error: 'InvalidUserUid' })
})
