import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openPersons } from '#service'
import { recordAudit } from '../../../service/audit/index.ts'
import { erasePerson } from '../../../service/persons/erase.ts'
import { createMatcher, replaceInJson } from '../../../service/persons/matcher.ts'
import { openStore, type Store } from '../../../service/store/index.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { booking } from '../../support/service/topology.ts'
import { csv, upload } from '../../support/service/uploads.ts'
import { createWorld } from '../../support/world/createWorld.ts'

const person = {
  firstName: 'Wilhelmina',
  lastName: 'Quackenbush',
  emailAddress: 'Mina@Quackenbush.example',
  userName: 'mina-q',
  phoneNumber: '+31201234567',
}
/** A moment of the store as a text. */
const isoMoment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const fullName = `${person.firstName} ${person.lastName}`
/** The names of the person, which no other data contains. */
const names = /wilhelmina|quackenbush|mina-q|31201234567/i

/** Every row of every table. */
async function dump(store: Store): Promise<string> {
  const tables = await store.introspection.getTables()
  const rows = await Promise.all(tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(store)))
  return JSON.stringify(rows.map((result, at) => [tables[at]?.name, result.rows]))
}

test('after an erasure no table contains the name, the e-mail address or the user name', async () => {
  const databaseUrl = await temporaryStore()
  const receiver = await startReceiver(() => ({ status: 503 }))
  const world = await createWorld({ service: { databaseUrl } })
  const persons = await openPersons(databaseUrl)
  onTestFinished(async () => {
    await persons.close()
    await world.stop()
    await receiver.stop()
  })
  const { service } = world
  const { store } = service
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC' })
  const account = { ...person, pickUpPointUid: 'shared' }
  const withKey = { headers: { 'idempotency-key': 'kept' } }
  const { body } = await service.call('CreateAccount', account, withKey)
  const userUid = String(body.userUid)
  const issue = async (Description: string) => {
    const booked = await world.call('CreateLocalShipmentAsIssue', {
      ...booking,
      PupUid: 'shared',
      ToUserUid: userUid,
      Details: { Description, ReferenceNo: `order of ${person.userName}` },
    } as never)
    return booked.shipmentUids[0] ?? ''
  }
  const ended = await issue('shoes of size 42')
  await world.call('AddShipmentObject', { shipmentUid: ended, details: { description: 'left shoe', count: 1 } })
  await world.call('CancelShipment', { shipmentUid: ended })
  const active = await issue(`for ${fullName}`)
  const neutral = await issue('a drill')
  const foreign = { ...booking, PupUid: 'shared', Details: { Description: `mail ${person.emailAddress}` } }
  await world.call('CreateLocalShipmentAsStock', foreign as never, 'globex')
  const rows = csv([
    { EmailAddress: person.emailAddress, FirstName: person.firstName, LastName: person.lastName },
    { EmailAddress: 'ben@home.example', FirstName: 'Ben', Remarks: `lives with ${fullName}` },
    { EmailAddress: 'ada@home.example', FirstName: 'Ada' },
  ])
  await upload(service, 'people.csv', rows)
  await upload(service, `${person.userName}.csv`, rows, { client: 'globex' })
  // A staged upload, whose process has ended.
  await sql`update suggestion_uploads set active = 0, expires_at = ${Date.now() * 2} where tenant_id = 'globex'`.execute(
    store,
  )
  expect(await dump(store)).toMatch(names)

  const exported = await persons.export({ userUid, tenantId: 'acme' })
  expect(exported).toMatchObject({
    account: { email: person.emailAddress, first_name: person.firstName, created_at: isoMoment },
    shipments: [
      { shipment_uid: ended, state_since: isoMoment, created_at: isoMoment, updated_at: isoMoment },
      { shipment_uid: active },
      { shipment_uid: neutral },
    ],
    shipmentObjects: [{ description: 'left shoe' }],
    responses: [{ client_id: 'acme' }],
    suggestions: [
      { tenant_id: 'acme', last_name: person.lastName },
      { tenant_id: 'acme', first_name: 'Ben' },
    ],
    audit: [{ action: 'account.created', recorded_at: isoMoment }],
  })
  expect(exported.callbacks.length).toBe(4)
  expect(JSON.stringify(exported)).not.toMatch(/pick_up_code|delivery_code/)
  const ofGlobex = await persons.export({ userUid, tenantId: 'globex' })
  expect(ofGlobex).toMatchObject({ shipments: [{ description: `mail ${person.emailAddress}` }], callbacks: [] })
  expect(ofGlobex.suggestionUploads).toMatchObject([{ reference: `${person.userName}.csv` }])
  // Everything that the erasure finds.
  const all = await persons.export({ userUid })
  expect([all.shipments, all.suggestions, all.suggestionUploads, all.shipmentObjects].map(rows => rows.length)).toEqual(
    [4, 4, 1, 1],
  )

  const report = await persons.erase({ userUid, tenantId: 'acme' })
  expect(report.erased).toEqual([
    { table: 'accounts', rows: 1, done: 'deleted' },
    { table: 'suggestions', rows: 4, done: 'deleted' },
    { table: 'idempotency', rows: 1, done: 'blanked' },
    { table: 'shipments', rows: 4, done: 'blanked' },
    { table: 'shipment_objects', rows: 1, done: 'blanked' },
    { table: 'outbox', rows: 4, done: 'blanked' },
    { table: 'suggestion_uploads', rows: 1, done: 'blanked' },
  ])
  const ofStore = inject('postgres') === undefined ? 'free pages in the file of' : 'dead row versions of PostgreSQL'
  expect(report.stays).toMatchObject([
    ...[{ rows: 2 }, { rows: 1 }, { rows: 5 }, { what: 'backups' }],
    { what: expect.stringContaining(ofStore) },
  ])
  expect(await dump(store)).not.toMatch(names)

  // Other data is unchanged, and the parcel can still be collected.
  const { items } = await world.call('GetShipments', { activeShipments: true })
  expect(items).toMatchObject([
    { shipmentUid: active, description: null, toUserUid: userUid },
    { shipmentUid: neutral, description: 'a drill', toUserUid: userUid },
  ])
  expect((await world.call('GetAccount', { emailAddress: person.emailAddress })).isExisting).toBe(false)
  const found = await world.call('GetAccountSuggestions', {})
  expect(found).toMatchObject({ totalItems: 1, items: [{ emailAddress: 'ada@home.example' }] })
  expect((await service.call('CreateAccount', account, withKey)).body).toMatchObject({ userUid, emailAddress: null })

  for (const shipmentUid of [active, neutral]) await world.call('CancelShipment', { shipmentUid })
  const again = await persons.erase({ userUid })
  expect(again.erased).toEqual([
    { table: 'shipments', rows: 1, done: 'blanked' },
    { table: 'outbox', rows: 2, done: 'blanked' },
  ])
  expect(await dump(store)).not.toMatch(/a drill|shoe/)
  if (inject('postgres') === undefined) {
    await persons.close()
    await world.stop()
    expect(readFileSync(databaseUrl.replace('file:', ''), 'latin1')).not.toMatch(names)
  }
})

async function openWorld() {
  const databaseUrl = await temporaryStore()
  const world = await createWorld({ service: { databaseUrl } })
  const persons = await openPersons(databaseUrl)
  onTestFinished(async () => {
    await persons.close()
    await world.stop()
  })
  return { world, persons, databaseUrl }
}

test('the report of an erasure counts decisions about cases whose number names the person', async () => {
  const { world, persons } = await openWorld()
  const { userUid } = await world.call('CreateAccount', { ...person, pickUpPointUid: 'square' })
  const entry = { action: 'flow.decided', actor: 'person', now: Date.now(), tenantId: 'acme' } as const
  const subjects = [`case:${fullName} 7`, `case:${person.userName.toUpperCase()}`, 'case:L-7']
  for (const subject of subjects) await recordAudit(world.service.store, { ...entry, subject, detail: 'extend' })
  const { stays } = await persons.erase({ userUid: userUid ?? '' })
  expect(stays.filter(({ what }) => what.includes('audit log'))).toMatchObject([
    { what: 'entries of the audit log, with the uid', rows: 2 },
    { what: 'entries of the audit log about flows, with a case number that names the person', rows: 2 },
  ])
})

test('an unknown uid is refused, even if it is that of a client or was exported before', async () => {
  const { world, persons } = await openWorld()
  const { store } = world.service
  const entry = { actor: 'operator', now: Date.now() } as const
  await recordAudit(store, { ...entry, action: 'account.exported', subject: 'mistyped' })
  await recordAudit(store, { ...entry, action: 'tokens.revoked', subject: 'acme' })
  const before = await dump(store)
  for (const userUid of ['unknown', 'mistyped', 'acme']) {
    for (const run of [persons.export, persons.erase]) {
      await expect(run({ userUid })).rejects.toThrow('--user: must be the uid of an account, but no account')
    }
  }
  expect(await dump(store)).toBe(before)
})

test('an unknown tenant is refused, even for a removed account', async () => {
  const { world, persons } = await openWorld()
  const { userUid: created } = await world.call('CreateAccount', { ...person, pickUpPointUid: 'square' })
  const userUid = created ?? ''
  await world.call('RemoveAccount', { userUid })
  for (const run of [persons.export, persons.erase]) {
    await expect(run({ userUid, tenantId: 'acmee' })).rejects.toThrow(
      '--tenant: must be a tenant of the store, which lacks acmee',
    )
  }
  await expect(persons.export({ userUid, tenantId: 'acme' })).resolves.toMatchObject({ account: null })
})

test('a dispatcher and a foreign account are refused', async () => {
  const { world, persons } = await openWorld()
  const { dispatcher_user_uid: dispatcher } = await world.service.store
    .selectFrom('tenants')
    .select('dispatcher_user_uid')
    .where('tenant_id', '=', 'acme')
    .executeTakeFirstOrThrow()
  await expect(persons.erase({ userUid: dispatcher })).rejects.toThrow('--user: must not be the main account')
  const { userUid } = await world.call('CreateAccount', { ...person, pickUpPointUid: 'square' })
  const selection = { userUid: userUid ?? '', tenantId: 'globex' }
  for (const run of [persons.export, persons.erase]) {
    await expect(run(selection)).rejects.toThrow('--user: must be the uid of an account that globex manages')
  }
  expect((await world.call('GetAccount', { userUid })).isExisting).toBe(true)
})

test("another tenant's dispatcher at a shared pick up point is refused for a tenant", async () => {
  const { world, persons } = await openWorld()
  const { userUid: found } = await world.call('GetAccount', { userName: 'acme' })
  const userUid = found ?? ''
  await world.call('SetAccountPickUpPoint', { userUid, pickUpPointUid: 'shared' })
  await expect(persons.export({ userUid, tenantId: 'globex' })).rejects.toThrow(
    '--user: must be the uid of an account that globex manages',
  )
  await expect(persons.export({ userUid, tenantId: 'acme' })).resolves.toMatchObject({ account: { user_uid: userUid } })
})

test('an export for a tenant has the objects and responses of that tenant only, also those that name the person', async () => {
  const { world, persons } = await openWorld()
  const { service } = world
  const account = { ...person, pickUpPointUid: 'shared' }
  const { userUid: created } = await world.call('CreateAccount', account)
  const userUid = created ?? ''
  const housemate = {
    ...account,
    firstName: 'Ben',
    lastName: 'Otto',
    emailAddress: 'ben@home.example',
    userName: 'ben',
  }
  for (const client of ['acme', 'globex']) {
    const withKey = { client, headers: { 'idempotency-key': 'k' } }
    expect((await service.call('CreateOrGetAccount', account, withKey)).body).toMatchObject({ userUid })
    const other = { client, headers: { 'idempotency-key': 'other' } }
    expect((await service.call('CreateOrGetAccount', housemate, other)).body.userUid).not.toBe(userUid)
    const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' }, client)
    const details = { description: `${client} keeps it for ${fullName}`, count: 1 }
    await world.call('AddShipmentObject', { shipmentUid: shipmentUids[0] ?? '', details }, client)
  }
  for (const tenantId of ['acme', 'globex']) {
    const exported = await persons.export({ userUid, tenantId })
    expect(exported.shipmentObjects).toMatchObject([{ description: `${tenantId} keeps it for ${fullName}` }])
    expect(exported.responses).toMatchObject([{ client_id: tenantId }, { client_id: tenantId }])
  }
  const all = await persons.export({ userUid })
  expect([all.shipmentObjects.length, all.responses.length]).toEqual([2, 4])
})

test.each(['from', 'to'] as const)(
  'a removed person without audit entries is known by an ended shipment %s the person',
  async party => {
    const { world, persons } = await openWorld()
    const { store } = world.service
    const { userUid: created } = await world.call('CreateAccount', { ...person, pickUpPointUid: 'square' })
    const userUid = created ?? ''
    const { shipmentUids } =
      party === 'from'
        ? await world.call('CreateLocalShipmentAsIntake', { ...booking, FromUserUid: userUid })
        : await world.call('CreateLocalShipmentAsIssue', { ...booking, ToUserUid: userUid })
    const [shipmentUid = ''] = shipmentUids
    await world.call('CancelShipment', { shipmentUid })
    await world.call('RemoveAccount', { userUid })
    // As the retention purges them.
    await store
      .insertInto('audit_purges')
      .values({ log: 'audit_log', purged_before: Date.now() + 60_000 })
      .execute()
    await store.deleteFrom('audit_log').execute()
    await expect(persons.export({ userUid })).resolves.toMatchObject({
      account: null,
      shipments: [{ shipment_uid: shipmentUid }],
    })
    await expect(persons.erase({ userUid })).resolves.toMatchObject({ userUid })
  },
)

test.skipIf(inject('postgres') !== undefined)(
  'right after an erasure no file of an embedded store has the name',
  async () => {
    const { world, persons, databaseUrl } = await openWorld()
    const { userUid } = await world.call('CreateAccount', { ...person, pickUpPointUid: 'square' })
    // More than one page of rows.
    const rows = Array.from({ length: 200 }, (_, at) => ({
      EmailAddress: `n${at}@home.example`,
      Remarks: `lives with ${fullName}`,
    }))
    await upload(world.service, 'people.csv', csv(rows))
    await persons.erase({ userUid: userUid ?? '' })
    const file = databaseUrl.replace('file:', '')
    for (const path of [file, `${file}-wal`]) expect(readFileSync(path, 'latin1'), path).not.toMatch(names)
  },
)

describe.skipIf(inject('postgres') !== undefined)('an erasure beside another checkpoint of an embedded store', () => {
  /** Starts a checkpoint that lasts until the returned function is called. It waits for a reader. */
  async function startCheckpoint(path: string): Promise<() => void> {
    const [reader, writer] = [new DatabaseSync(path), new DatabaseSync(path, { timeout: 0 })]
    reader.exec('begin; select * from accounts')
    writer.exec('pragma user_version = 1')
    const checkpoint = `
      const { DatabaseSync } = require('node:sqlite')
      const database = new DatabaseSync(require('node:worker_threads').workerData, { timeout: 600_000 })
      database.exec('pragma wal_checkpoint(full)')
      database.close()`
    const ended = once(new Worker(checkpoint, { eval: true, workerData: path }), 'exit')
    const end = () => void (reader.isOpen && reader.close())
    onTestFinished(async () => {
      end()
      writer.close()
      await ended
    })
    // It has the lock of checkpoints before that of writes.
    await eventually(() => {
      try {
        writer.exec('begin immediate; rollback')
        return false
      } catch {
        return true
      }
    })
    return end
  }

  /** Erases a person, with another checkpoint from the end of the transactions until `tries` of its own have failed. */
  async function erase(lockTimeout: number, tries: number) {
    const { world, databaseUrl } = await openWorld()
    const { userUid } = await world.call('CreateAccount', { ...person, pickUpPointUid: 'square' })
    await world.stop()
    const file = databaseUrl.replace('file:', '')
    const store = await openStore(databaseUrl, { lockTimeout })
    onTestFinished(() => store.destroy())
    const executor = store.getExecutor()
    const execute = executor.executeQuery.bind(executor)
    const busy: unknown[] = []
    let end: (() => void) | undefined
    vi.spyOn(executor, 'executeQuery').mockImplementation(async query => {
      if (query.sql !== 'pragma wal_checkpoint(truncate)') return execute(query)
      end ??= await startCheckpoint(file)
      const result = await execute(query)
      busy.push(...result.rows)
      if (busy.length === tries) end()
      return result
    })
    const { stays } = await erasePerson(store, { userUid: userUid ?? '' }, Date.now())
    const size = statSync(`${file}-wal`).size
    return { busy, size, stays: stays.map(({ what }) => what) }
  }

  const log = 'the write-ahead log of the embedded store'

  test('empties the write-ahead log after it', async () => {
    const { busy, size, stays } = await erase(60_000, 1)
    expect(busy[0]).toMatchObject({ busy: 1 })
    expect(busy.at(-1)).toMatchObject({ busy: 0 })
    expect(size).toBe(0)
    expect(stays).not.toContain(log)
  })

  test('reports the write-ahead log when it lasts longer than the lock timeout', async () => {
    const { busy, stays } = await erase(200, Number.POSITIVE_INFINITY)
    expect(busy.at(-1)).toMatchObject({ busy: 1 })
    expect(stays).toContain(log)
  })
})

describe('a text names a person', () => {
  const matches = createMatcher({
    email: 'j.o+x@home.example',
    user_name: 'jan',
    phone_number: null,
    first_name: 'Ján',
    last_name: 'O(b)rien',
  })

  test.each([
    ['Mail to J.O+X@home.example, please', true],
    ['jan', true],
    ['for JAN.', true],
    ['in January', false],
    ['Ja\u0301n O(b)rien', true],
    ['o(b)rien ján', true],
    ['Ján', false],
    ['jxo+x@home.example', false],
    [null, false],
  ])('%s: %s', (text, expected) => expect(matches(text)).toBe(expected))

  test('in a JSON text, except in some fields', () => {
    const body = JSON.stringify({ a: 'for jan', list: ['jan', 1], caseNo: 'jan', other: 'x' })
    expect(JSON.parse(replaceInJson(body, (text, field) => field !== 'caseNo' && matches(text), null) ?? '')).toEqual({
      a: null,
      list: [null, 1],
      caseNo: 'jan',
      other: 'x',
    })
    expect(replaceInJson(body, () => false, null)).toBeUndefined()
  })
})
