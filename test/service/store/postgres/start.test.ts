import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { nameStore, openExistingStore, openStore } from '../../../../service/store/index.ts'
import { childEnvironment } from '../../../support/childEnvironment.ts'
import { runCommandLine } from '../../../support/command/processLike.ts'
import { newDatabase } from '../../../support/service/postgresDatabase.ts'
import { connected, startPostgres } from '../../../support/setup/postgresServer.ts'

test('the database of another program is not a store for a command, and stays empty', async () => {
  const databaseUrl = await newDatabase()
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

test('a server that is not there fails the start with one message and no secret', async () => {
  const url = 'postgres://nobody:private-secret@127.0.0.1:1/lockerflow'
  const child = spawn(process.execPath, ['service/main.ts'], {
    env: { ...childEnvironment, LOCKERFLOW_DATABASE_URL: url, LOCKERFLOW_SERVICE_PORT: '0' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(output).toMatch(/^service: LOCKERFLOW_DATABASE_URL: PostgreSQL at 127\.0\.0\.1:1: connect ECONNREFUSED/)
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

test('a wrong password or database fails the start with one message', async () => {
  const databaseUrl = await newDatabase()
  const wrong = databaseUrl.replace(/postgres:postgres/, 'postgres:private-secret')
  await expect(openStore(wrong)).rejects.toThrow(
    /^LOCKERFLOW_DATABASE_URL: must name an existing database .*: password authentication failed/,
  )
  const latin = await newDatabase("encoding 'LATIN1' locale 'C' template template0")
  await expect(openStore(latin)).rejects.toThrow(
    /^LOCKERFLOW_DATABASE_URL: must name a database with the encoding UTF8, got LATIN1/,
  )
  const missing = Object.assign(new URL(databaseUrl), { pathname: '/elsewhere' }).href
  const { code, stderr } = await runCommandLine({ LOCKERFLOW_DATABASE_URL: missing }, ['clients', 'list'])
  expect(stderr).toMatch(/^clients list: LOCKERFLOW_DATABASE_URL: .*: database "elsewhere" does not exist\.$/m)
  expect(code).toBe(2)
})

test.each([
  ['has no schema', "alter role clerk set search_path = 'absent'", 'no schema has been selected to create in'],
  ['may not create tables', 'alter role clerk reset search_path', 'permission denied for schema public'],
])('a user that %s fails the start with the setting and the way out', async (_name, change, reason) => {
  const databaseUrl = await newDatabase()
  const run = (statement: string) => connected(databaseUrl, client => client.query(statement))
  await run("create role clerk login password 'clerk'")
  onTestFinished(async () => void (await run('drop role clerk')))
  await run(change)
  const url = databaseUrl.replace(/postgres:postgres/, 'clerk:clerk')
  await expect(openStore(url)).rejects.toMatchObject({
    name: 'SettingsError',
    message: expect.stringMatching(
      `^LOCKERFLOW_DATABASE_URL: must name a user that may create and change tables in the first schema of its search_path\\. .*${reason}`,
    ),
  })
})

test('options of the URL add to the settings of a session, and replace none', async () => {
  const databaseUrl = new URL(await newDatabase())
  await connected(databaseUrl.href, client => client.query('create schema lockers'))
  const options = '-c search_path=lockers -c default_transaction_isolation=serializable -c enable_seqscan=on'
  databaseUrl.searchParams.set('options', options)
  const store = await openStore(databaseUrl.href)
  onTestFinished(() => store.destroy())
  const names = ['search_path', 'default_transaction_isolation', 'enable_seqscan', 'jit', 'tcp_keepalives_count']
  const settings = sql.join(names.map(name => sql`current_setting(${name})`))
  const { rows } = await sql`select array[${settings}] as settings`.execute(store)
  expect(rows).toEqual([{ settings: ['lockers', 'read committed', 'off', 'off', '10'] }])
})

test('numbers come back as they were stored, whatever precision the database or the role prefers', async () => {
  const databaseUrl = await newDatabase()
  const name = new URL(databaseUrl).pathname.slice(1)
  await connected(databaseUrl, client => client.query(`alter database ${name} set extra_float_digits = 0`))
  const store = await openStore(databaseUrl)
  onTestFinished(() => store.destroy())
  const weight = 0.1 + 0.2
  const { rows } = await sql`select ${weight}::float8 as weight`.execute(store)
  expect(rows).toEqual([{ weight }])
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
