import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { nameStore, openExistingStore, openStore } from '../../../../service/store/index.ts'
import { migrations } from '../../../../service/store/migrations/index.ts'
import { childEnvironment } from '../../../support/childEnvironment.ts'
import { runCommandLine } from '../../../support/command/processLike.ts'
import { startOwnPostgres } from '../../../support/servers/serviceProcesses.ts'
import { startPostgres } from '../../../support/setup/postgresServer.ts'

test('ten processes that start together on an empty database create its tables once, and all are ready', async () => {
  const { databaseUrl } = await startOwnPostgres()
  const processes = Array.from({ length: 10 }, () => startProcess(databaseUrl))
  const ready = await Promise.all(processes.map(child => once(createInterface(child.stdout), 'line')))
  for (const [line] of ready) expect(line).toMatch(/^service ready: http/)
  const store = await openStore(databaseUrl)
  onTestFinished(() => store.destroy())
  const done = await store
    .selectFrom('kysely_migration' as never)
    .select('name' as never)
    .execute()
  expect(done).toHaveLength(Object.keys(migrations).length)
  const clients = await store.selectFrom('clients').select('client_id').execute()
  expect(clients.map(({ client_id }) => client_id).toSorted()).toEqual(['acme', 'globex'])
  // One key signs for all of them.
  expect(await store.selectFrom('signing_keys').select('kid').execute()).toHaveLength(1)
  const ended = processes.map(child => once(child, 'exit'))
  for (const child of processes) child.kill('SIGTERM')
  for (const [code] of await Promise.all(ended)) expect(code).toBe(0)
})

test('the database of another program is not a store for a command, and stays empty', async () => {
  const { databaseUrl } = await startOwnPostgres()
  await expect(openExistingStore(databaseUrl)).rejects.toThrow(
    /^LOCKERFLOW_DATABASE_URL: must be an existing store, but the database at \S+ has no tables of a service/,
  )
  const client = new Client(databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query("select table_name from information_schema.tables where table_schema = 'public'")
  expect(rows).toEqual([])
  // A command follows a service.
  await (await openStore(databaseUrl)).destroy()
  await (await openExistingStore(databaseUrl)).destroy()
})

test.each([
  [
    'is not there',
    'postgres://nobody:private-secret@127.0.0.1:1/lockerflow',
    /^service: LOCKERFLOW_DATABASE_URL: PostgreSQL at 127\.0\.0\.1:1: connect ECONNREFUSED/,
  ],
])('a server that %s fails the start with one message and no secret', async (_name, url, message) => {
  const child = startProcess(url)
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(output).toMatch(message)
  expect(output).not.toContain('private-secret')
  expect(output.trim().split('\n')).toHaveLength(1)
  // As that of the command `service`.
  expect(code).toBe(3)
})

test('a command says that a server without free connections is not reachable', async () => {
  const server = await startPostgres({ settings: ['max_connections=4', 'max_wal_senders=0'] })
  onTestFinished(() => server.remove())
  const databaseUrl = server.urlOf('postgres')
  const clients = Array.from({ length: 4 }, () => new Client(databaseUrl))
  onTestFinished(() => Promise.all(clients.map(client => client.end())).then(() => undefined))
  await Promise.all(clients.map(client => client.connect()))
  const { code, stderr } = await runCommandLine({ LOCKERFLOW_DATABASE_URL: databaseUrl }, ['clients', 'list'])
  expect(stderr).toMatch(
    /^clients list: LOCKERFLOW_DATABASE_URL: PostgreSQL at \S+: sorry, too many clients already\n.*\n {2}\(NotReachable\)\n$/,
  )
  expect(code).toBe(3)
})

test('time limits of the role do not end the wait for the migrations of another process, and its isolation level fails no statement', async () => {
  const { server, databaseUrl } = await startOwnPostgres()
  const name = new URL(databaseUrl).pathname.slice(1)
  // Connected before the limits, which apply to later sessions.
  const other = new Client(databaseUrl)
  await other.connect()
  onTestFinished(() => other.end())
  await server.run(
    `alter database ${name} set statement_timeout = '100ms'`,
    `alter database ${name} set lock_timeout = '100ms'`,
    `alter database ${name} set default_transaction_isolation = 'serializable'`,
  )
  await other.query('select pg_advisory_lock(7316021)')
  const opening = openStore(databaseUrl)
  const isWaiting = "select 1 from pg_stat_activity where wait_event = 'advisory' and now() - query_start > '300ms'"
  await Promise.race([
    opening.then(() => undefined),
    vi.waitFor(async () => expect((await other.query(isWaiting)).rowCount).toBe(1)),
  ])
  await other.query('select pg_advisory_unlock(7316021)')
  const store = await opening
  onTestFinished(() => store.destroy())
  await store.insertInto('revisions').values({ name: 'auth', revision: 1 }).execute()
  await other.query("begin; update revisions set revision = 2 where name = 'auth'")
  const [update] = await Promise.allSettled([
    store.updateTable('revisions').set({ revision: 3 }).where('name', '=', 'auth').execute(),
    vi
      .waitFor(async () =>
        expect((await other.query("select from pg_stat_activity where wait_event = 'transactionid'")).rowCount).toBe(1),
      )
      .then(() => other.query('commit')),
  ])
  expect(update.status).toBe('fulfilled')
})

test('a wrong password or database fails the start with one message', async () => {
  const { server, databaseUrl } = await startOwnPostgres()
  const wrong = databaseUrl.replace(/postgres:postgres/, 'postgres:private-secret')
  await expect(openStore(wrong)).rejects.toThrow(
    /^LOCKERFLOW_DATABASE_URL: must name an existing database .*: password authentication failed/,
  )
  await server.run("create database latin encoding 'LATIN1' locale 'C' template template0")
  await expect(openStore(server.urlOf('latin'))).rejects.toThrow(
    /^LOCKERFLOW_DATABASE_URL: must name a database with the encoding UTF8, got LATIN1/,
  )
  const missing = server.urlOf('elsewhere')
  const { code, stderr } = await runCommandLine({ LOCKERFLOW_DATABASE_URL: missing }, ['clients', 'list'])
  expect(stderr).toMatch(/^clients list: LOCKERFLOW_DATABASE_URL: .*: database "elsewhere" does not exist\.$/m)
  expect(code).toBe(2)
})

test.each([
  ['has no schema', "alter role clerk set search_path = 'absent'", 'no schema has been selected to create in'],
  ['may not create tables', 'alter role clerk reset search_path', 'permission denied for schema public'],
])('a user that %s fails the start with the setting and the way out', async (_name, change, reason) => {
  const { server, databaseUrl } = await startOwnPostgres()
  await server.run("create role clerk login password 'clerk'", change)
  onTestFinished(() => server.run('drop role clerk'))
  const url = databaseUrl.replace(/postgres:postgres/, 'clerk:clerk')
  await expect(openStore(url)).rejects.toMatchObject({
    name: 'SettingsError',
    message: expect.stringMatching(
      `^LOCKERFLOW_DATABASE_URL: must name a user that may create and change tables in the first schema of its search_path\\. .*${reason}`,
    ),
  })
})

test('a migration that fails halfway leaves nothing behind', async () => {
  const { server, databaseUrl } = await startOwnPostgres()
  const store = await openStore(databaseUrl)
  await store.destroy()
  await server.run('create database half')
  const url = server.urlOf('half')
  const first = await openStore(url)
  await first.schema.dropTable('shipment_objects').execute()
  await first
    .deleteFrom('kysely_migration' as never)
    .where('name' as never, '>=', '0003' as never)
    .execute()
  await first.destroy()
  // 0003 makes shipment_objects first, and then a table that is there already.
  await expect(openStore(url)).rejects.toThrow('"sandbox_faults" already exists')
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  const made = await client.query("select to_regclass('shipment_objects') as made")
  expect(made.rows).toEqual([{ made: null }])
  expect(await readApplied(client)).toEqual(migrationNames.filter(name => name < '0003'))
})

test('a migration that fails keeps those before it, and the next start goes on with it', async () => {
  const { databaseUrl, client } = await startEarlier()
  // 0009 reads it.
  await client.query('alter table suggestion_words rename to hidden')
  await expect(openStore(databaseUrl)).rejects.toThrow('relation "suggestion_words" does not exist')
  expect(await readApplied(client)).toEqual(migrationNames.filter(name => name < '0009'))
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
  const other = new Client(databaseUrl)
  await other.connect()
  onTestFinished(() => other.end())
  const waiting = "select pid from pg_locks where relation = 'accounts'::regclass and not granted"
  const pid = await vi.waitFor(async () => {
    const { rows } = await other.query(waiting)
    expect(rows).toHaveLength(1)
    return rows[0].pid
  })
  // 0008 changed it.
  const locks = `select mode from pg_locks where relation = 'shipments'::regclass and pid = ${pid}`
  expect((await other.query(locks)).rows).toEqual([])
  expect(await readApplied(other)).toEqual(migrationNames.filter(name => name < '0009'))

  const next = startProcess(databaseUrl)
  const ready = once(createInterface(next.stdout), 'line')
  await vi.waitFor(async () => {
    const { rowCount } = await other.query("select 1 from pg_stat_activity where wait_event = 'advisory'")
    expect(rowCount).toBe(1)
  })
  const ended = once(killed, 'exit')
  killed.kill('SIGKILL')
  await ended
  await client.query('commit')
  expect(await ready).toEqual([expect.stringMatching(/^service ready: http/)])
  expect(await readApplied(client)).toEqual(migrationNames)
})

test('an error of the driver after the store was opened names the setting and the server, and one of the listener does not', () => {
  const url = 'postgres://nobody:private-secret@db.example/lockerflow'
  expect(nameStore(url, new Error('Query read timeout'))).toMatchObject({
    message: 'LOCKERFLOW_DATABASE_URL: PostgreSQL at db.example: Query read timeout',
    code: 'NotReachable',
  })
  const ofListener = Object.assign(new Error('listen EADDRNOTAVAIL'), { code: 'EADDRNOTAVAIL' })
  expect(nameStore(url, ofListener)).toBe(ofListener)
})

const migrationNames = Object.keys(migrations)

/** A database of a version whose last migration was 0007. */
async function startEarlier() {
  const { databaseUrl } = await startOwnPostgres()
  await (await openStore(databaseUrl)).destroy()
  const client = new Client(databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('alter table shipments drop column sender_derived')
  await client.query("delete from kysely_migration where name >= '0008'")
  return { databaseUrl, client }
}

async function readApplied(client: Client): Promise<string[]> {
  const { rows } = await client.query('select name from kysely_migration order by name')
  return rows.map(({ name }) => name)
}

function startProcess(databaseUrl: string) {
  const env = { ...childEnvironment, LOCKERFLOW_DATABASE_URL: databaseUrl, LOCKERFLOW_SERVICE_PORT: '0' }
  const child = spawn(process.execPath, ['service/main.ts'], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
