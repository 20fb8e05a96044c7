import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openTable, type RunStatement } from '../../../platform/codec/personal/table.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'

const isPostgres = inject('postgres') !== undefined
const toPath = (url: string) => url.slice('file:'.length)

/** Locks the table against writers, as another process does. Returns a function that ends the lock. */
async function lockTable(url: string): Promise<() => Promise<void>> {
  if (isPostgres) {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query('begin; lock table personal_keys in exclusive mode')
    return () => client.end()
  }
  const database = new DatabaseSync(toPath(url))
  database.exec('begin immediate')
  return async () => database.close()
}

/** Returns a function that is true once the connections that the table has now are closed. */
async function watchConnections(all: RunStatement, url: string): Promise<(later: RunStatement) => Promise<boolean>> {
  if (isPostgres) {
    const [row] = await all('select pg_backend_pid() as pid')
    const find = 'select pid from pg_stat_activity where pid = ?::integer'
    return async later => (await later(find, row?.pid ?? null)).length === 0
  }
  // SQLite removes the file when the last connection of the database is closed.
  await all('pragma journal_mode = wal')
  await all('create table written (id integer)')
  return async () => !existsSync(`${toPath(url)}-wal`)
}

test('overlapping failures replace the store once, and the earlier one is closed after its last statement', async () => {
  const url = await temporaryStore()
  const [table, observer] = [openTable(url), openTable(url)]
  onTestFinished(() => observer.close())
  const areClosed = await watchConnections(table.all, url)
  const unlock = await lockTable(url)
  // Refused for its missing column, once the lock is free.
  const late = table.all("insert into personal_keys (key_id) values ('late')").catch((error: Error) => error.message)
  await expect(table.all('select nothing')).rejects.toThrow('LOCKERFLOW_PERSONAL_KEYS_URL')

  // A connection has temporary tables of its own.
  await table.all('create temporary table newer (id integer)')
  await unlock()
  expect(await late).toMatch(/null/i)
  expect(await table.all('select id from newer')).toEqual([])
  await table.close()
  // By itself a pool closes its connections after ten seconds.
  await expect.poll(() => areClosed(observer.all), { timeout: 9_000 }).toBe(true)
})

test('a store that could not be opened is opened again', async () => {
  const url = isPostgres ? 'postgres://keys@127.0.0.1:1/none' : 'file:/nowhere/at/all.db'
  const { all, close } = openTable(url)
  await expect(all('select 1')).rejects.toThrow('must name a store that can be reached')
  await expect(all('select 1')).rejects.toThrow('must name a store that can be reached')
  await close()
})
