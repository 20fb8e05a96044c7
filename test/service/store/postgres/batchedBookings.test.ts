import { array, assert, asyncProperty, boolean, constantFrom, option, record } from 'fast-check'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { OperationName } from '#contract'
import { readAccessCodes } from '../../../../service/lockers/index.ts'
import { seeded } from '../../../support/seed.ts'
import { startServices } from '../../../support/servers/serviceProcesses.ts'
import { newStore, temporaryStore } from '../../../support/service/temporaryStore.ts'
import { startTestService, type TestService } from '../../../support/service/testService.ts'
import { booking, large, medium, small, topology } from '../../../support/service/topology.ts'

/** Operations that create one shipment, by the field of their user. */
const operations = {
  CreateLocalShipmentAsStock: undefined,
  CreateLocalShipmentAsIssue: 'ToUserUid',
  CreateLocalShipmentAsIntake: 'FromUserUid',
  CreateCollectOnlyShipmentAsCollectByUser: 'ToUserUid',
  CreateCollectOnlyShipmentAsCollectByDispatcher: undefined,
} as const satisfies Partial<Record<OperationName, string | undefined>>

const now = Date.parse('2026-01-02T03:04:05Z')
const names = Object.keys(operations) as (keyof typeof operations)[]
const tooLarge = { width: 400, height: 1, length: 1 }
const texts = { ReferenceNo: 'ref "1"', ReferenceCaseNo: 'Fall \\ 7', Description: 'Größe\n\u{1f511}' }

const step = record({
  name: constantFrom(...names),
  user: constantFrom('ada', 'ada', 'ada', 'unknown'),
  pupUid: constantFrom('square', 'square', 'reserve', 'shared', 'border', 'nowhere'),
  dimension: constantFrom(small, small, medium, large, { width: 30, height: 10, length: 20 }, tooLarge),
  larger: boolean(),
  overflow: boolean(),
  locker: constantFrom(undefined, undefined, undefined, 'nowhere'),
  texts: option(constantFrom(texts, { Description: '\ud800 \u0000' })),
  key: constantFrom(undefined, 'a', 'b', 'c', 'd', 'e', 'f'),
})
type Step = Parameters<Parameters<typeof step.map>[0]>[0]

test('a batch and a transaction of its own give each booking the same response and the same rows', async () => {
  await assert(
    asyncProperty(array(step, { minLength: 12, maxLength: 24 }), async steps => {
      const [batched, ordinary] = await Promise.all([true, false].map(batchBookings => run(batchBookings, steps)))
      expect(batched?.responses).toEqual(ordinary?.responses)
      expect(batched?.rows).toEqual(ordinary?.rows)
      expect(ordinary?.statements.filter(isBatch)).toEqual([])
      // A plain booking is made by the function.
      const plain = batched?.responses.filter(({ success }, at) => success && isPlain(steps[at] as Step)).length ?? 0
      expect(batched?.statements.filter(isBatch).length).toBeGreaterThanOrEqual(Math.min(1, plain))
    }),
    { ...seeded(4), endOnFailure: true },
  )
})

test('concurrent bookings share commits; one that is refused has its reason, and the others are booked', async () => {
  const [service] = (await startServices(1, await temporaryStore())) as [TestService]
  const seen = await watchInserts(service)
  onTestFinished(() => seen.stop().then(() => undefined))
  const userUid = await createUser(service)
  const book = (at: number) => {
    if (at % 10 === 3) return service.call('CreateLocalShipmentAsIssue', { ...stock, ToUserUid: 'unknown' })
    if (at % 10 === 7) return service.call('CreateLocalShipmentAsStock', { ...stock, PupUid: 'nowhere' })
    return service.call('CreateLocalShipmentAsIssue', { ...stock, ToUserUid: userUid })
  }
  const responses = await Promise.all(Array.from({ length: 20 }, (_, at) => book(at)))
  expect(responses.map(({ body }) => body.error)).toEqual(
    Array.from({ length: 20 }, (_, at) => ({ 3: 'InvalidUserUid', 7: 'InvalidPupUid' })[at % 10] ?? null),
  )
  expect(await seen.statements()).toHaveLength(16)
  expect((await seen.statements()).every(isBatch)).toBe(true)
  expect(await seen.transactions()).toBeLessThan(16)
  await assertCodes(service)
  const booked = await service.store.selectFrom('lockers').select('locker_uid').where('booked', '=', 1).execute()
  expect(booked).toHaveLength(16)
})

test('concurrent bookings of different sizes, whose smallest locker is the same, are booked by batches until none is free', async () => {
  const [service] = (await startServices(1, await temporaryStore())) as [TestService]
  const seen = await watchInserts(service)
  onTestFinished(() => seen.stop().then(() => undefined))
  const sizes = [small, medium, { width: 1, height: 1, length: 1 }]
  const responses = await Promise.all(
    Array.from({ length: 22 }, (_, at) =>
      service.call('CreateLocalShipmentAsStock', { ...stock, AllowLargerLockers: true, Dimension: sizes[at % 3] }),
    ),
  )
  const refused = responses.map(({ body }) => body.error).filter(error => error !== null)
  expect(refused).toEqual(['NoLockerAvailable', 'NoLockerAvailable'])
  expect((await seen.statements()).filter(isBatch)).toHaveLength(20)
  const booked = await service.store.selectFrom('shipments').select('locker_uid').distinct().execute()
  expect(booked).toHaveLength(20)
  await assertCodes(service)
})

test('one key at two processes at once books once, and each response is true', async () => {
  const services = await startServices(2, await temporaryStore())
  const headers = { 'idempotency-key': 'same' }
  const ask = (at: number) => (services[at % 2] as TestService).call('CreateLocalShipmentAsStock', stock, { headers })
  const first = await Promise.all(Array.from({ length: 8 }, (_, at) => ask(at)))
  for (const { body } of first) expect([null, 'IdempotencyKeyInUse']).toContain(body.error)
  const last = await ask(0)
  const made = first.filter(({ body }) => body.success).map(({ body }) => body.shipmentUids)
  for (const uids of made) expect(uids).toEqual(last.body.shipmentUids)
  const [{ store }] = services as [TestService]
  expect(await store.selectFrom('shipments').select('shipment_uid').execute()).toHaveLength(1)
})

test('a code in use fails the statements of a batch; every booking is made', async () => {
  const [service] = (await startServices(1, await temporaryStore())) as [TestService]
  // Fails the first insert of each batch with several shipments, as a code in use does.
  await sql`create function collide() returns trigger language plpgsql as $$
      begin
        if (select count(*) from added) > 2 then raise unique_violation; end if;
        return null;
      end $$;
    create trigger collide after insert on access_codes referencing new table as added
      for each statement execute function collide()`.execute(service.store)
  onTestFinished(() => sql`drop function collide cascade`.execute(service.store).then(() => undefined))
  const seen = await watchInserts(service)
  onTestFinished(() => seen.stop().then(() => undefined))
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => service.call('CreateLocalShipmentAsStock', stock)),
  )
  expect(responses.map(({ body }) => body.error)).toEqual(responses.map(() => null))
  expect((await seen.statements()).filter(isBatch)).toHaveLength(12)
  await assertCodes(service)
})

test('a draft with a code in use is booked by itself, and the others by their batch', async () => {
  const [service] = (await startServices(1, await temporaryStore())) as [TestService]
  const { store, secrets } = service
  // A tenth of all codes.
  const used = Array.from({ length: 100_000 }, (_, at) => String(at * 10).padStart(6, '0'))
  const rows = secrets.hashCodes(stock.PupUid, used).map(({ code: _, ...hash }) => hash)
  await sql`insert into access_codes (pup_uid, data_key_id, code_hash)
    select ${stock.PupUid}, data_key_id, code_hash
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as hash (data_key_id text, code_hash text)`.execute(store)
  await sql`create table inserts (count integer);
    create function count_inserts() returns trigger language plpgsql as $$
      begin
        insert into inserts select count(*) from added;
        return null;
      end $$;
    create trigger count_inserts after insert on shipments referencing new table as added
      for each statement execute function count_inserts()`.execute(store)
  onTestFinished(() =>
    sql`drop function count_inserts cascade; drop table inserts`.execute(store).then(() => undefined),
  )
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => service.call('CreateLocalShipmentAsStock', stock)),
  )
  expect(responses.map(({ body }) => body.error)).toEqual(responses.map(() => null))
  const { rows: inserts } = await sql<{ count: number }>`select count from inserts`.execute(store)
  expect(inserts.reduce((sum, { count }) => sum + count, 0)).toBe(20)
  // A draft that failed its statement would make each of its batch a statement of its own.
  expect(Math.max(...inserts.map(({ count }) => count))).toBeGreaterThan(1)
})

test('a batch sends its access codes encrypted or hashed', async () => {
  const [service] = (await startServices(1, await temporaryStore())) as [TestService]
  const sent = vi.spyOn(service.store, 'executeQuery')
  await service.call('CreateLocalShipmentAsStock', stock)
  const batches = sent.mock.calls.map(([query]) => JSON.stringify(query)).filter(isBatch)
  expect(batches).toHaveLength(1)
  const shipment = await service.store.selectFrom('shipments').selectAll().executeTakeFirstOrThrow()
  const { pickUpCode, deliveryCode } = readAccessCodes(service, shipment)
  for (const code of [pickUpCode, deliveryCode]) expect(batches.join()).not.toContain(`"${code}\\"`)
})

test('a booking waits while its tenant is being removed', async () => {
  const [service] = (await startServices(1, await temporaryStore())) as [TestService]
  const { store } = service
  await service.call('CreateLocalShipmentAsStock', stock)
  let booked: ReturnType<TestService['call']> | undefined
  await store.transaction().execute(async tx => {
    await tx.selectFrom('tenants').select('tenant_id').modifyEnd(sql`for update`).execute()
    booked = service.call('CreateLocalShipmentAsStock', stock)
    const waiting = sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database() and query like '%pick_up_point_tenants%'`
    await expect.poll(async () => (await waiting.execute(store)).rows[0]?.count).toBe(1)
    expect(await store.selectFrom('shipments').select('seq').execute()).toHaveLength(1)
  })
  expect(await booked).toMatchObject({ body: { success: true } })
})

const stock = { ...booking, PupUid: 'shared' }
const isBatch = (statement: string) => statement.includes('create_shipments')
const isPlain = ({ locker, overflow, key }: Step) => locker === undefined && !overflow && key === undefined

async function run(batchBookings: boolean, steps: readonly Step[]) {
  const { databaseUrl, remove } = await newStore()
  const service = await startTestService({ databaseUrl, topology, batchBookings, clock: () => now })
  const seen = await watchInserts(service)
  try {
    const userUid = await createUser(service)
    await service.call('ConfigureCallback', { url: 'http://127.0.0.1:9/', authType: 'None' })
    const responses = []
    for (const step of steps) {
      const headers = step.key === undefined ? {} : { 'idempotency-key': step.key }
      const response = await service.call(step.name, toRequest(step, userUid), { headers })
      const { error, message, success } = response.body
      responses.push({ status: response.status, error, message, success })
    }
    await assertCodes(service)
    return { responses, rows: await readRows(service), statements: await seen.statements() }
  } finally {
    await seen.stop()
    await service.stop()
    await remove()
  }
}

function toRequest({ name, user, pupUid, dimension, larger, overflow, locker, texts }: Step, userUid: string) {
  const field = operations[name]
  return {
    PupUid: pupUid,
    Dimension: dimension,
    AllowLargerLockers: larger,
    AllowOverflowLockers: overflow,
    ...(locker && { LockerUid: locker }),
    ...(texts && { Details: texts }),
    ...(field && { [field]: user === 'ada' ? userUid : user }),
    ...(name.startsWith('CreateCollect') && { KeepBookedAfterPickUp: true }),
  }
}

/** Every row that a booking reads or writes, with uids in the order of their appearance and without random values. */
async function readRows({ store }: TestService): Promise<string> {
  const rows = {
    tenants: await store.selectFrom('tenants').select('dispatcher_user_uid').orderBy('tenant_id').execute(),
    accounts: await store.selectFrom('accounts').select('user_uid').orderBy('email').execute(),
    lockers: await store.selectFrom('lockers').selectAll().orderBy('pup_uid').orderBy('name').execute(),
    shipments: (await store.selectFrom('shipments').selectAll().orderBy('seq').execute()).map(({ seq, ...row }) => row),
    outbox: await store
      .selectFrom('outbox')
      .select(['tenant_id', 'shipment_uid', 'body', 'created_at', 'waits_for', 'traceparent'])
      .orderBy('seq')
      .execute(),
    responses: await store.selectFrom('idempotency').selectAll().orderBy('key').execute(),
    codes: await store
      .selectFrom('access_codes')
      .select(eb => ['pup_uid', eb.fn.countAll<number>().as('count')])
      .groupBy('pup_uid')
      .orderBy('pup_uid')
      .execute(),
  }
  const uids = new Map<string, string>()
  return JSON.stringify(rows, null, 1)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, uid => {
      uids.set(uid, uids.get(uid) ?? `uid${uids.size}`)
      return uids.get(uid) ?? ''
    })
    .replaceAll(/v1\.[\w.-]+/g, 'encrypted')
    .replaceAll(/"fingerprint": "[^"]*"/g, 'fingerprint')
}

/** The codes of each shipment are readable, and their hashes are stored. */
async function assertCodes({ store, secrets }: TestService): Promise<void> {
  const stored = await store.selectFrom('access_codes').select('code_hash').execute()
  const hashes: string[] = []
  for (const row of await store.selectFrom('shipments').selectAll().execute()) {
    const { pickUpCode, deliveryCode } = readAccessCodes({ secrets }, row)
    const codes = [pickUpCode ?? '', deliveryCode ?? '']
    for (const code of codes) expect(code).toMatch(/^\d{6}$/)
    hashes.push(...secrets.hashCodes(row.pup_uid, codes).map(({ code_hash }) => code_hash))
  }
  expect(stored.map(({ code_hash }) => code_hash).toSorted()).toEqual(hashes.toSorted())
}

async function createUser(service: TestService): Promise<string> {
  const person = { emailAddress: 'ada@home.example', firstName: 'Ada', lastName: 'Lovelace', pickUpPointUid: 'square' }
  return String((await service.call('CreateAccount', person)).body.userUid)
}

/** Notes the statement that inserts each shipment. */
async function watchInserts({ store }: TestService) {
  await sql`create table seen (at serial, statement text, transaction bigint);
    create function see() returns trigger language plpgsql as $$
      begin
        insert into seen (statement, transaction) values (current_query(), txid_current());
        return new;
      end $$;
    create trigger see after insert on shipments for each row execute function see()`.execute(store)
  return {
    async statements() {
      const { rows } = await sql<{ statement: string }>`select statement from seen order by at`.execute(store)
      return rows.map(({ statement }) => statement)
    },
    async transactions() {
      const { rows } = await sql<{ transaction: number }>`select distinct transaction from seen`.execute(store)
      return rows.length
    },
    stop: () => sql`drop function see cascade; drop table seen`.execute(store),
  }
}
