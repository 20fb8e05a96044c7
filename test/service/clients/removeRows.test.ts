import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openClientRegistry } from '#service'
import type { Store } from '../../../service/store/index.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { createWorld } from '../../support/world/createWorld.ts'

const [shipments, responses] = [240, 1_600]

/** A tenant that is disabled, with ended shipments, their objects and callbacks, and stored responses. */
async function start() {
  const databaseUrl = await temporaryStore()
  const world = await createWorld({ service: { databaseUrl } })
  onTestFinished(() => world.stop())
  const registry = await openClientRegistry(databaseUrl)
  onTestFinished(() => registry.close())
  const { store } = world.service
  await registry.disable({ tenantId: 'acme' })
  const numbers = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < `
  await sql`${numbers} ${sql.lit(shipments)})
    insert into shipments (shipment_uid, tenant_id, shipment_type, state_code, state_since, created_at, updated_at, pup_uid,
      width, height, length, keep_booked, stock)
    select 'uid-' || n, 'acme', 'LocalPupShipment', 'Completed', n, n, n, 'shared', 1, 1, 1, 0, 0 from numbers`.execute(
    store,
  )
  await sql`insert into outbox (message_id, tenant_id, shipment_uid, body, created_at, next_attempt_at)
    select 'message-' || seq, tenant_id, shipment_uid, '{}', 0, 0 from shipments`.execute(store)
  await sql`${numbers} ${sql.lit(responses)})
    insert into idempotency (client_id, key, fingerprint, status, body, created_at)
    select 'acme', 'key-' || n, 'f', 200, '{}', 0 from numbers`.execute(store)
  return { registry, store }
}

const countOf = async (store: Store, table: 'shipments' | 'outbox' | 'idempotency') =>
  Number(
    (
      await store
        .selectFrom(table)
        .select(eb => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  )

/** The numbers of rows that others see until the removal is done. */
async function watch(store: Store, removal: Promise<unknown>) {
  const seen = { shipments: new Set<number>(), idempotency: new Set<number>() }
  let isDone = false
  const done = removal.finally(() => {
    isDone = true
  })
  while (!isDone) {
    for (const table of ['shipments', 'idempotency'] as const) seen[table].add(await countOf(store, table))
    await delay(1)
  }
  await done
  return seen
}

const between = (seen: ReadonlySet<number>, most: number) => [...seen].filter(count => count > 0 && count < most)

test('a tenant is removed in small transactions, between which others write', async () => {
  const { registry, store } = await start()
  const seen = await watch(store, registry.remove({ tenantId: 'acme' }))
  expect(between(seen.shipments, shipments).length).toBeGreaterThan(0)
  expect(between(seen.idempotency, responses).length).toBeGreaterThan(0)
  for (const table of ['shipments', 'outbox', 'idempotency'] as const) expect(await countOf(store, table)).toBe(0)
  expect((await registry.list()).tenants).toEqual([{ tenantId: 'globex', isDisabled: false }])
})

test('the responses of a client are removed in small transactions', async () => {
  const { registry, store } = await start()
  await registry.disable({ clientId: 'acme' })
  const seen = await watch(store, registry.remove({ clientId: 'acme' }))
  expect(between(seen.idempotency, responses).length).toBeGreaterThan(0)
  expect(await countOf(store, 'shipments')).toBe(shipments)
})

test('a tenant that is enabled again during its removal stays', async () => {
  const { registry, store } = await start()
  const removal = registry.remove({ tenantId: 'acme' })
  const refused = expect(removal).rejects.toThrow('--tenant: must be disabled')
  while ((await countOf(store, 'shipments')) === shipments) await delay(1)
  await registry.enable({ tenantId: 'acme' })
  await refused
  expect((await registry.list()).tenants).toContainEqual({ tenantId: 'acme', isDisabled: false })
})

test('a tenant with an active shipment keeps its rows', async () => {
  const { registry, store } = await start()
  await store
    .updateTable('shipments')
    .set({ state_code: 'ReadyForPickup' })
    .where('shipment_uid', '=', 'uid-9')
    .execute()
  await expect(registry.remove({ tenantId: 'acme' })).rejects.toThrow('must not have active shipments, but acme has 1')
  expect([await countOf(store, 'shipments'), await countOf(store, 'idempotency')]).toEqual([shipments, responses])
})
