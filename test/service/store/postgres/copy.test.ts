import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { copyStore, type KeyEncryption, openClientRegistry, type Settings } from '#service'
import { readUrls } from '../../../../cli/copy/actions.ts'
import { readKeyRing } from '../../../../service/encryption/index.ts'
import { keys, tableNames } from '../../../../service/store/copy/tables.ts'
import { openStore, type Store } from '../../../../service/store/index.ts'
import { toPath } from '../../../../service/store/sqlite/open.ts'
import { childEnvironment } from '../../../support/childEnvironment.ts'
import { readCommand } from '../../../support/command/commandLine.ts'
import { exampleOf } from '../../../support/command/examples.ts'
import { runCommandLine } from '../../../support/command/processLike.ts'
import { runVerb } from '../../../support/command/verbs.ts'
import { type Receiver, startReceiver } from '../../../support/servers/callbackReceiver.ts'
import { quick } from '../../../support/service/callbacks.ts'
import { newMigratedDatabase } from '../../../support/service/postgresDatabase.ts'
import { newFolder, newStore, temporaryFile } from '../../../support/service/temporaryStore.ts'
import { booking } from '../../../support/service/topology.ts'
import { csv, upload } from '../../../support/service/uploads.ts'
import { connected } from '../../../support/setup/postgresServer.ts'
import { createWorld } from '../../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../../support/world/serviceWorld.ts'

const stock = { ...booking, PupUid: 'shared' }
const person = { firstName: 'Ada', lastName: 'L', emailAddress: 'ada@home.example', pickUpPointUid: 'square' }
const suggestions = csv([
  { EmailAddress: 'ada@home.example', FirstName: 'Ada' },
  { EmailAddress: 'ben@home.example', FirstName: 'Ben', PickUpPoint: 'square' },
])
/** The settings before and after a copy. */
const asMoved = { publicUrl: 'https://lockers.example', hardware: { open: async () => false }, delivery: quick }
const withKey = { headers: { 'idempotency-key': 'kept' } }

const lived = newFolder()
beforeAll(async () => {
  const world = await createWorld({ service: { ...asMoved, databaseUrl: `file:${join(lived.folder, 'service.db')}` } })
  await live(world)
  await world.stop()
})
afterAll(lived.remove)

test('a service that is moved in operation continues unchanged', async () => {
  const receiver = await startReceiver(() => ({ status: 503 }))
  onTestFinished(() => receiver.stop())
  const from = temporaryFile()
  const before = await start(from)
  const life = await live(before, receiver)
  const told = await ask(before, life)
  const token = await before.service.token()
  await before.stop()

  const to = await emptyDatabase()
  const words = exampleOf('copy', {
    'file:.lockerflow/service.db': from,
    'postgres://lockerflow@127.0.0.1:5432/lockerflow': to,
  })
  const { values, lines } = await runVerb({}, ...words)
  const moved = values.slice(0, -1) as { readonly table: string; readonly rows: number }[]
  expect(moved.map(({ table }) => table)).toEqual(tableNames)
  expect(lines.at(-1)).toBe(
    'The old file keeps its rows. Its write-ahead log was merged into it, so its checksum may differ. Keep the file as a backup, and do not start a service with it again.',
  )
  // Nothing that the service keeps was left out of this test.
  const empty = moved.filter(({ rows }) => rows === 0).map(({ table }) => table)
  // The embedded store shares no rate limit. No shipment ended long enough ago to be counted, and no entry of the audit
  // log for a purge.
  const counts = ['shipment_counts', 'shipment_ranges', 'shipment_range_states', 'shipment_change_ranges']
  expect(empty).toEqual(['rate_buckets', ...counts, 'audit_purges'])

  const after = await start(to)
  expect(await ask(after, life)).toEqual(told)
  expect((await after.service.call('GetShipments', {}, { token })).status).toBe(200)
  expect((await after.service.call('CreateLocalShipmentAsStock', stock, withKey)).text).toBe(life.response)

  const { body } = await after.service.call('SimulateLockerAccess', life.door)
  expect(body).toMatchObject({ success: true })
  const { shipmentUids } = await after.call('CreateLocalShipmentAsStock', stock)
  const made = shipmentUids[0] ?? ''
  expect(await seqOf(after, made)).toBeGreaterThan(life.seq)
  const locker = (uid: string) =>
    after.call('GetShipments', { shipmentUid: uid }).then(({ items }) => items[0]?.lockerUid)
  expect(await locker(made)).not.toBe(await locker(life.opened))

  const early = receiver.received.filter(({ message }) => message.shipmentUid === life.opened)
  receiver.answer(() => ({ status: 204 }))
  await vi.waitFor(async () => expect(await rowsOf(after.service.store, 'outbox')).toEqual([]), { timeout: 10_000 })
  const delivered = receiver.received.filter(({ message }) => message.shipmentUid === life.opened).slice(early.length)
  expect(delivered.map(({ message }) => message.stateCode)).toEqual(['ReadyForDropOff', 'WaitForReceiver'])
  expect(delivered[0]?.headers['webhook-id']).toBe(early[0]?.headers['webhook-id'])
})

test('every row is copied unchanged, and the file is not changed', async () => {
  const from = await livedIn()
  const to = await emptyDatabase()
  const before = await contentOf(from)
  await copyStore(from, to)
  // The data key itself is encrypted under the keys of the target.
  const { data_keys: keysBefore, ...others } = before
  const { data_keys: keysAfter, ...copied } = await contentOf(to)
  expect(copied).toEqual(others)
  const ids = (keys: unknown) => (keys as { data_key_id: string }[]).map(({ data_key_id }) => data_key_id)
  expect(ids(keysAfter)).toEqual(ids(keysBefore))
  expect(await contentOf(from)).toEqual(before)
})

test('numbers continue above all that were ever used, even by deleted rows', async () => {
  const from = await livedIn()
  const to = await emptyDatabase()
  const source = await open(from)
  const last = await rowsOf(source, 'shipments').then(rows => rows.length)
  const numbered = ['shipments', 'outbox', 'shipment_objects'] as const
  for (const table of numbered) {
    await sql`update sqlite_sequence set seq = ${last + 1_000} where name = ${table}`.execute(source)
  }
  await source.destroy()
  await copyStore(from, to)
  const target = await open(to)
  for (const table of numbered) {
    const next = sql<{ next: number }>`select nextval(pg_get_serial_sequence(${table}, 'seq')) as next`
    expect({ table, ...(await next.execute(target)).rows[0] }).toEqual({ table, next: last + 1_001 })
  }
})

test('every table is copied, each after those that it references', async () => {
  const target = await open(await emptyDatabase())
  const there = sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`
  const names = (await there.execute(target)).rows.map(({ name }) => name)
  expect(tableNames.toSorted()).toEqual(names.toSorted())
  const references = sql<{ table: string; other: string }>`
    select conrelid::regclass::text as table, confrelid::regclass::text as other from pg_constraint where contype = 'f' and conrelid <> confrelid`
  const { rows } = await references.execute(target)
  const order = new Map<string, number>(tableNames.map((name, at) => [name, at]))
  expect(rows.length).toBeGreaterThan(0)
  for (const { table, other } of rows) expect(order.get(table)).toBeGreaterThan(order.get(other) ?? Infinity)
})

test('the key in an error message identifies one row', async () => {
  const target = await open(await emptyDatabase())
  const unique = sql<{ table: string; columns: string[] }>`
    select conrelid::regclass::text as table, array(
      select attname::text from unnest(conkey) as key join pg_attribute on attrelid = conrelid and attnum = key
      order by attname) as columns
    from pg_constraint where contype in ('p', 'u')`
  const { rows } = await unique.execute(target)
  for (const name of tableNames) {
    expect(rows.filter(({ table }) => table === name).map(({ columns }) => columns)).toContainEqual(
      keys[name].toSorted(),
    )
  }
})

test.each(['in the middle of a request', 'and does nothing'])(
  'a store that a service has open %s is refused immediately, and the service continues',
  async when => {
    const from = temporaryFile()
    const world = await start(from)
    const to = await emptyDatabase()
    const move = () => expect(copyStore(from, to)).rejects.toThrow('a running service or another process has it open')
    if (when === 'and does nothing') await move()
    else await world.service.store.transaction().execute(move)
    expect(await world.call('CreateLocalShipmentAsStock', stock)).toMatchObject({ success: true })
    await world.stop()
    await copyStore(from, to)
  },
)

test('during the copy no service can start on the file', async () => {
  const from = await livedIn()
  let refused: unknown
  await copyStore(from, await emptyDatabase(), {
    // The copy waits for it.
    onTable: async () => {
      refused ??= await openStore(from, { lockTimeout: 1 }).then(
        () => 'opened',
        (error: Error) => error.message,
      )
    },
  })
  expect(refused).toBe(`LOCKERFLOW_DATABASE_URL: ${toPath(from)} cannot be read or written: database is locked`)
})

test.each(tableNames.filter(name => ['signing_keys', 'pick_up_points'].includes(name)))(
  'a database with a row in %s is refused, and nothing is added to it',
  async table => {
    const from = await livedIn()
    const to = await emptyDatabase()
    const target = await open(to)
    if (table === 'signing_keys')
      await target.insertInto(table).values({ kid: 'k', jwk: '{}', created_at: 0 }).execute()
    else await target.insertInto('pick_up_points').values({ pup_uid: 'p', name: 'P', time_zone: 'UTC' }).execute()
    const before = await contentOf(to)
    const { code, output } = await run([from, to])
    expect([code, output]).toEqual([
      1,
      expect.stringContaining(`copy: to: must be an empty database, but it has rows in ${table}.\n  Create`),
    ])
    expect(await contentOf(to)).toEqual(before)
  },
)

test('a text with NUL is reported with its table, column and key, and nothing is copied', async () => {
  const from = await livedIn()
  const source = await open(from)
  await sql`update suggestions set remarks = ${'a\0b'} where email_key = 'ben@home.example'`.execute(source)
  const { upload_id } = await source.selectFrom('suggestion_uploads').select('upload_id').executeTakeFirstOrThrow()
  await source.destroy()
  const to = await emptyDatabase()
  await expect(copyStore(from, to)).rejects.toThrow(
    `suggestions.remarks of upload_id "${upload_id}", email_key "ben@home.example" must not contain the character NUL`,
  )
  await expectEmpty(to)
})

test('a lost connection leaves nothing behind, and the copy can be repeated', async () => {
  const from = await livedIn()
  const databaseUrl = await newMigratedDatabase()
  const cut = copyStore(from, databaseUrl, {
    // Other tables come after this one.
    onTable: async ({ table }) => {
      if (table !== 'shipments') return
      await connected(databaseUrl, client =>
        client.query(`
          select pg_terminate_backend(pid, 5000) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`),
      )
    },
  })
  await expect(cut).rejects.toThrow(/terminat|connection error/)
  await expectEmpty(databaseUrl)
  const moved = await copyStore(from, databaseUrl)
  expect(moved.find(({ table }) => table === 'shipments')?.rows).toBeGreaterThan(0)
})

test('the statements of a copy have no time limit, since some read a whole table', async () => {
  const to = await emptyDatabase()
  const target = await open(to)
  await sql`
    create function refuse_limit() returns trigger language plpgsql as $$
    begin
      if current_setting('statement_timeout') <> '0' then
        raise exception 'the limit is %', current_setting('statement_timeout');
      end if;
      return null;
    end $$`.execute(target)
  await sql`create trigger refuse_limit after insert on shipments for each statement execute function refuse_limit()`.execute(
    target,
  )
  const copied = await copyStore(await livedIn(), to)
  expect(copied.find(({ table }) => table === 'shipments')?.rows).toBeGreaterThan(0)
})

test('more shipments than fit into memory are copied in slices', async () => {
  const from = await livedIn()
  const source = await open(from)
  await sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 20000)
    insert into shipments (shipment_uid, tenant_id, shipment_type, state_code, state_since, created_at, updated_at, pup_uid,
      width, height, length, keep_booked, stock, description)
    select 'many-' || n, tenant_id, shipment_type, 'Completed', 0, 0, 0, pup_uid, 1, 1, 1, 0, 0, hex(zeroblob(950))
    from shipments, numbers where seq = (select min(seq) from shipments)`.execute(source)
  await source.destroy()
  // The texts are 38 MB, and the program takes 40 MB of the heap.
  const { code, output } = await runWithin(64, [from, await emptyDatabase()])
  expect(output).toMatch(/^shipments +2\d{4}$/m)
  expect(code).toBe(0)
})

test('the command reports the copied rows and the next steps', async () => {
  const { code, output } = await run([await livedIn(), await emptyDatabase()])
  for (const name of tableNames) expect(output).toMatch(new RegExp(`^${name} +\\d+$`, 'm'))
  expect(output).toContain('LOCKERFLOW_DATABASE_URL')
  expect(code).toBe(0)
})

const file = 'file:.lockerflow/none-such.db'
const database = 'postgres://nobody:private-secret@127.0.0.1:1/lockerflow'
test.each([
  ['nothing', []],
  ['one', [file]],
  ['the wrong way round', [database, file]],
  ['three', [file, database, database]],
  ['an option', [file, database, '--fast']],
])('%s as arguments is an error without the secret', async (_name, args) => {
  const failure = await readCommand('copy', ...args)
    .then(given => readUrls(given, {}))
    .catch(error => error)
  expect(failure).toMatchObject({ code: 'InvalidArguments', message: expect.stringMatching(/^[-\w]+: must be /) })
  expect(failure.message).not.toContain('private-secret')
})

test('a file: URL that names another file than it shows is refused', async () => {
  const given = await readCommand('copy', 'file:/stores/1#a.db', database)
  expect(() => readUrls(given, {})).toThrow('from: must be a file: URL, in whose path %, ? and # are written as %25')
})

test('the connection to PostgreSQL follows the settings of TLS', async () => {
  const [from, to] = ['file:service.db', 'postgres://lockerflow:private-secret@db.example/lockerflow']
  const given = await readCommand('copy', from, to)
  const production = { LOCKERFLOW_ENVIRONMENT: 'production' }
  expect(readUrls(given, {})).toEqual({ from, to })
  expect(readUrls(given, production)).toEqual({ from, to: `${to}?sslmode=verify-full` })
  expect(readUrls(given, { ...production, LOCKERFLOW_DATABASE_TLS: 'optional' })).toEqual({ from, to })
  const open = await readCommand('copy', from, `${to}?sslmode=disable`)
  expect(() => readUrls(open, production)).toThrow(/^to: must not contain sslmode, .*LOCKERFLOW_DATABASE_TLS=optional/)
  expect(() => readUrls(open, production)).not.toThrow('private-secret')
})

describe('the URL of the database', () => {
  const setting = 'LOCKERFLOW_DATABASE_URL'
  const to = 'postgres://lockerflow:private-secret@db.example/lockerflow'

  test('comes from the setting, or from the file that it names', async () => {
    const given = await readCommand('copy', file)
    const path = pathOf(temporaryFile())
    writeFileSync(path, `${to}\n`)
    expect(readUrls(given, { [setting]: to })).toEqual({ from: file, to })
    expect(readUrls(given, { [`${setting}_FILE`]: path })).toEqual({ from: file, to })
    expect(readUrls(await readCommand('copy', file, database), { [setting]: to }).to).toBe(database)
  })

  test.each([
    ['of the embedded store', { [setting]: file }, `${setting}: must be the postgres:// URL of an empty database`],
    [
      'that is none',
      { [setting]: 'postgres://user:private#secret/x@db/y' },
      `${setting}: must be a URL, in whose password`,
    ],
    ['in a file that is missing', { [`${setting}_FILE`]: '/nowhere' }, `${setting}_FILE: must name a file that`],
    [
      'in setting and file',
      { [setting]: to, [`${setting}_FILE`]: '/x' },
      `${setting}: is set, and so is ${setting}_FILE`,
    ],
    [
      'with sslmode',
      { LOCKERFLOW_ENVIRONMENT: 'production', [setting]: `${to}?sslmode=disable` },
      `${setting}: must not`,
    ],
  ])('%s is an error with the name of the setting', async (_, environment, message) => {
    const given = await readCommand('copy', file)
    expect(() => readUrls(given, environment)).toThrow(message)
    expect(() => readUrls(given, environment)).not.toThrow('private')
  })

  test('with a password as an argument is a warning', async () => {
    const warning = 'to: contains a password, which other users of this machine (ps) and the history of the shell show.'
    const [one, other] = [await emptyDatabase(), await emptyDatabase()]
    const given = await run([await livedIn(), one])
    expect(given.output).toContain(warning)
    expect(given.output).not.toContain(one)
    const fromSetting = await run([await livedIn()], { [setting]: other })
    expect(fromSetting.output).not.toContain(warning)
    expect([given, fromSetting].map(({ code }) => code)).toEqual([0, 0])
  })
})

test('wrong arguments end the command with 2', async () => {
  const { code, output } = await run([file])
  expect(output).toMatch(/^copy: to: must be given\.\n/)
  expect(code).toBe(2)
})

test('a copy that a signal ends leaves the database empty', async () => {
  const from = await livedIn()
  const to = await emptyDatabase()
  const interruption = new AbortController()
  const onTable = () => interruption.abort(new Error('interrupted by SIGTERM'))
  await expect(copyStore(from, to, { signal: interruption.signal, onTable })).rejects.toThrow('interrupted by SIGTERM')
  const target = await open(to)
  for (const table of tableNames) expect(await rowsOf(target, table)).toEqual([])
  await target.destroy()
})

test('a file that cannot be read ends the command with 2', async () => {
  const { code, output } = await run([file, database])
  expect(output).toMatch(
    /^copy: from: must be a file that can be read, but "\.lockerflow\/none-such\.db" is not: ENOENT/,
  )
  expect(code).toBe(2)
})

test.each([
  ['there is no file .lockerflow/none-such.db', file],
  ['package.json must be a store that this process can write: file is not a database', 'file:package.json'],
  ['cli must be a store that this process can write: unable to open database file', 'file:cli'],
])('%s', async (message, from) => {
  await expect(copyStore(from, database)).rejects.toThrow(message)
})

test('a missing database is reported with its host, and the file can be used again', async () => {
  const from = await livedIn()
  const { code, output } = await run([from, database])
  expect(output).toMatch(/^copy: to: PostgreSQL at 127\.0\.0\.1:1: connect ECONNREFUSED/)
  expect(code).toBe(3)
  await (await open(from)).destroy()
})

test('a file with foreign tables is refused and not changed', async () => {
  const from = temporaryFile()
  const other = await open(from)
  await sql`drop table kysely_migration`.execute(other)
  await other.destroy()
  await expect(copyStore(from, await emptyDatabase())).rejects.toThrow('is not a store of the service')
})

test('a store of a newer version is refused, since it may have more tables', async () => {
  const from = await livedIn()
  const newer = await open(from)
  await sql`insert into kysely_migration (name, timestamp) values ('9999-newer', 'later')`.execute(newer)
  await newer.destroy()
  const to = await emptyDatabase()
  await expect(copyStore(from, to)).rejects.toThrow('is a store of a newer version: copy it with that version')
  await expectEmpty(to)
})

test('a database of a newer version is refused, since its tables may have columns that this one does not fill', async () => {
  const to = await emptyDatabase()
  const newer = await open(to)
  await sql`insert into kysely_migration (name, timestamp) values ('9999-newer', 'later')`.execute(newer)
  await expect(copyStore(await livedIn(), to)).rejects.toThrow(
    'to: must be a database of this version or an earlier one',
  )
  await sql`delete from kysely_migration where name = '9999-newer'`.execute(newer)
  await newer.destroy()
  await expectEmpty(to)
})

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`

test('a store whose keys are in the setting is copied with the same setting', async () => {
  const [before, after] = [newKey('before'), newKey('after')]
  const from = temporaryFile()
  await (await start(from, { keyEncryption: keyRingOf(before) })).stop()
  const to = await emptyDatabase()
  const { code, output } = await run([from, to], { LOCKERFLOW_STORE_KEYS: `${after},${before}` })
  expect({ code, output }).toMatchObject({ code: 0 })
  expect(existsSync(`${pathOf(from)}.key`)).toBe(false)
  const world = await start(to, { keyEncryption: keyRingOf(after) })
  expect(await world.call('CreateLocalShipmentAsStock', stock)).toMatchObject({ success: true })
})

test('a copy without keys warns of the public key, and a service with keys says why it cannot start on it', async () => {
  const [from, to] = [await livedIn(), await emptyDatabase()]
  for (const { code, output } of [await run([from, to]), await run([from, await emptyDatabase(), '--json'])]) {
    expect(code).toBe(0)
    expect(output).toContain('LOCKERFLOW_STORE_KEYS is not set, so a public key encrypts the secrets')
  }
  await expect(start(to, { keyEncryption: keyRingOf(newKey('own')) })).rejects.toThrow(
    'LOCKERFLOW_STORE_KEYS: must be empty for this store, whose secrets have the public key of staging',
  )
})

test('a store whose keys are missing is refused before the copy, and no key is made for it', async () => {
  const from = await livedIn()
  const to = await emptyDatabase()
  rmSync(`${pathOf(from)}.key`)
  const missing = await run([from, to])
  expect(missing.output).toContain(`LOCKERFLOW_STORE_KEYS: must have the keys of the store, since there is no file`)
  const other = await run([from, to], { LOCKERFLOW_STORE_KEYS: newKey('other') })
  expect(other.output).toContain('LOCKERFLOW_STORE_KEYS: must contain the key staging, which encrypts the secrets')
  expect([missing, other].map(({ code }) => code)).toEqual([2, 2])
  expect([missing, other].some(({ output }) => /^signing_keys/m.test(output))).toBe(false)
  expect(existsSync(`${pathOf(from)}.key`)).toBe(false)
})

/** The responses that must be the same before and after the copy. */
interface Life {
  /** The account of a user. */
  readonly userUid: string
  /** The shipment whose pick up is still to come. */
  readonly opened: string
  /** The code that its receiver enters, and the locker. */
  readonly door: object
  /** The response to an Idempotency-Key. */
  readonly response: string
  /** The highest number that a shipment was given. */
  readonly seq: number
}

/** Something in every table, while the receiver of callbacks is away. */
async function live(world: ServiceWorld, receiver?: Receiver): Promise<Life> {
  const url = receiver?.url ?? 'http://127.0.0.1:9/'
  await world.call('ConfigureCallback', { url, authType: 'HMAC' })
  const userUid = (await world.call('CreateAccount', person)).userUid ?? ''
  await upload(world.service, 'people.csv', suggestions)
  // A process beside the service fills this table.
  await world.service.store.insertInto('decision_collections').values({ tenant_id: 'acme', due_at: 1 }).execute()
  const kept = await world.service.call('CreateLocalShipmentAsStock', stock, withKey)
  const [opened = ''] = kept.body.shipmentUids as string[]
  await world.call('AddShipmentObject', { shipmentUid: opened, details: { description: 'a drill', weight: 1.5 } })
  const loan = { ...booking, ToUserUid: userUid, Dimension: { width: 5.25, height: 5, length: 5 } }
  await world.call('CreateLocalShipmentAsIssueAndSwapIntake', loan)
  const gone = await world.call('CreateLocalShipmentAsStock', stock)
  await world.call('CancelShipment', { shipmentUid: gone.shipmentUids[0] ?? '' })
  await world.call('SetSandboxFaults', { mutationConfigFails: true })
  await world.call('SimulateLockerAccess', { pupUid: 'square', lockerName: 'L1', pinCode: 'none' })
  const { items } = await world.call('GetShipments', { shipmentUid: opened })
  const [item] = items
  const door = { pupUid: item?.pupUid, lockerName: item?.lockerName, pinCode: item?.deliveryCode }
  await world.call('UnlockShipmentLocker', { shipmentUid: opened })
  await receiver?.until(1, opened)
  await world.service.signIn({ client_id: 'acme', client_secret: 'wrong', grant_type: 'client_credentials' })
  await removeClient(world.service.settings.databaseUrl)
  return { userUid, opened, door, response: kept.text, seq: await seqOf(world, gone.shipmentUids[0] ?? '') }
}

/** Adds a client and removes it. */
async function removeClient(databaseUrl: string): Promise<void> {
  const registry = await openClientRegistry(databaseUrl)
  await registry.add({ clientId: 'removed', tenantId: 'acme' })
  await registry.disable({ clientId: 'removed' })
  await registry.remove({ clientId: 'removed' })
  await registry.close()
}

async function ask({ service }: ServiceWorld, { userUid, opened }: Life): Promise<string[]> {
  const responses = [
    await service.call('GetShipments', {}),
    await service.call('GetAccount', { userUid }),
    await service.call('GetAccountMutationConfig', { userUid }),
    await service.call('GetAccountSuggestions', {}),
    await service.call('GetPickUpPoints', { includeDetails: true }),
    await service.call('GetShipmentAccessCode', { shipmentUid: opened }),
    await service.call('SetSandboxFaults', {}),
  ]
  for (const { body } of responses) expect(body.success).toBe(true)
  return responses.map(({ text }) => text)
}

async function start(databaseUrl: string, overrides: Partial<Settings> = {}): Promise<ServiceWorld> {
  const world = await createWorld({ service: { ...asMoved, databaseUrl, ...overrides } })
  onTestFinished(() => world.stop())
  return world
}

/** The URL of an embedded store that a service was on, and stopped. Each has the same rows. */
async function livedIn(): Promise<string> {
  const url = temporaryFile()
  for (const end of ['', '.key']) copyFileSync(join(lived.folder, `service.db${end}`), `${pathOf(url)}${end}`)
  return url
}

function keyRingOf(text: string): KeyEncryption {
  const ring = readKeyRing(text)
  if (ring === undefined) throw new Error(`no keys: ${text}`)
  return ring
}

function pathOf(url: string): string {
  return url.slice('file:'.length)
}

async function emptyDatabase(): Promise<string> {
  const { databaseUrl, remove } = await newStore()
  onTestFinished(remove)
  return databaseUrl
}

async function open(url: string): Promise<Store> {
  const store = await openStore(url)
  onTestFinished(() => store.destroy())
  return store
}

type TableName = (typeof tableNames)[number]

function rowsOf(store: Store, table: TableName): Promise<object[]> {
  const order = sql.join(keys[table].map(name => sql.ref(name)))
  return sql<object>`select * from ${sql.table(table)} order by ${order}`.execute(store).then(({ rows }) => rows)
}

async function contentOf(url: string): Promise<Record<string, object[]>> {
  const store = await openStore(url)
  try {
    const content: Record<string, object[]> = {}
    for (const table of tableNames) content[table] = (await rowsOf(store, table)).map(row => ({ ...row }))
    return content
  } finally {
    await store.destroy()
  }
}

async function expectEmpty(url: string): Promise<void> {
  for (const [table, rows] of Object.entries(await contentOf(url))) expect({ table, rows }).toEqual({ table, rows: [] })
}

async function seqOf({ service }: ServiceWorld, shipmentUid: string): Promise<number> {
  const found = service.store.selectFrom('shipments').select('seq').where('shipment_uid', '=', shipmentUid)
  return (await found.executeTakeFirstOrThrow()).seq
}

async function run(args: readonly string[], variables: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runCommandLine(variables, ['move', ...args])
  return { code, output: stdout + stderr }
}

/** Runs the command in a process with little memory, in megabytes. */
async function runWithin(heap: number, args: readonly string[]) {
  const child = spawn(process.execPath, [`--max-old-space-size=${heap}`, 'cli/lockerflow.ts', 'move', ...args], {
    env: childEnvironment,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, output: out + err }
}
