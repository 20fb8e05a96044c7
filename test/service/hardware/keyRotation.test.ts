import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { listDoors } from '#service'
import { startWire } from '../../../testing/stack/wire.ts'
import { eventually } from '../../support/eventually.ts'
import { type Simulator, startSimulator } from '../../support/hardware/simulator/simulator.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { startTestService, type TestService } from '../../support/service/testService.ts'
import { booking, topology } from '../../support/service/topology.ts'

const before = 'the-hardware-key-before-the-rotation'
const after = 'the-hardware-key-after-the-rotation'
const clients = 2
/** Doors that open between two steps. */
const between = 4
/** Milliseconds between two doors of a client, so that the load leaves the machine to other tests. */
const pace = 50

test('the hardware key changes under load: every door opens, and every event is accepted', {
  timeout: 300_000,
}, async () => {
  const databaseUrl = await temporaryStore()
  const services: TestService[] = []
  const adapters: Simulator[] = []
  const state = { stopped: false }
  const load: Promise<void>[] = []
  const opened: { error: unknown; lockerUid: string }[] = []
  // Proxies, which lead to the newest process.
  const toService = await startWire(() => services.at(-1)?.address ?? '')
  const toAdapter = await startWire(() => adapters.at(-1)?.address ?? '')
  onTestFinished(async () => {
    state.stopped = true
    await Promise.allSettled(load)
    for (const one of [...services, ...adapters, toService, toAdapter]) await one.stop()
  })

  async function startAdapter(key: string): Promise<void> {
    const doors = listDoors(topology)
    const eventsUrl = () => `${toService.address}/hardware/events/all`
    adapters.push(await startSimulator({ host: '127.0.0.1', port: 0, keys: [key], eventsUrl, closeAfter: 0, doors }))
  }
  /** The process before stops later: it has requests to end. */
  async function startWith(...keys: readonly string[]): Promise<void> {
    const adapter = { name: 'all', url: toAdapter.address, keys, pickUpPoints: undefined }
    const timeouts = { statementTimeout: 60_000, unlockTimeout: 20_000 }
    services.push(await startTestService({ databaseUrl, topology, hardwareAdapters: [adapter], ...timeouts }))
    await progress()
  }
  async function progress(): Promise<void> {
    const wanted = opened.length + between
    if (load.length > 0) await eventually(() => opened.length >= wanted, 120_000)
  }
  const call = async (name: Parameters<TestService['call']>[0], body: object) =>
    (await (services.at(-1) as TestService).call(name, body)).body

  async function openDoors(): Promise<void> {
    while (!state.stopped) {
      const { shipmentUids } = await call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' })
      const [shipmentUid = ''] = (shipmentUids ?? []) as string[]
      const { error } = await call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' })
      const { items } = await call('GetShipments', { shipmentUid })
      const [{ lockerUid = '' } = {}] = (items ?? []) as { lockerUid?: string }[]
      opened.push({ error, lockerUid })
      // Frees the locker for the next one.
      await call('CancelShipment', { shipmentUid })
      await pause(pace)
    }
  }

  await startAdapter(before)
  await startWith(before)
  load.push(...Array.from({ length: clients }, openDoors))
  await progress()
  await startWith(after, before)
  await startAdapter(after)
  await progress()
  // An event is signed when it is sent, so an adapter that was replaced sends its events while its key is known.
  const [{ address: replaced = '' } = {}] = adapters
  await eventually(async () => {
    const doors = (await (await fetch(`${replaced}/control/doors`)).json()) as { readonly pendingEvents: number }
    return doors.pendingEvents === 0
  })
  await startWith(after)
  state.stopped = true
  await Promise.all(load)

  expect(opened.filter(({ error }) => error !== null)).toEqual([])
  const lines = services.flatMap(service => service.lines)
  expect(lines.filter(({ logId }) => logId === 'hardware-event-rejected')).toEqual([])
  // The events of the new key arrive: the door of the last opening is known to be open.
  const { store } = services.at(-1) as TestService
  const last = opened.at(-1)?.lockerUid ?? ''
  const door = store.selectFrom('locker_doors').select('state').where('locker_uid', '=', last)
  await eventually(async () => (await door.executeTakeFirst())?.state === 'open')
})
