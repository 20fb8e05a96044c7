import { expect, onTestFinished, test, vi } from 'vitest'
import type { Topology, TopologyChange } from '#service'
import { applyTopology, createTopologyRegistry } from '../../../service/topology/index.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { startTestService, type TestService } from '../../support/service/testService.ts'
import { booking, tenant, topology } from '../../support/service/topology.ts'

const lastResort = topology.pickUpPoints.find(({ pupUid }) => pupUid === 'lastResort')
const shared = topology.pickUpPoints.find(({ pupUid }) => pupUid === 'shared')
const reserve = topology.pickUpPoints.find(({ pupUid }) => pupUid === 'reserve')
if (!lastResort || !shared || !reserve) throw new Error('the topology of the tests has changed')

/** The topology of the tests without some pick up points, and with others in their place. */
function without(pupUids: readonly string[], ...changed: Topology['pickUpPoints']): Topology {
  const gone = new Set([...pupUids, ...changed.map(({ pupUid }) => pupUid)])
  return { ...topology, pickUpPoints: [...topology.pickUpPoints.filter(({ pupUid }) => !gone.has(pupUid)), ...changed] }
}

const text = ({ change, entry, id, detail }: TopologyChange) =>
  [change, entry, id, ...(detail ? [detail] : [])].join(' ')

/** Milliseconds between the rounds that remove retired entries. */
const purgeInterval = 100

async function start(databaseUrl?: string, settings = {}) {
  const url = databaseUrl ?? (await temporaryStore())
  const service = await startTestService({ topology, databaseUrl: url, tokenLifetime: 86_400, ...settings })
  onTestFinished(() => service.stop())
  const registry = createTopologyRegistry(service.store, Date.now)
  const rows = async () => ({
    points: await service.store.selectFrom('pick_up_points').selectAll().orderBy('pup_uid').execute(),
    lockers: await service.store.selectFrom('lockers').selectAll().orderBy('locker_uid').execute(),
    access: await service.store.selectFrom('pick_up_point_tenants').selectAll().orderBy('pup_uid').execute(),
    removals: await service.store.selectFrom('removals').selectAll().execute(),
  })
  return { service, registry, rows, url }
}

async function book(service: TestService, fields: object, client = 'acme'): Promise<string> {
  const { body } = await service.call('CreateLocalShipmentAsStock', { ...booking, ...fields }, { client })
  const [uid = ''] = (body.shipmentUids ?? []) as string[]
  return uid || String(body.error)
}

test('a preview shows what apply then does, and does nothing', async () => {
  const { service, registry, rows } = await start()
  await book(service, { PupUid: 'lastResort', LockerUid: 'lastResort:7' })
  // Attempts at a locker refer to it, too.
  const wrong = { pupUid: 'lastResort', lockerName: '6', pinCode: 'wrong' }
  expect((await service.call('SimulateLockerAccess', wrong)).body).toMatchObject({ error: 'InvalidAccessCode' })
  const shorter = { ...lastResort, name: 'Attic', lockers: [{ names: '1-5', width: 50, height: 40, length: 40 }] }
  const next = without([], shorter)
  const before = await rows()
  const preview = await registry.preview(next, { retire: true })
  expect(await rows()).toEqual(before)
  expect(preview.map(text).filter(line => !line.startsWith('changed locker'))).toEqual([
    'changed pickUpPoint lastResort name',
    'retired locker lastResort:7',
    'removed locker lastResort:6',
    'removed locker lastResort:8',
    'removed locker lastResort:9',
    'refused locker lastResort:7 shipments: 1, active: 1',
  ])
  expect(preview.map(text)).toContain('changed locker lastResort:1 width')
  expect(await registry.apply(next, { retire: true })).toEqual(preview)
  expect((await registry.apply(next, { retire: true })).map(text)).toEqual([
    'refused locker lastResort:7 shipments: 1, active: 1',
  ])
})

test('without retiring, apply adds and changes, and names what it keeps', async () => {
  const { registry } = await start()
  const next = without(['shelves'], { ...lastResort, lockers: [{ names: '8-10', width: 40, height: 40, length: 40 }] })
  const lines = (await registry.apply(next, { retire: false })).map(text)
  expect(lines.filter(line => !line.startsWith('kept'))).toEqual(['added locker lastResort:10'])
  expect(lines).toContain('kept pickUpPoint shelves')
  expect(lines).toContain('kept access shelves acme')
  expect(lines).toContain('kept locker lastResort:7')
})

test('the size of a retired locker no longer counts as the smallest that fits', async () => {
  const { service, registry } = await start()
  await book(service, { PupUid: 'reserve', LockerUid: 'reserve:R1' })
  const next = without([], { ...reserve, lockers: reserve.lockers.filter(({ names }) => names !== 'R1') })
  const lines = (await registry.apply(next, { retire: true })).map(text)
  expect(lines).toContain('retired locker reserve:R1')
  const uid = await book(service, { PupUid: 'reserve', AllowLargerLockers: false })
  const { body } = await service.call('GetShipments', { shipmentUid: uid })
  expect(body.items).toMatchObject([{ lockerName: 'R2' }])
})

test('a retired locker, and a retired pick up point, that return take bookings again', async () => {
  const { service, registry } = await start()
  const places = ['reserve:R1', 'shelves:cube'].map(LockerUid => ({ PupUid: LockerUid.split(':')[0], LockerUid }))
  const uids = await Promise.all(places.map(place => book(service, place)))
  const next = without(['shelves'], { ...reserve, lockers: reserve.lockers.filter(({ names }) => names !== 'R1') })
  await registry.apply(next, { retire: true })
  for (const shipmentUid of uids)
    expect((await service.call('CancelShipment', { shipmentUid })).body).toMatchObject({ success: true })
  const lines = (await registry.apply(topology, { retire: true })).map(text)
  for (const entry of ['locker reserve:R1', 'pickUpPoint shelves', 'locker shelves:cube'])
    expect(lines).toContain(`revived ${entry}`)
  for (const place of places) expect(await book(service, place)).toMatch(/-/)
})

test('a retired locker takes no bookings, its shipment goes on, and it is removed once no shipment names it', async () => {
  const { service, registry, url } = await start()
  const uid = await book(service, { PupUid: 'lastResort', LockerUid: 'lastResort:7' })
  const next = without([], { ...lastResort, lockers: [{ names: '1-5', width: 40, height: 40, length: 40 }] })
  await registry.apply(next, { retire: true })
  expect(await book(service, { PupUid: 'lastResort', LockerUid: 'lastResort:7' })).toBe('InvalidLocker')
  const swap = { ...booking, PupUid: 'lastResort', FromUserUid: null, ToUserUid: null, SwapsShipmentUid: uid }
  const { body } = await service.call('CreateLocalShipment', { ...swap, IsReceiverDelayed: true })
  expect(body).toMatchObject({ error: 'LockerOutOfService' })
  // It works, unlike one that is out of service.
  expect((await service.call('UnlockShipmentLocker', { shipmentUid: uid, unlockGoal: 'DropOff' })).body).toMatchObject({
    success: true,
  })
  const { body: listed } = await service.call('GetShipments', { shipmentUid: uid })
  expect(listed.items).toMatchObject([{ stateCode: 'WaitForReceiver', lockerName: '7', outOfService: null }])
  const { body: points } = await service.call('GetPickUpPoints', { pupUid: 'lastResort', includeDetails: true })
  expect(points.items).toMatchObject([{ lockers: [{ total: 5, free: 5 }] }])

  await service.store.deleteFrom('outbox').execute()
  await service.store.deleteFrom('shipments').execute()
  await service.store.deleteFrom('access_codes').execute()
  await service.stop()
  // Services remove it, and their old file does not bring it back.
  const again = await start(url, { purgeInterval })
  await vi.waitFor(
    async () => expect((await again.rows()).lockers.filter(({ pup_uid }) => pup_uid === 'lastResort')).toHaveLength(5),
    { timeout: 10_000, interval: 50 },
  )
  expect(again.service.lines).toContainEqual(
    expect.objectContaining({ logId: 'topology-entries-ignored', pupUids: ['lastResort'] }),
  )
  // The command does.
  const lines = (await again.registry.apply(topology, { retire: true })).map(text)
  expect(lines).toEqual([6, 7, 8, 9].map(name => `added locker lastResort:${name}`))
  expect(await book(again.service, { PupUid: 'lastResort', LockerUid: 'lastResort:7' })).toMatch(/-/)
  expect((await rowsOf(again.service)).filter(({ kind }) => kind === 'locker')).toEqual([])
})

const rowsOf = (service: TestService) => service.store.selectFrom('removals').selectAll().execute()

test('a pick up point that leaves takes no bookings, and is removed after its shipments and accounts', async () => {
  const { service, registry } = await start()
  const person = { firstName: 'Ada', lastName: 'User', emailAddress: 'ada@home.example', pickUpPointUid: 'lastResort' }
  const { body: account } = await service.call('CreateAccount', person)
  const uid = await book(service, { PupUid: 'lastResort' })
  const next = without(
    ['lastResort'],
    ...topology.pickUpPoints
      .filter(({ pupUid }) => pupUid === 'reserve')
      .map(({ overflowPupUid: _, ...point }) => point),
  )
  const lines = (await registry.apply(next, { retire: true })).map(text)
  expect(lines).toContain('retired pickUpPoint lastResort')
  expect(lines).toContain('retired access lastResort acme')
  expect(lines).toContain('refused pickUpPoint lastResort shipments: 1, active: 1')
  expect(lines).toContain('refused access lastResort acme active shipments: 1')
  expect(lines.filter(line => line.startsWith('removed locker lastResort'))).toHaveLength(8)

  expect(await book(service, { PupUid: 'lastResort' })).toBe('InvalidPupUid')
  const other = { ...person, emailAddress: 'ben@home.example' }
  expect((await service.call('CreateAccount', other)).body).toMatchObject({ error: 'InvalidPupUid' })
  const { body: points } = await service.call('GetPickUpPoints', { pupUid: 'lastResort' })
  expect(points.items).toEqual([])
  const { body: code } = await service.call('GetShipmentAccessCode', { shipmentUid: uid })
  const door = { pupUid: 'lastResort', lockerName: '1', pinCode: code.deliveryCode }
  expect((await service.call('SimulateLockerAccess', door)).body).toMatchObject({ success: true })
  expect((await service.call('CancelShipment', { shipmentUid: uid })).body).toMatchObject({ success: true })
  const ended = (await registry.apply(next, { retire: true })).map(text)
  expect(ended).toContain('refused pickUpPoint lastResort shipments: 1, active: 0')
  expect(ended).toContain('refused access lastResort acme accounts with this main pick up point: 1')

  await service.store.deleteFrom('outbox').execute()
  await service.store.deleteFrom('shipments').execute()
  const moved = { userUid: account.userUid, pickUpPointUid: 'square' }
  expect((await service.call('SetAccountPickUpPoint', moved)).body).toMatchObject({ success: true })
  const gone = (await registry.apply(next, { retire: true })).map(text)
  expect(gone.toSorted()).toEqual([
    'removed access lastResort acme',
    expect.stringMatching(/^removed locker lastResort:\d$/),
    'removed pickUpPoint lastResort',
  ])
})

test('the access of a tenant ends with its last active shipment; the other tenant stays', async () => {
  const { service, registry } = await start()
  const uid = await book(service, { PupUid: 'shared' }, 'globex')
  const next = without([], { ...shared, tenants: ['acme'] })
  const lines = (await registry.apply(next, { retire: true })).map(text)
  expect(lines).toEqual(['retired access shared globex', 'refused access shared globex active shipments: 1'])
  expect(await book(service, { PupUid: 'shared' }, 'globex')).toBe('InvalidPupUid')
  expect(await book(service, { PupUid: 'shared' })).toMatch(/-/)
  const asGlobex = { client: 'globex' }
  const { body: points } = await service.call('GetPickUpPoints', {}, asGlobex)
  expect(points).toMatchObject({ items: [{ pupUid: 'harbour' }], totalItems: 1, totalPages: 1 })
  expect((await service.call('GetShipments', { shipmentUid: uid }, asGlobex)).body).toMatchObject({ totalItems: 1 })
  const swap = { ...booking, PupUid: 'shared', SwapsShipmentUid: uid, IsReceiverDelayed: true }
  expect((await service.call('CreateLocalShipment', swap, asGlobex)).body).toMatchObject({
    error: 'LockerOutOfService',
  })
  expect((await service.call('CancelShipment', { shipmentUid: uid }, asGlobex)).body).toMatchObject({ success: true })
  expect((await registry.apply(next, { retire: true })).map(text)).toEqual(['removed access shared globex'])
  expect((await registry.apply(topology, { retire: true })).map(text)).toEqual(['added access shared globex'])
  expect(await book(service, { PupUid: 'shared' }, 'globex')).toMatch(/-/)
})

test('a topology that contradicts the store is refused, and changes nothing', async () => {
  const { registry, rows } = await start()
  const before = await rows()
  const other = { names: '1', lockerUid: 'other', width: 40, height: 40, length: 40 }
  const next = without([], { ...lastResort, lockers: [other] })
  for (const act of ['preview', 'apply'] as const) {
    await expect(registry[act](next, { retire: true })).rejects.toThrow('locker 1 of lastResort must not be other')
  }
  expect(await rows()).toEqual(before)
})

test('the account of a tenant that a file declares later gets a pick up point that was not removed', async () => {
  const { service, registry } = await start()
  await registry.apply(without(['shelves']), { retire: true })
  const newcomer = tenant('newcomer')
  const points = topology.pickUpPoints.map(point =>
    ['shelves', 'shared'].includes(point.pupUid) ? { ...point, tenants: [...point.tenants, 'newcomer'] } : point,
  )
  const next = { tenants: [...topology.tenants, newcomer], pickUpPoints: points.toReversed() }
  await applyTopology(service.store, next, Date.now())
  const account = service.store.selectFrom('accounts').select('main_pup_uid').where('user_name', '=', 'newcomer')
  expect(await account.execute()).toEqual([{ main_pup_uid: 'shared' }])
})
