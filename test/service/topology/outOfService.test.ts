import { expect, onTestFinished, test } from 'vitest'
import type { Topology } from '#service'
import { createLockerRegistry } from '../../../service/outOfService/index.ts'
import { createTopologyRegistry } from '../../../service/topology/index.ts'
import { booking, topology } from '../../support/service/topology.ts'
import { createWorld } from '../../support/world/createWorld.ts'

/** The topology of the tests with a broken locker at `square`, and with `reserve` closed. */
const broken: Topology = {
  ...topology,
  pickUpPoints: topology.pickUpPoints.map(point => {
    if (point.pupUid === 'reserve') return { ...point, outOfService: 'flooded' }
    if (point.pupUid !== 'square') return point
    const lockers = point.lockers.map(one => (one.names === 'S1' ? { ...one, outOfService: 'door bent' } : one))
    return { ...point, lockers }
  }),
}

test('a topology file puts lockers out of service and in service, until the command has changed them', async () => {
  const world = await createWorld({ service: { topology: broken } })
  onTestFinished(() => world.stop())
  const { store } = world.service
  const file = createTopologyRegistry(store, Date.now)
  const lockers = createLockerRegistry(store, Date.now)
  const closed = async () =>
    (await lockers.list()).flatMap(point => [
      ...(point.outOfService ? [`${point.pupUid} ${point.outOfService.reason}`] : []),
      ...point.lockers.flatMap(({ lockerUid, outOfService }) =>
        outOfService ? [`${lockerUid} ${outOfService.reason}`] : [],
      ),
    ])
  const get = async (PupUid: string) => (await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid })).error
  expect(await closed()).toEqual(['reserve flooded', 'square:S1 door bent'])
  expect(await get('reserve')).toBe('NoLockerAvailable')

  await file.apply(topology, { retire: false })
  expect(await closed()).toEqual([])
  expect(await get('reserve')).toBeNull()

  // From then on the file leaves alone whatever the command has changed.
  await lockers.returnToService({ pupUid: 'square', lockerName: 'S1' })
  await lockers.takeOutOfService({ pupUid: 'shelves' }, 'locked')
  await file.apply(broken, { retire: false })
  expect(await closed()).toEqual(['reserve flooded', 'shelves locked'])
})

test('a locker that is added to a closed pick up point takes no bookings', async () => {
  const world = await createWorld({ service: { topology: broken } })
  onTestFinished(() => world.stop())
  const more = broken.pickUpPoints.map(point =>
    point.pupUid === 'reserve'
      ? { ...point, lockers: [...point.lockers, { names: 'R3', width: 10, height: 20, length: 30 }] }
      : point,
  )
  await createTopologyRegistry(world.service.store, Date.now).apply(
    { ...broken, pickUpPoints: more },
    { retire: false },
  )
  const ask = { ...booking, PupUid: 'reserve', LockerUid: 'reserve:R3' }
  expect(await world.call('CreateLocalShipmentAsStock', ask)).toMatchObject({ error: 'LockerOutOfService' })
})
