import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../../../../service/store/index.ts'
import { migrations } from '../../../../service/store/migrations/index.ts'
import { childEnvironment } from '../../../support/childEnvironment.ts'
import { startServices } from '../../../support/servers/serviceProcesses.ts'
import { newDatabase, newMigratedDatabase } from '../../../support/service/postgresDatabase.ts'

const migrationNames = Object.keys(migrations)

test('ten services that start together on an empty database create its tables once, and all are ready', async () => {
  const databaseUrl = await newDatabase()
  const services = await startServices(10, databaseUrl)
  const ready = await Promise.all(services.map(service => service.send('/health/ready')))
  expect(ready.map(({ status }) => status)).toEqual(services.map(() => 200))
  const client = await connect(databaseUrl)
  expect(await readApplied(client)).toEqual(migrationNames)
  const clients = await client.query('select client_id from clients order by client_id')
  expect(clients.rows.map(({ client_id }) => client_id)).toEqual(['acme', 'globex'])
  // One key signs for all of them.
  expect((await client.query('select kid from signing_keys')).rows).toHaveLength(1)
})

test('time limits of the role do not end the wait for the migrations of another process, and its isolation level fails no statement', async () => {
  const databaseUrl = await newDatabase()
  const name = new URL(databaseUrl).pathname.slice(1)
  // Connected before the limits, which apply to later sessions.
  const other = await connect(databaseUrl)
  // In a transaction, a session sees the others as they were at its first look.
  const observer = await connect(databaseUrl)
  for (const limit of ["statement_timeout = '100ms'", "lock_timeout = '100ms'"])
    await other.query(`alter database ${name} set ${limit}`)
  await other.query(`alter database ${name} set default_transaction_isolation = 'serializable'`)
  await other.query('select pg_advisory_lock(7316021)')
  const opening = openStore(databaseUrl)
  await Promise.race([
    opening.then(() => undefined),
    vi.waitFor(async () => expect(await countWaits(observer, 'advisory', '300ms')).toBe(1)),
  ])
  await other.query('select pg_advisory_unlock(7316021)')
  const store = await opening
  onTestFinished(() => store.destroy())
  await store.insertInto('revisions').values({ name: 'auth', revision: 1 }).execute()
  await other.query("begin; update revisions set revision = 2 where name = 'auth'")
  const [update] = await Promise.allSettled([
    store.updateTable('revisions').set({ revision: 3 }).where('name', '=', 'auth').execute(),
    vi
      .waitFor(async () => expect(await countWaits(observer, 'transactionid')).toBe(1))
      .then(() => other.query('commit')),
  ])
  expect(update.status).toBe('fulfilled')
})

test('a migration that fails halfway leaves nothing behind', async () => {
  const databaseUrl = await newMigratedDatabase()
  const client = await connect(databaseUrl)
  await client.query('drop table shipment_objects')
  await client.query("delete from kysely_migration where name >= '0003'")
  // 0003 makes shipment_objects first, and then a table that is there already.
  await expect(openStore(databaseUrl)).rejects.toThrow('"sandbox_faults" already exists')
  const made = await client.query("select to_regclass('shipment_objects') as made")
  expect(made.rows).toEqual([{ made: null }])
  expect(await readApplied(client)).toEqual(migrationNames.filter(name => name < '0003'))
})

test('a migration that fails keeps those before it, and the next start goes on with it', async () => {
  const { databaseUrl, client } = await startEarlier()
  // 0008 reads it.
  await client.query('alter table suggestion_words rename to hidden')
  await expect(openStore(databaseUrl)).rejects.toThrow('relation "suggestion_words" does not exist')
  expect(await readApplied(client)).toEqual(migrationNames.filter(name => name < '0008'))
  await client.query('select sender_derived from shipments')

  await client.query('alter table hidden rename to suggestion_words')
  await (await openStore(databaseUrl)).destroy()
  expect(await readApplied(client)).toEqual(migrationNames)
})

test('a migration that has ended keeps no lock while the next one runs, and another process goes on after a kill', async () => {
  const { databaseUrl, client } = await startEarlier()
  await client.query('begin')
  await client.query('lock table accounts in access exclusive mode')
  const killed = startProcess(databaseUrl)
  const other = await connect(databaseUrl)
  const ofDatabase = 'database = (select oid from pg_database where datname = current_database())'
  const waiting = `select pid from pg_locks where relation = 'accounts'::regclass and not granted and ${ofDatabase}`
  const pid = await vi.waitFor(async () => {
    const { rows } = await other.query(waiting)
    expect(rows).toHaveLength(1)
    return rows[0].pid
  })
  // 0007 changed it.
  const locks = `select mode from pg_locks where relation = 'shipments'::regclass and pid = ${pid}`
  expect((await other.query(locks)).rows).toEqual([])
  expect(await readApplied(other)).toEqual(migrationNames.filter(name => name < '0008'))

  const next = startProcess(databaseUrl)
  const ready = once(createInterface(next.stdout), 'line')
  await vi.waitFor(async () => expect(await countWaits(other, 'advisory')).toBe(1))
  const ended = [killed, next].map(child => once(child, 'exit'))
  killed.kill('SIGKILL')
  await ended[0]
  await client.query('commit')
  expect(await ready).toEqual([expect.stringMatching(/^service ready: http/)])
  expect(await readApplied(client)).toEqual(migrationNames)
  next.kill('SIGTERM')
  expect(await ended[1]).toEqual([0, null])
})

test('a store of a version with another function of batches gets that of this version beside it', async () => {
  const databaseUrl = await newMigratedDatabase()
  const client = await connect(databaseUrl)
  const read = async () => {
    const { rows } = await client.query(
      "select proname from pg_proc where proname like 'create_shipments_%' order by 1",
    )
    return rows.map(({ proname }) => proname)
  }
  const [name] = await read()
  await client.query(`alter function ${name} rename to create_shipments_earlier`)
  await (await openStore(databaseUrl)).destroy()
  expect(await read()).toEqual([name, 'create_shipments_earlier'].toSorted())
})

/** A database of a version whose last migration was 0006. */
async function startEarlier() {
  const databaseUrl = await newMigratedDatabase()
  const client = await connect(databaseUrl)
  await client.query('alter table shipments drop column sender_derived')
  await client.query("delete from kysely_migration where name >= '0007'")
  return { databaseUrl, client }
}

async function connect(databaseUrl: string): Promise<Client> {
  const client = new Client(databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function readApplied(client: Client): Promise<string[]> {
  const { rows } = await client.query('select name from kysely_migration order by name')
  return rows.map(({ name }) => name)
}

/** Sessions of the client's database that have waited for such a lock for a time. */
async function countWaits(client: Client, lock: 'advisory' | 'transactionid', time = '0'): Promise<number | null> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity
    where datname = current_database() and wait_event = '${lock}' and now() - query_start > interval '${time}'`,
  )
  return rowCount
}

function startProcess(databaseUrl: string) {
  const env = { ...childEnvironment, LOCKERFLOW_DATABASE_URL: databaseUrl, LOCKERFLOW_SERVICE_PORT: '0' }
  const child = spawn(process.execPath, ['service/main.ts'], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
