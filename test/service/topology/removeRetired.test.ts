import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { inTransaction, type Store } from '../../../service/store/index.ts'
import { forNoKeyUpdate } from '../../../service/store/locks.ts'
import { removeRetired } from '../../../service/topology/index.ts'
import { stock } from '../../support/service/callbacks.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

async function start(): Promise<{ world: ServiceWorld; store: Store }> {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  return { world, store: world.service.store }
}

/** Adds a retired pick up point with lockers. */
async function insertRetired(store: Store, pupUid: string, lockers: number): Promise<void> {
  await sql`insert into pick_up_points (pup_uid, name, time_zone, retired_at)
    values (${pupUid}, ${pupUid}, 'UTC', 1)`.execute(store)
  await sql`insert into pick_up_point_tenants (pup_uid, tenant_id, retired_at)
    values (${pupUid}, 'acme', 1)`.execute(store)
  await sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(lockers)})
    insert into lockers (locker_uid, pup_uid, name, position, width, height, length, side_min, side_mid, side_max,
      volume, booked, retired_at)
    select ${`${pupUid}:`} || n, ${pupUid}, cast(n as text), n, 1, 1, 1, 1, 1, 1, 1, 0, 1 from numbers`.execute(store)
}

/** Moves a shipment to a locker. */
async function move(store: Store, shipmentUid: string, pupUid: string): Promise<void> {
  await store
    .updateTable('shipments')
    .set({ pup_uid: pupUid, locker_uid: `${pupUid}:1` })
    .where('shipment_uid', '=', shipmentUid)
    .execute()
}

const remove = (store: Store, stopping = new AbortController().signal) => removeRetired(store, 2, stopping)

async function countLockers(store: Store, pupUid: string): Promise<number> {
  return (await store.selectFrom('lockers').select('locker_uid').where('pup_uid', '=', pupUid).execute()).length
}

test('more retired entries than a transaction removes are removed in one round', async () => {
  const { store } = await start()
  await insertRetired(store, 'old', 250)
  await remove(store)
  expect(await countLockers(store, 'old')).toBe(0)
  const rows = await store.selectFrom('removals').select(['kind', 'id']).where('kind', '<>', 'locker').execute()
  expect(rows).toEqual([
    { kind: 'access', id: expect.stringContaining('old') },
    { kind: 'pickUpPoint', id: 'old' },
  ])
})

test('entries with shipments or accounts stay', async () => {
  const { world, store } = await start()
  await insertRetired(store, 'used', 2)
  await insertRetired(store, 'home', 1)
  await move(store, await stock(world), 'used')
  const person = { firstName: 'Ada', lastName: 'User', emailAddress: 'ada@home.example', pickUpPointUid: 'square' }
  expect((await world.call('CreateAccount', person)).success).toBe(true)
  await store.updateTable('accounts').set({ main_pup_uid: 'home' }).where('first_name', '=', 'Ada').execute()
  await remove(store)
  expect([await countLockers(store, 'used'), await countLockers(store, 'home')]).toEqual([1, 0])
  const access = store.selectFrom('pick_up_point_tenants').select('pup_uid').where('retired_at', 'is not', null)
  expect(await access.orderBy('pup_uid').execute()).toEqual([{ pup_uid: 'home' }, { pup_uid: 'used' }])
  const points = store.selectFrom('pick_up_points').select('pup_uid').where('retired_at', 'is not', null)
  expect(await points.orderBy('pup_uid').execute()).toEqual([{ pup_uid: 'home' }, { pup_uid: 'used' }])
})

test('a booking that has locked a retired locker with shipments does not delay the round', async () => {
  const { world, store } = await start()
  await insertRetired(store, 'used', 2)
  await move(store, await stock(world), 'used')
  await inTransaction(store, async tx => {
    const locker = tx.selectFrom('lockers').select('locker_uid').where('locker_uid', '=', 'used:1')
    await locker.modifyEnd(forNoKeyUpdate(tx)).execute()
    // The embedded store has one writer, so its round comes afterwards.
    if (world.service.settings.databaseUrl.startsWith('postgres')) await remove(store)
  })
  await remove(store)
  expect(await countLockers(store, 'used')).toBe(1)
})

test('a process that stops removes nothing', async () => {
  const { store } = await start()
  await insertRetired(store, 'old', 1)
  await remove(store, AbortSignal.abort())
  expect(await countLockers(store, 'old')).toBe(1)
})
