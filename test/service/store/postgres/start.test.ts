import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openExistingStore, openStore } from '../../../../service/store/index.ts'
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

test('the database of another program is no store of a command, and stays empty', async () => {
  const { databaseUrl } = await startOwnPostgres()
  await expect(openExistingStore(databaseUrl)).rejects.toThrow(
    /^LOCKERFLOW_DATABASE_URL: must be an existing store, and the database at \S+ has no tables of a service/,
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

test('time limits of the role do not end the wait for the migrations of another process', async () => {
  const { server, databaseUrl } = await startOwnPostgres()
  const name = new URL(databaseUrl).pathname.slice(1)
  // Connected before the limits, which apply to later sessions.
  const other = new Client(databaseUrl)
  await other.connect()
  onTestFinished(() => other.end())
  await server.run(
    `alter database ${name} set statement_timeout = '100ms'`,
    `alter database ${name} set lock_timeout = '100ms'`,
  )
  await other.query('select pg_advisory_lock(7316021)')
  const opening = openStore(databaseUrl)
  const isWaiting = "select 1 from pg_stat_activity where wait_event = 'advisory' and now() - query_start > '300ms'"
  await Promise.race([
    opening.then(() => undefined),
    vi.waitFor(async () => expect((await other.query(isWaiting)).rowCount).toBe(1)),
  ])
  await other.query('select pg_advisory_unlock(7316021)')
  await (await opening).destroy()
})

test('a wrong password or database fails the start with one message', async () => {
  const { server, databaseUrl } = await startOwnPostgres()
  const wrong = databaseUrl.replace(/postgres:postgres/, 'postgres:private-secret')
  await expect(openStore(wrong)).rejects.toThrow(
    /^LOCKERFLOW_DATABASE_URL: must name an existing database .*: password authentication failed/,
  )
  const missing = server.urlOf('elsewhere')
  const { code, stderr } = await runCommandLine({ LOCKERFLOW_DATABASE_URL: missing }, ['clients', 'list'])
  expect(stderr).toMatch(/^clients list: LOCKERFLOW_DATABASE_URL: .*: database "elsewhere" does not exist\.$/m)
  expect(code).toBe(2)
})

test('a migration that fails halfway leaves nothing behind', async () => {
  const { server, databaseUrl } = await startOwnPostgres()
  const store = await openStore(databaseUrl)
  await store.destroy()
  await server.run('create database half')
  const url = server.urlOf('half')
  const first = await openStore(url)
  await first.schema.dropTable('sandbox_faults').execute()
  await first
    .deleteFrom('kysely_migration' as never)
    .where('name' as never, '>=', '0003' as never)
    .execute()
  await first.destroy()
  // 0003 would make a table that is there already.
  await expect(openStore(url)).rejects.toThrow('already exists')
})

function startProcess(databaseUrl: string) {
  const env = { ...childEnvironment, LOCKERFLOW_DATABASE_URL: databaseUrl, LOCKERFLOW_SERVICE_PORT: '0' }
  const child = spawn(process.execPath, ['service/main.ts'], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
