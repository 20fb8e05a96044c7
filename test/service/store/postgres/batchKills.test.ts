import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { operations } from '#contract'
import { freePort } from '../../../../platform/ports.ts'
import { serviceWithoutLimits } from '../../../support/childEnvironment.ts'
import { startOwnPostgres, startServices } from '../../../support/servers/serviceProcesses.ts'
import { temporaryFolder } from '../../../support/service/temporaryStore.ts'
import type { ServiceResponse, TestService } from '../../../support/service/testService.ts'
import { booking, topology } from '../../../support/service/topology.ts'

const keys = Array.from({ length: 6 }, (_, at) => `key-${at}`)
const name = 'CreateLocalShipmentAsStock'
const request = { ...booking, PupUid: 'shared' }
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

test('PostgreSQL is killed in the middle of a batch: every caller gets 503, and its repeated request books once', async () => {
  const { server, databaseUrl } = await startOwnPostgres()
  const [service] = (await startServices(1, databaseUrl)) as [TestService]
  await service.token()
  const letGo = await stopBatches(service)
  const asked = Promise.all(keys.map(key => service.call(name, request, withKey(key))))
  await awaitBatch(service)
  await server.kill()
  expect((await asked).map(({ status, body }) => [status, body.error])).toEqual(keys.map(() => [503, 'Unavailable']))
  await server.start()
  await letGo()
  await expectOneBookingPerKey(service)
})

test('the service is killed in the middle of a batch: another process has the response that its callers did not get', async () => {
  const { databaseUrl } = await startOwnPostgres()
  const [service] = (await startServices(1, databaseUrl)) as [TestService]
  const token = await service.token()
  const killed = await startProcess(databaseUrl, service)
  const letGo = await stopBatches(service)
  const asked = Promise.allSettled(
    keys.map(key =>
      fetch(killed.origin + operations[name].path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': key },
        body: JSON.stringify(request),
      }),
    ),
  )
  await awaitBatch(service)
  await killed.kill()
  expect((await asked).map(({ status }) => status)).toEqual(keys.map(() => 'rejected'))
  await letGo()
  await expectOneBookingPerKey(service)
})

/** Asks with each key again, twice: the uids are the same, and each is a shipment with a locker and codes of its own. */
async function expectOneBookingPerKey(service: TestService): Promise<void> {
  const ask = async (key: string) => (await insist(() => service.call(name, request, withKey(key)))).body.shipmentUids
  const uids = await Promise.all(keys.map(ask))
  expect(await Promise.all(keys.map(ask))).toEqual(uids)
  const { store } = service
  const shipments = await store.selectFrom('shipments').select(['shipment_uid', 'locker_uid']).execute()
  expect(shipments.map(({ shipment_uid }) => shipment_uid).toSorted()).toEqual(uids.flat().toSorted())
  const booked = await store.selectFrom('lockers').select('locker_uid').where('booked', '=', 1).execute()
  expect(booked.map(({ locker_uid }) => locker_uid).toSorted()).toEqual(
    shipments.map(({ locker_uid }) => locker_uid).toSorted(),
  )
  expect(await store.selectFrom('access_codes').select('code_hash').execute()).toHaveLength(2 * keys.length)
}

async function insist(ask: () => Promise<ServiceResponse>): Promise<ServiceResponse> {
  for (;;) {
    const response = await ask()
    if (response.status !== 503 && response.status !== 409) return response
    await pause(20)
  }
}

/** Makes every insert of a shipment wait until the returned function is called. */
async function stopBatches({ store }: TestService): Promise<() => Promise<void>> {
  await sql`create table stopped (at integer);
    insert into stopped values (1);
    create function stop_here() returns trigger language plpgsql as $$
      begin
        while exists (select from stopped) loop perform pg_sleep(0.02); end loop;
        return new;
      end $$;
    create trigger stop_here before insert on shipments for each row execute function stop_here()`.execute(store)
  return async () => {
    await vi.waitFor(() => sql`delete from stopped`.execute(store), { timeout: 20_000, interval: 100 })
  }
}

/** Waits until a batch is in the function. */
async function awaitBatch({ store }: TestService): Promise<void> {
  const running = sql`select from pg_stat_activity where wait_event = 'PgSleep' and query like '%create_shipments%'`
  await vi.waitFor(async () => expect((await running.execute(store)).rows.length).toBeGreaterThan(0), {
    timeout: 20_000,
  })
}

/** Starts a service in a process of its own, which accepts the tokens of the other one. */
async function startProcess(databaseUrl: string, { settings }: TestService) {
  const port = await freePort('127.0.0.1')
  const topologyFile = join(temporaryFolder(), 'topology.json')
  writeFileSync(topologyFile, JSON.stringify(topology))
  const child = spawn(process.execPath, ['service/main.ts'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      ...serviceWithoutLimits,
      LOCKERFLOW_DATABASE_URL: databaseUrl,
      LOCKERFLOW_SERVICE_PORT: String(port),
      LOCKERFLOW_HOST: '127.0.0.1',
      LOCKERFLOW_PUBLIC_URL: settings.publicUrl,
      LOCKERFLOW_TOPOLOGY: topologyFile,
    },
  })
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  await once(createInterface(child.stdout), 'line')
  return { origin: `http://127.0.0.1:${port}`, kill }
}
