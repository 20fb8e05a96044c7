import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HardwareAdapter, listDoors } from '#service'
import { startWire, type Wire } from '../../../testing/stack/wire.ts'
import { eventually } from '../../support/eventually.ts'
import { eventOf, signed } from '../../support/hardware/messages.ts'
import { type Simulator, startSimulator } from '../../support/hardware/simulator/simulator.ts'
import { openSite, type Site, startSite } from '../../support/service/site.ts'
import { topology } from '../../support/service/topology.ts'

const [newest, previous] = ['newest-hardware-key-of-the-tests', 'previous-hardware-key-of-the-tests']

/** The keys of the service and of the adapter of each pick up point. */
const rotations = [
  { pupUid: 'square', name: 'the adapter has the old key', keys: [newest, previous], adapterKeys: [previous] },
  { pupUid: 'shared', name: 'the adapter has the new key', keys: [newest, previous], adapterKeys: [newest] },
  { pupUid: 'reserve', name: 'the adapter has both keys', keys: [newest], adapterKeys: [previous, newest] },
] as const

let site: Site
let toService: Wire
const simulators = new Map<string, Simulator>()

beforeAll(async () => {
  let address = ''
  toService = await startWire(() => address)
  const hardwareAdapters: HardwareAdapter[] = []
  for (const { pupUid, keys, adapterKeys } of rotations) {
    const simulator = await startSimulator({
      host: '127.0.0.1',
      port: 0,
      keys: adapterKeys,
      eventsUrl: () => `${toService.address}/hardware/events/${pupUid}`,
      closeAfter: 0,
      doors: listDoors(topology).filter(door => door.pupUid === pupUid),
    })
    simulators.set(pupUid, simulator)
    hardwareAdapters.push({ name: pupUid, url: simulator.address, keys, pickUpPoints: [pupUid] })
  }
  site = await openSite({ hardwareAdapters, unlockTimeout: 20_000 })
  address = site.world.service.address
})

afterAll(async () => {
  for (const simulator of simulators.values()) await simulator.stop()
  await site.stop()
  await toService.stop()
})

/** Books a locker and opens it. */
async function openAt(PupUid: string) {
  const letter = site.lettersIn(await site.run('Issue', { PupUid }))
  const { body } = await site.run(`unlock DropOff ${letter}`)
  const { lockerUid } = await site.read(letter)
  return { error: body.error, lockerUid: lockerUid ?? '' }
}

test.each(rotations)('keys rotate without a refused message: $pupUid, $name', async ({ pupUid }) => {
  const { error, lockerUid } = await openAt(pupUid)
  expect(error).toBeNull()
  const { store } = site.world.service
  const doors = store.selectFrom('locker_doors').select('state').where('locker_uid', '=', lockerUid)
  await eventually(async () => (await doors.executeTakeFirst())?.state === 'open')
})

test('a door opens through the adapter of its pick up point', async () => {
  const { lockerUid } = await openAt('shared')
  const response = await fetch(`${simulators.get('shared')?.address}/control/doors/${lockerUid}`)
  expect(await response.json()).toMatchObject({ openings: [expect.any(String)] })
})

test('a door without an adapter does not open', async () => {
  expect((await openAt('lastResort')).error).toBe('UnlockFailed')
})

test('without an adapter the path does not exist', async () => {
  const bare = await startSite()
  const { status, body } = await bare.world.service.send('/hardware/events', signed(JSON.stringify(eventOf())))
  expect({ status, error: body.error }).toEqual({ status: 404, error: 'UnknownOperation' })
})
