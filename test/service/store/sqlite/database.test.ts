import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openStore, type Store } from '../../../../service/store/index.ts'
import { toPath } from '../../../../service/store/sqlite/open.ts'
import { temporaryFile } from '../../../support/service/temporaryStore.ts'

const point = { pup_uid: 'p', name: 'Square', time_zone: 'UTC' }
const size = { width: 1, height: 1, length: 1, side_min: 1, side_mid: 1, side_max: 1, volume: 1 }
const locker = { locker_uid: 'l', pup_uid: 'p', name: '1', position: 1, booked: 0 as const, ...size }

/** Opens a store with a locker. Returns a function that changes its tables, as a newer version does beside this process. */
async function openBeside(): Promise<{ readonly store: Store; readonly migrate: (sql: string) => void }> {
  const url = temporaryFile()
  const store = await openStore(url)
  onTestFinished(() => store.destroy())
  await store.insertInto('pick_up_points').values(point).execute()
  await store.insertInto('lockers').values(locker).execute()
  const other = new DatabaseSync(toPath(url))
  onTestFinished(() => other.close())
  return { store, migrate: sql => other.exec(sql) }
}

const readLockers = (store: Store) =>
  store
    .selectFrom('lockers')
    .innerJoin('pick_up_points', 'pick_up_points.pup_uid', 'lockers.pup_uid')
    .selectAll('lockers')
    .select(['pick_up_points.name as point', 'pick_up_points.time_zone'])

test('the rows of a statement keep their names when a newer version adds a column beside this process', async () => {
  const { store, migrate } = await openBeside()
  const named = { ...locker, point: 'Square', time_zone: 'UTC' }
  expect(await readLockers(store).executeTakeFirst()).toMatchObject(named)
  migrate("alter table lockers add column added text not null default 'new'")
  expect(await readLockers(store).executeTakeFirst()).toMatchObject({ ...named, added: 'new' })
  for await (const row of readLockers(store).stream()) expect(row).toMatchObject(named)
})

test('a change returns its row with the names of its columns when a newer version has added one', async () => {
  const { store, migrate } = await openBeside()
  const rename = (name: string) =>
    store.updateTable('lockers').set({ name }).returningAll().returning('locker_uid as of').executeTakeFirst()
  expect(await rename('2')).toMatchObject({ name: '2', of: 'l' })
  migrate('alter table lockers add column added text')
  expect(await rename('3')).toMatchObject({ name: '3', of: 'l', added: null })
})
