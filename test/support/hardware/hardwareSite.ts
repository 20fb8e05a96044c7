import { type HardwareAdapter, listDoors, type Settings, type Topology } from '#service'
import type { LockerDoorRow } from '../../../service/store/tables.ts'
import { startWire, type Wire } from '../../../testing/stack/wire.ts'
import { eventually } from '../eventually.ts'
import { openSite, type Site } from '../service/site.ts'
import { medium, topology } from '../service/topology.ts'
import { hardwareKey, signed } from './messages.ts'
import type { Behaviour, DoorStatus } from './simulator/doors.ts'
import { type Simulator, startSimulator } from './simulator/simulator.ts'

export interface HardwareSite extends Site {
  readonly simulator: Simulator
  readonly toAdapter: Wire
  readonly toService: Wire
  /** The uid of the locker of a shipment. */
  lockerOf(letter: string): Promise<string>
  door(lockerUid: string): Promise<DoorStatus>
  behave(lockerUid: string, behaviour: Behaviour, delayMs?: number): Promise<void>
  happen(lockerUid: string, event: string): Promise<void>
  /** The recorded state of a door, once it fulfils a condition. */
  recorded(lockerUid: string, holds?: (row: LockerDoorRow) => boolean): Promise<LockerDoorRow>
  /** The log lines of a text about a locker. */
  lines(text: string, lockerUid: string): readonly Record<string, unknown>[]
}

/** The usual pick up points, with a locker for each test at the shared one. */
const manyLockers: Topology = {
  ...topology,
  pickUpPoints: topology.pickUpPoints.map(point =>
    point.pupUid === 'shared' ? { ...point, lockers: [{ names: '1-99', ...medium }] } : point,
  ),
}

/** A site whose doors are those of a simulator, over HTTP, with a wire in each direction. The caller stops it. */
export async function openHardwareSite(overrides: Partial<Settings> = {}): Promise<HardwareSite> {
  const keys = [hardwareKey]
  const toService = await startWire(() => running.service)
  const toAdapter = await startWire(
    () => running.simulator,
    (headers, body) => signed(body, { keys, id: String(headers['webhook-id']) }).headers,
  )
  const running = { service: '', simulator: '' }
  const adapter: HardwareAdapter = { name: undefined, url: toAdapter.address, keys, pickUpPoints: undefined }
  const site = await openSite({ hardwareAdapters: [adapter], topology: manyLockers, ...overrides })
  running.service = site.world.service.address
  const simulator = await startSimulator({
    host: '127.0.0.1',
    port: 0,
    keys,
    eventsUrl: () => `${toService.address}/hardware/events`,
    closeAfter: 0,
    doors: listDoors(site.world.service.settings.topology),
  })
  running.simulator = simulator.address

  async function control(method: string, path: string, body?: object): Promise<DoorStatus> {
    const response = await fetch(`${simulator.address}/control/doors/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as DoorStatus
  }

  return {
    ...site,
    simulator,
    toAdapter,
    toService,
    lockerOf: async letter => (await site.read(letter)).lockerUid ?? '',
    door: lockerUid => control('GET', lockerUid),
    behave: async (lockerUid, behaviour, delayMs = 0) => void (await control('PUT', lockerUid, { behaviour, delayMs })),
    happen: async (lockerUid, event) => void (await control('POST', `${lockerUid}/events`, { event })),
    recorded: (lockerUid, holds = () => true) =>
      eventually(async () => {
        const { store } = site.world.service
        const row = await store
          .selectFrom('locker_doors')
          .selectAll()
          .where('locker_uid', '=', lockerUid)
          .executeTakeFirst()
        return row !== undefined && holds(row) ? row : undefined
      }),
    lines: (text, lockerUid) =>
      site.world.service.lines.filter(line => line.msg === text && line.lockerUid === lockerUid),
    async stop() {
      await simulator.stop()
      await site.stop()
      await Promise.all([toService.stop(), toAdapter.stop()])
    },
  }
}
