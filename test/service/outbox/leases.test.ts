import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { defaultUidSignatureScheme } from '#contract'
import type { Settings } from '#service'
import { claimForLane, claimMessages, leaseDuration } from '../../../service/outbox/claims.ts'
import { createDrain } from '../../../service/outbox/drain.ts'
import { createLanes } from '../../../service/outbox/lanes.ts'
import { defaultDelivery } from '../../../service/outbox/retryPolicy.ts'
import { findTenantsWithWork, maxLease } from '../../../service/outbox/schedule.ts'
import { createSender } from '../../../service/outbox/sender.ts'
import { hasRowLocks } from '../../../service/store/locks.ts'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { drained, fillOutbox, never, quick, startWithReceiver, stock } from '../../support/service/callbacks.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const minute = 60_000
const hour = 60 * minute
/** A process gives up a delivery after this time. A lease lasts five seconds longer. */
const timeout = 5_000
const lease = timeout + 5_000

const slowRetries = { ...quick, timeout, initialInterval: hour, maximumInterval: hour }

test('a message of a killed process is sent when its lease has expired, and not before', async () => {
  // A lease that a busy machine does not outlast is possible only with a long delivery.
  const { world, receiver } = await startWithReceiver((_, count) => ({ status: count === 1 ? 500 : 204 }), {
    delivery: { ...slowRetries, timeout: 2 * minute },
  })
  await stock(world)
  await drained(world, receiver, 1, 1)
  await leaseUntil(world, minute)
  const other = await stock(world)
  await receiver.until(1, other)
  await vi.waitFor(async () =>
    expect(await world.service.store.selectFrom('outbox').select('seq').execute()).toHaveLength(1),
  )
  expect(receiver.received).toHaveLength(2)
  const started = performance.now()
  await leaseUntil(world, 1_500)
  await receiver.until(3)
  expect(performance.now() - started).toBeGreaterThan(1_450)
})

test('a lease that ends later than possible has expired: the clock was set back', async () => {
  const { world, receiver } = await startWithReceiver((_, count) => ({ status: count === 1 ? 500 : 204 }), {
    delivery: slowRetries,
  })
  await stock(world)
  await drained(world, receiver, 1, 1)
  await leaseUntil(world, 2 * maxLease + minute)
  await receiver.until(2)
  await drained(world, receiver, 2, 0)
})

test('a process with a shorter lease claims no message that another one has leased for the longest time', async () => {
  const world = await createWorld({ service: { delivery: { maximumInFlight: 0, pollInterval: hour } } })
  onTestFinished(() => world.stop())
  await world.call('ConfigureCallback', { url: 'http://127.0.0.1:9/', authType: 'None' })
  const { store, settings } = world.service
  await fillOutbox(store, { tenantId: 'acme', shipments: 1 })
  const tenant = { tenant_id: 'acme', callback_version: 1 }
  const claim = (lease: number) => claimMessages(store, settings.clock, tenant, { kind: 'fresh', limit: 8, lease })
  expect(await claim(leaseDuration({ timeout: 2 * minute }))).toHaveLength(1)
  expect(await claim(20_000)).toEqual([])
  expect(await findTenantsWithWork(store, settings.clock)).toEqual([])
})

test('new messages that are leased are sent when the claim of retries fails', async () => {
  const world = await createWorld({ service: { delivery: { maximumInFlight: 0, pollInterval: hour } } })
  onTestFinished(() => world.stop())
  await world.call('ConfigureCallback', { url: 'http://127.0.0.1:9/', authType: 'None' })
  const { store, settings } = world.service
  await fillOutbox(store, { tenantId: 'acme', shipments: 1, failed: { attempts: 1, retryInMs: -minute } })
  const [shipmentUid] = await fillOutbox(store, { tenantId: 'acme', shipments: 1 })
  const raise = hasRowLocks(store)
    ? sql`create function broken() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
        create trigger broken before update on outbox for each row when (old.attempts > 0) execute function broken()`
    : sql`create trigger broken before update on outbox when old.attempts > 0 begin select raise(abort, 'broken'); end`
  await raise.execute(store)
  const lanes = createLanes(defaultDelivery)
  const claim = async () => {
    const [laneClaim] = lanes.next(1, performance.now(), new Set())
    if (laneClaim === undefined) throw new Error('the lane cannot claim')
    return claimForLane(store, settings.clock, laneClaim, lease)
  }
  lanes.next(0, performance.now(), new Set(['acme']))
  const { messages } = await claim()
  expect(messages).toMatchObject([{ shipment_uid: shipmentUid }])
  // The retry is still due, and its failure is known when nothing else is claimed.
  await expect(claim()).rejects.toThrow('broken')
})

test('a message whose lease expires during its delivery is not sent again by the process that is delivering it', async () => {
  const { world, receiver } = await startWithReceiver(
    ({ message }) => (message.description === 'slow' ? never : { status: 204 }),
    { delivery: { ...quick, timeout: minute, stopTimeout: 10 } },
  )
  const slow = await stock(world, { Details: { Description: 'slow' } })
  await receiver.until(1, slow)
  await leaseUntil(world, -1)
  await vi.waitFor(async () => expect(await leaseOf(world)).toBeGreaterThan(await storeNow(world)))
  await receiver.until(1, await stock(world))
  expect(await receiver.until(1, slow)).toHaveLength(1)
})

test('a service whose clock is ten minutes ahead leaves no lease that outlasts it', async () => {
  const databaseUrl = await temporaryStore()
  const receiver = await startReceiver(() => never)
  onTestFinished(() => receiver.stop())
  const first = await start(databaseUrl, { clock: () => Date.now() + 10 * minute })
  await first.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC' })
  await stock(first, { PupUid: 'shared' })
  await receiver.until(1)
  const leasedUntil = await leaseOf(first)
  const ahead = hasRowLocks(first.service.store) ? 0 : 10 * minute
  expect(Math.abs(leasedUntil - lease - ahead - Date.now())).toBeLessThan(minute)
  // Cut off from its store, as if it were killed: the delivery is never recorded.
  await first.service.store.destroy()

  receiver.answer(() => ({ status: 204 }))
  const second = await start(databaseUrl)
  const [one, two] = await receiver.until(2)
  expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id'])
  const { store } = second.service
  await vi.waitFor(async () => expect(await store.selectFrom('outbox').select('seq').execute()).toEqual([]))
  expect(receiver.received).toHaveLength(2)
})

test('a lease outlasts the timeout of a delivery by five seconds', () => {
  expect(leaseDuration({ timeout })).toBe(lease)
})

test.each([
  ['is sent while its lease outlasts a delivery', 4_000, 2],
  ['is not sent when its lease could end before', 6_000, 1],
])('a message that the store returns late %s', async (_case, late, count) => {
  const { world, receiver } = await startWithReceiver((_, count) => ({ status: count === 1 ? 500 : 204 }), {
    delivery: slowRetries,
  })
  await stock(world)
  await drained(world, receiver, 1, 1)
  const { store } = world.service
  const delivery = { ...defaultDelivery, timeout }
  const lanes = createLanes(delivery)
  const sender = createSender({
    secrets: { decrypt: (_column, _rowId, encrypted) => encrypted, refresh: async () => undefined },
    allowPrivateNetworks: true,
    uidSignatureScheme: defaultUidSignatureScheme,
    timeout,
    clock: Date.now,
  })
  const log = pino({ level: 'silent' })
  const stopping = new AbortController().signal
  const drain = createDrain({ store, log, clock: Date.now, delivery, sender, lanes, stopping })
  const tenant = await store.selectFrom('tenants').selectAll().where('tenant_id', '=', 'acme').executeTakeFirstOrThrow()
  const messages = await store.selectFrom('outbox').selectAll().execute()
  drain.send({ lane: lanes.open('acme'), tenant, messages }, performance.now() - late)
  await drain.end()
  expect(receiver.received).toHaveLength(count)
})

async function start(databaseUrl: string, overrides: Partial<Settings> = {}): Promise<ServiceWorld> {
  const delivery = { ...quick, timeout, stopTimeout: 10 }
  const world = await createWorld({ service: { databaseUrl, delivery, ...overrides } })
  onTestFinished(() => world.stop().catch(() => undefined))
  return world
}

/** Gives all messages a lease that ends after these milliseconds. */
async function leaseUntil(world: ServiceWorld, milliseconds: number): Promise<void> {
  const now = await storeNow(world)
  await world.service.store
    .updateTable('outbox')
    .set({ next_attempt_at: 1, lease_expires_at: now + milliseconds })
    .execute()
}

async function storeNow({ service: { store, settings } }: ServiceWorld): Promise<number> {
  if (!hasRowLocks(store)) return settings.clock()
  const now = sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`
  return (await now.execute(store)).rows[0]?.now ?? 0
}

async function leaseOf({ service: { store } }: ServiceWorld): Promise<number> {
  const { lease_expires_at } = await store.selectFrom('outbox').select('lease_expires_at').executeTakeFirstOrThrow()
  return lease_expires_at
}
