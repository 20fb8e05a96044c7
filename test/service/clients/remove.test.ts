import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openClientRegistry } from '#service'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { quick, stock } from '../../support/service/callbacks.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { topology } from '../../support/service/topology.ts'
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

  await expect(registry.remove({ tenantId })).rejects.toThrow('--tenant: must be switched off')
  await registry.disable({ tenantId })
  await expect(registry.remove({ tenantId })).rejects.toThrow('must not have active shipments, and acme has 2')
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
  await registry.remove({ tenantId })

  const { store } = world.service
  for (const { name, columns } of await store.introspection.getTables()) {
    // The audit log outlives its tenants (D-200), and the retention purges their uploads (D-202).
    if (['audit_log', 'suggestion_uploads'].includes(name) || !columns.some(column => column.name === 'tenant_id'))
      continue
    const { rows } = await sql`select 1 from ${sql.table(name)} where tenant_id = ${tenantId}`.execute(store)
    expect({ name, rows }).toEqual({ name, rows: [] })
  }
  expect(await store.selectFrom('shipment_objects').select('seq').execute()).toEqual([])
  expect((await world.call('GetPickUpPoints', {}, 'globex')).success).toBe(true)
  // The same topology again.
  const again = await createWorld({ service: { databaseUrl, topology } })
  onTestFinished(() => again.stop())
  expect((await registry.list()).tenants).toEqual([{ tenantId: 'globex', isDisabled: false }])
})
