import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openClientRegistry } from '#service'
import type { Store } from '../../../service/store/index.ts'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { quick, stock } from '../../support/service/callbacks.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { booking, topology } from '../../support/service/topology.ts'
import { csv, upload } from '../../support/service/uploads.ts'
import { createWorld } from '../../support/world/createWorld.ts'

async function start() {
  const databaseUrl = await temporaryStore()
  const world = await createWorld({ service: { databaseUrl, delivery: quick } })
  onTestFinished(() => world.stop())
  const registry = await openClientRegistry(databaseUrl)
  onTestFinished(() => registry.close())
  return { databaseUrl, world, registry }
}

test('a tenant is removed with all that is its own, once nothing of it is active', async () => {
  const { databaseUrl, world, registry } = await start()
  const receiver = await startReceiver(() => ({ status: 503 }))
  onTestFinished(() => receiver.stop())
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC' })
  const shipmentUid = await stock(world)
  await world.call('AddShipmentObject', { shipmentUid, details: { count: 1 } })
  await world.call('SetSandboxFaults', { hardwareFails: true })
  await upload(world.service, 'people.csv', csv([{ EmailAddress: 'ada@home.example' }]))
  const kept = await stock(world, { PupUid: 'shared' })
  const tenantId = 'acme'
  const foreign = await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' }, 'globex')
  await world.call('AddShipmentObject', { shipmentUid: foreign.shipmentUids[0] ?? '', details: { count: 2 } }, 'globex')
  await upload(world.service, 'people.csv', csv([{ EmailAddress: 'ben@home.example' }]), { client: 'globex' })

  await expect(registry.remove({ tenantId })).rejects.toThrow('--tenant: must be disabled')
  await registry.disable({ tenantId })
  await expect(registry.remove({ tenantId })).rejects.toThrow('but acme has 2; enable it to end them, or')
  await registry.enable({ tenantId })
  const { body } = await world.service.signIn({
    client_id: 'acme',
    client_secret: 'acme-secret',
    grant_type: 'client_credentials',
  })
  const token = String(body.access_token)
  for (const uid of [shipmentUid, kept]) {
    expect((await world.service.call('CancelShipment', { shipmentUid: uid }, { token })).body.success).toBe(true)
  }
  await registry.disable({ tenantId })
  const { store } = world.service
  const ofGlobex = await rowsOf(store, 'globex')
  await registry.remove({ tenantId })

  expect(ofGlobex).toMatchObject({ shipments: 1, clients: 1, suggestion_uploads: 1, tenants: 1 })
  expect(await rowsOf(store, 'globex')).toEqual(ofGlobex)
  // The audit log outlives its tenants, and the retention purges their uploads.
  const { audit_log, suggestion_uploads, ...left } = await rowsOf(store, tenantId)
  expect(Object.entries(left).filter(([, rows]) => rows > 0)).toEqual([])
  expect(await store.selectFrom('shipment_objects').select('count').execute()).toEqual([{ count: 2 }])
  expect((await world.call('GetPickUpPoints', {}, 'globex')).success).toBe(true)
  // The same topology again.
  const again = await createWorld({ service: { databaseUrl, topology } })
  onTestFinished(() => again.stop())
  expect((await registry.list()).tenants).toEqual([{ tenantId: 'globex', isDisabled: false }])
})

test.each([
  { what: 'an active shipment to it', from: false, end: false, stays: true },
  { what: 'an active shipment from it', from: true, end: false, stays: true },
  { what: 'an ended shipment to it', from: false, end: true, stays: false },
])("with $what at another tenant, the removed tenant's dispatcher stays: $stays", async ({ from, end, stays }) => {
  const { world, registry } = await start()
  const { store } = world.service
  const { dispatcher_user_uid: dispatcher } = await store
    .selectFrom('tenants')
    .select('dispatcher_user_uid')
    .where('tenant_id', '=', 'acme')
    .executeTakeFirstOrThrow()
  // It concerns another account.
  await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' }, 'globex')
  const party = from ? { FromUserUid: dispatcher } : { ToUserUid: dispatcher }
  const operation = from ? 'CreateLocalShipmentAsIntake' : 'CreateLocalShipmentAsIssue'
  const booked = await world.call(operation, { ...booking, PupUid: 'shared', ...party } as never, 'globex')
  const [shipmentUid = ''] = booked.shipmentUids
  if (end) await world.call('CancelShipment', { shipmentUid }, 'globex')
  await registry.disable({ tenantId: 'acme' })
  await registry.remove({ tenantId: 'acme' })
  const found = await store.selectFrom('accounts').select('user_uid').where('user_uid', '=', dispatcher).execute()
  expect(found).toHaveLength(stays ? 1 : 0)
  expect(await store.selectFrom('accounts').selectAll().execute(), "globex's dispatcher").toHaveLength(stays ? 2 : 1)
})

test('a client is removed with its stored responses, and a later one of its id gets neither them nor its tokens', async () => {
  const { world, registry } = await start()
  const { service } = world
  const book = (token: string) =>
    service.call('CreateLocalShipmentAsStock', booking, { token, headers: { 'idempotency-key': 'k' } })
  const token = await service.token('acme')
  const first = await book(token)
  expect(first.body.success).toBe(true)
  await expect(registry.remove({ clientId: 'acme' })).rejects.toThrow('client id: must be disabled')
  await registry.disable({ clientId: 'acme' })
  await registry.remove({ clientId: 'acme' })
  expect(await service.store.selectFrom('idempotency').select('key').execute()).toEqual([])

  const { clientSecret } = await registry.add({ clientId: 'acme', tenantId: 'acme' })
  const signedIn = await service.signIn({
    client_id: 'acme',
    client_secret: clientSecret,
    grant_type: 'client_credentials',
  })
  // Services see a change within a second.
  await vi.waitFor(async () => expect((await service.call('GetPickUpPoints', {}, { token })).status).toBe(401))
  const again = await book(String(signedIn.body.access_token))
  expect(again.body.success).toBe(true)
  expect(again.body.shipmentUids).not.toEqual(first.body.shipmentUids)
  expect(await service.store.selectFrom('shipments').select('seq').execute()).toHaveLength(2)
})

/** The number of rows of a tenant in each table that names tenants. */
async function rowsOf(store: Store, tenantId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name, columns } of await store.introspection.getTables()) {
    if (!columns.some(column => column.name === 'tenant_id')) continue
    const { rows } = await sql`select 1 from ${sql.table(name)} where tenant_id = ${tenantId}`.execute(store)
    counts[name] = rows.length
  }
  return counts
}
