import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readCallbacks, readLockers } from '../../../service/metrics/gauges.ts'
import { createLockerRegistry } from '../../../service/outOfService/index.ts'
import { hasRowLocks } from '../../../service/store/locks.ts'
import { createTopologyRegistry } from '../../../service/topology/index.ts'
import { fillOutbox } from '../../support/service/callbacks.ts'
import { explainPostgres, explainSqlite, recordStatements } from '../../support/service/queryPlans.ts'
import { startTestService, type TestService } from '../../support/service/testService.ts'
import { topology } from '../../support/service/topology.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const booking = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 10, height: 10, length: 10 },
}

test('lockers are counted by pick up point', async () => {
  const before = await readLockers(service.store)
  await service.call('CreateLocalShipmentAsStock', booking)
  const after = await readLockers(service.store)
  const freeAt = (points: typeof before) => points.find(({ pupUid }) => pupUid === 'pup-1')?.free ?? Number.NaN
  expect(freeAt(after)).toBe(freeAt(before) - 1)
  expect(after.map(({ pupUid, all }) => ({ pupUid, all }))).toEqual(before.map(({ pupUid, all }) => ({ pupUid, all })))
})

describe('no locker is free', () => {
  let world: TestService
  beforeAll(async () => {
    world = await startTestService({ topology })
  })
  afterAll(() => world.stop())

  /** The numbers of a pick up point as the metrics and as GetPickUpPoints have them. */
  async function numbersOf(pupUid: string) {
    const measured = await readLockers(world.store)
    const { body } = await world.call('GetPickUpPoints', { pupUid, includeDetails: true })
    const { items } = body as unknown as { items: { lockers: { free: number; total: number }[] }[] }
    const shown = { pupUid, free: 0, all: 0 }
    for (const { free, total } of items[0]?.lockers ?? []) {
      shown.free += free
      shown.all += total
    }
    return { measured: measured.find(point => point.pupUid === pupUid), shown }
  }

  test('at a closed pick up point, and again when it opens', async () => {
    const lockers = createLockerRegistry(world.store, Date.now)
    const open = await numbersOf('lastResort')
    expect(open.measured?.free).toBeGreaterThan(0)
    expect(open.measured).toEqual(open.shown)
    await lockers.takeOutOfService({ pupUid: 'lastResort' }, 'flooded')
    const closed = await numbersOf('lastResort')
    expect(closed.measured).toEqual({ pupUid: 'lastResort', free: 0, all: open.measured?.all })
    expect(closed.measured).toEqual(closed.shown)
    await lockers.returnToService({ pupUid: 'lastResort' })
    expect(await numbersOf('lastResort')).toEqual(open)
  })

  test('that is retired, booked or not', async () => {
    const before = await numbersOf('lastResort')
    await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'lastResort', LockerUid: 'lastResort:7' })
    const pickUpPoints = topology.pickUpPoints.map(point =>
      point.pupUid === 'lastResort'
        ? { ...point, lockers: [{ names: '1-5', width: 40, height: 40, length: 40 }] }
        : point,
    )
    await createTopologyRegistry(world.store, Date.now).apply({ ...topology, pickUpPoints }, { retire: true })
    const after = await numbersOf('lastResort')
    expect(after.measured).toEqual({ pupUid: 'lastResort', free: 5, all: 5 })
    expect(after.measured).toEqual(after.shown)
    expect(after.measured?.all).toBeLessThan(before.measured?.all ?? 0)
  })
})

test('pick up points beyond the bound are added up', async () => {
  const all = await readLockers(service.store)
  const [first, ...rest] = all
  expect(rest.length).toBeGreaterThan(0)
  const bounded = await readLockers(service.store, 1)
  expect(bounded).toEqual([
    first,
    {
      pupUid: 'others',
      free: rest.reduce((sum, { free }) => sum + free, 0),
      all: rest.reduce((sum, point) => sum + point.all, 0),
    },
  ])
})

/** Switches the tenants off, or on again. */
async function setDisabled(disabled_at: number | null): Promise<void> {
  await service.store.updateTable('tenants').set({ disabled_at }).execute()
}

test('the search for the oldest callback reads none of a tenant that is disabled', async () => {
  const world = await startTestService({ topology, delivery: { maximumInFlight: 0 } })
  const { store } = world
  await fillOutbox(store, { tenantId: 'globex', shipments: 2_000 })
  await store.updateTable('tenants').set({ disabled_at: 1 }).where('tenant_id', '=', 'globex').execute()
  await fillOutbox(store, { tenantId: 'acme', shipments: 2 })
  if (hasRowLocks(store)) await sql`analyze`.execute(store)
  const statements = await recordStatements(store, tx => readCallbacks(tx))
  const [search] = statements.filter(query => query.sql.includes('created_at'))
  if (search === undefined) throw new Error('no search')
  if (hasRowLocks(store)) {
    const read = (await explainPostgres(store, search)).map(({ rows }) => rows)
    expect(Math.max(...read)).toBeLessThan(50)
  } else {
    const scans = (await explainSqlite(store, search)).filter(detail => detail.includes('SCAN outbox'))
    expect(scans).toEqual([])
  }
  await world.stop()
})

test('undelivered callbacks are counted, and those that were given up apart', async () => {
  expect(await readCallbacks(service.store)).toEqual({ pending: 0, givenUp: 0, oldestMs: 0 })
  // No process delivers to a closed port.
  await service.call('ConfigureCallback', { url: 'http://127.0.0.1:9/', authType: 'None' })
  await service.call('CreateLocalShipmentAsStock', booking)
  const now = Date.now() + 60_000
  const { pending, givenUp, oldestMs } = await readCallbacks(service.store, now)
  expect({ pending, givenUp }).toEqual({ pending: 1, givenUp: 0 })
  expect(oldestMs).toBeGreaterThan(30_000)
  await setDisabled(now)
  expect(await readCallbacks(service.store, now)).toEqual({ pending: 1, givenUp: 0, oldestMs: 0 })
  await setDisabled(null)
  expect(await readCallbacks(service.store, now)).toMatchObject({ oldestMs })
  // An attempt that ends now sets the next one, which revives the message.
  await vi.waitFor(async () => {
    await service.store.updateTable('outbox').set({ dead_since: 1 }).execute()
    expect(await readCallbacks(service.store, now)).toEqual({ pending: 0, givenUp: 1, oldestMs: 0 })
  })
})
