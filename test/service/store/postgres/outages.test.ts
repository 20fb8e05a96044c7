import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../../../../service/store/index.ts'
import { startReceiver } from '../../../support/servers/callbackReceiver.ts'
import { startWire } from '../../../support/servers/postgresWire.ts'
import { startServices } from '../../../support/servers/serviceProcesses.ts'
import type { ServiceResponse, TestService } from '../../../support/service/testService.ts'
import { booking } from '../../../support/service/topology.ts'
import { connected, type PostgresServer, startPostgres } from '../../../support/setup/postgresServer.ts'

/** A server that the tests may kill, one after the other, and that keeps what it has committed. */
let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ durable: true })
  await server.run('create database migrated')
  await (await openStore(server.urlOf('migrated'))).destroy()
})
afterAll(() => server.remove())

let databases = 0
/** The URL of a database of its own for a test, with all tables. */
async function newDatabase(): Promise<string> {
  const name = `test${databases++}`
  await server.run(`create database ${name} template migrated`)
  return server.urlOf(name)
}

const callers = 6

const cutAll = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = 'lockerflow' and pid <> pg_backend_pid()`

test.each<[string, () => Promise<void>]>([
  ['restarts', () => server.stop().then(server.start)],
  ['is killed and comes back', () => server.kill().then(server.start)],
  ['drops all connections', () => server.run(cutAll)],
])('PostgreSQL %s under load: responses are 200 or 503, and nothing is lost or done twice', async (_name, fault) => {
  const databaseUrl = await newDatabase()
  const services = await startServices(2, databaseUrl)
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const [first] = services as [TestService]
  await first.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC' })
  await Promise.all(services.map(service => service.token()))

  const seen = new Map<number, number>()
  let over = false
  const lives = Array.from({ length: callers }, async (_, caller) => {
    const uids: string[] = []
    for (let life = 0; !over || life < 3; life++) {
      const service = services[caller % services.length] as TestService
      const key = `${caller}-${life}`
      const made = await insist(seen, () =>
        service.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' }, withKey(key)),
      )
      expect(made.body.error).toBeNull()
      const [shipmentUid = ''] = made.body.shipmentUids as string[]
      uids.push(shipmentUid)
      // Asked again after a lost response, it may have happened already.
      const gone = await insist(seen, () => service.call('CancelShipment', { shipmentUid }))
      expect([null, 'InvalidShipmentState']).toContain(gone.body.error)
    }
    return uids
  })
  await vi.waitFor(() => expect(seen.get(200) ?? 0).toBeGreaterThan(20), { timeout: 20_000 })
  await fault()
  const before = seen.get(200) ?? 0
  await vi.waitFor(() => expect(seen.get(200) ?? 0).toBeGreaterThan(before + 40), { timeout: 40_000 })
  over = true
  const uids = (await Promise.all(lives)).flat()

  expect([...seen.keys()].filter(status => ![200, 409, 503].includes(status))).toEqual([])
  for (const uid of uids) {
    const callbacks = await receiver.until(2, uid)
    // At least once: the process may be cut off between the delivery and its note of it.
    expect([...new Set(callbacks.map(({ message }) => message.stateCode))]).toEqual(['ReadyForDropOff', 'Cancelled'])
  }
  const rows = await first.store.selectFrom('shipments').select(['shipment_uid', 'state_code']).execute()
  expect(rows.map(({ shipment_uid }) => shipment_uid).toSorted()).toEqual(uids.toSorted())
  expect(new Set(rows.map(({ state_code }) => state_code))).toEqual(new Set(['Cancelled']))
  expect(await first.store.selectFrom('lockers').select('name').where('booked', '=', 1).execute()).toEqual([])
  expect(await first.store.selectFrom('access_codes').select('code_hash').execute()).toEqual([])
  await vi.waitFor(async () => expect(await first.store.selectFrom('outbox').select('seq').execute()).toEqual([]))
})

test('while PostgreSQL is unavailable the service is alive and not ready, and afterwards ready again', async () => {
  const databaseUrl = await newDatabase()
  const [service] = (await startServices(1, databaseUrl)) as [TestService]
  const token = await service.token()
  await server.stop()
  const responses = await Promise.all(Array.from({ length: 20 }, () => service.call('GetPickUpPoints', {}, { token })))
  for (const { status, body, headers } of responses) {
    expect({ status, error: body.error, wait: headers.get('retry-after') }).toEqual({
      status: 503,
      error: 'Unavailable',
      wait: '1',
    })
  }
  expect((await service.send('/health/ready')).status).toBe(503)
  expect((await service.send('/health/live')).status).toBe(200)
  await server.start()
  await vi.waitFor(async () => expect((await service.send('/health/ready')).status).toBe(200), { timeout: 10_000 })
  expect((await service.call('GetPickUpPoints', {}, { token })).status).toBe(200)
})

test('a PostgreSQL that stops responding but keeps its connections open counts as unavailable, and the service recovers', async () => {
  const wire = await startWire(await newDatabase())
  const [service] = (await startServices(1, wire.databaseUrl, { statementTimeout: 1_000 })) as [TestService]
  const stock = { ...booking, PupUid: 'shared' }
  const book = () => service.call('CreateLocalShipmentAsStock', stock, withKey('silent'))
  const cancel = (shipmentUid: string) => service.call('CancelShipment', { shipmentUid })
  const seen = new Map<number, number>()
  // On a busy machine a statement may take longer than its second.
  const first = await insist(seen, () => service.call('CreateLocalShipmentAsStock', stock, withKey('before')))
  const [uid = ''] = first.body.shipmentUids as string[]

  wire.hush()
  const responses = await Promise.all([book(), cancel(uid), ...Array.from({ length: 30 }, () => cancel('unknown'))])
  expect([...new Set(responses.map(({ status, body }) => `${status} ${body.error}`))]).toEqual(['503 Unavailable'])
  wire.mend()

  expect((await insist(seen, book)).body.error).toBeNull()
  expect((await insist(seen, () => cancel(uid))).body.error).toBeNull()
  const readStates = () => service.store.selectFrom('shipments').select('state_code').orderBy('seq').execute()
  await vi.waitFor(async () =>
    expect(await readStates()).toEqual([{ state_code: 'Cancelled' }, { state_code: 'ReadyForDropOff' }]),
  )
})

test('a probe of a PostgreSQL that stops responding prints nothing beside the log', async () => {
  const wire = await startWire(await newDatabase())
  const [service] = (await startServices(1, wire.databaseUrl, { statementTimeout: 3_000 })) as [TestService]
  const token = await service.token()
  const printed = vi.spyOn(console, 'error')
  onTestFinished(() => printed.mockRestore())
  wire.hush()
  expect((await service.send('/health/ready')).status).toBe(503)
  // It waits for the store until the statement of the probe has ended, which the probe does not wait for.
  expect((await service.call('GetPickUpPoints', {}, { token })).status).toBe(503)
  wire.mend()
  expect(printed.mock.calls).toEqual([])
})

test.each([
  ['without traffic', 0],
  ['under traffic', callers],
])(
  'a service whose PostgreSQL is read-only is not ready and names it, and keeps no read-only session afterwards: %s',
  async (_, count) => {
    const databaseUrl = await newDatabase()
    const [service] = (await startServices(1, databaseUrl)) as [TestService]
    await service.token()
    const readMissing = async () => (await service.send('/health/ready')).body.missing
    const book = (key: string) =>
      service.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' }, withKey(key))
    const alter = `alter database ${new URL(databaseUrl).pathname.slice(1)}`
    const statuses: number[] = []
    let over = false
    let calls: Promise<void>[] = []
    onTestFinished(async () => {
      over = true
      await Promise.allSettled(calls)
    })
    // A switchover: new sessions lead to a server that is a reader by now, and after it to the new primary.
    await server.run(`${alter} set default_transaction_read_only = on`, cutAll)
    calls = Array.from({ length: count }, async (_call, caller) => {
      for (let nth = 0; !over; nth++) statuses.push((await book(`${caller}-${nth}`)).status)
    })
    await vi.waitFor(async () =>
      expect(await readMissing()).toEqual([{ name: 'store', reason: 'The store accepts no writes' }]),
    )
    await vi.waitFor(() => expect(statuses.length).toBeGreaterThanOrEqual(count * 10))
    // Many sessions are read-only, and reads succeed on them.
    const token = await service.token()
    await Promise.all(Array.from({ length: 40 }, () => service.call('GetPickUpPoints', {}, { token })))
    // While the pool replaces all of them, there can be none.
    const former = await vi.waitFor(async () => {
      const sessions = await readSessions(databaseUrl)
      expect(sessions).not.toEqual([])
      return sessions
    })
    await server.run(`${alter} reset default_transaction_read_only`)

    await vi.waitFor(async () => expect(await readMissing()).toEqual([]), { timeout: 10_000 })
    // The pool ends those that no request uses after ten seconds.
    await vi.waitFor(
      async () => expect((await readSessions(databaseUrl)).filter(pid => former.includes(pid))).toEqual([]),
      { timeout: 20_000, interval: 500 },
    )
    // A session that began between the list and the reset is read-only, too. The next write on it replaces it.
    let round = 0
    await vi.waitFor(async () => {
      round++
      const responses = await Promise.all(Array.from({ length: 20 }, (_call, nth) => book(`after-${round}-${nth}`)))
      expect(responses.filter(({ status }) => status === 503)).toEqual([])
    })
    over = true
    await Promise.all(calls)
    expect(statuses.filter(status => ![200, 409, 503].includes(status))).toEqual([])
  },
)

/** The sessions of services. */
async function readSessions(databaseUrl: string): Promise<number[]> {
  const { rows } = await connected(databaseUrl, client =>
    client.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'lockerflow' and datname = current_database()",
    ),
  )
  return rows.map(({ pid }) => pid)
}

/** Asks until there is a response other than "not now". */
async function insist(seen: Map<number, number>, ask: () => Promise<ServiceResponse>): Promise<ServiceResponse> {
  for (;;) {
    const response = await ask()
    seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
    if (response.status !== 503 && response.status !== 409) return response
    await pause(20)
  }
}

function withKey(key: string) {
  return { headers: { 'idempotency-key': key } }
}
