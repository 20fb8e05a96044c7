import { expect, onTestFinished, test } from 'vitest'
import { openClientRegistry } from '#service'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { startWithReceiver, stock } from '../../support/service/callbacks.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { booking } from '../../support/service/topology.ts'

test('callbacks of a tenant that is disabled wait, and are sent when it is enabled again', async () => {
  const databaseUrl = await temporaryStore()
  const { world, receiver } = await startWithReceiver(() => ({ status: 503 }), { databaseUrl })
  const registry = await openClientRegistry(databaseUrl)
  onTestFinished(() => registry.close())
  const other = await startReceiver()
  onTestFinished(() => other.stop())
  await world.call('ConfigureCallback', { url: other.url, authType: 'HMAC' }, 'globex')
  const shipmentUid = await stock(world)
  await receiver.until(1)
  await registry.disable({ tenantId: 'acme' })

  /** Sends a callback of the other tenant, so that the outbox has looked for due ones since. */
  async function afterAnother(count: number): Promise<void> {
    await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'harbour' }, 'globex')
    await other.until(count)
  }

  await afterAnother(1)
  // Its retry is overdue: a tenant that is enabled has another one within 100 ms.
  await eventually(async () => {
    const rows = await world.service.store.selectFrom('outbox').selectAll().where('tenant_id', '=', 'acme').execute()
    const [message] = rows
    return message?.lease_expires_at === 0 && message.next_attempt_at < Date.now() - 300
  })
  const sent = receiver.received.length
  receiver.answer(() => ({ status: 204 }))
  await afterAnother(2)
  expect(receiver.received).toHaveLength(sent)

  await registry.enable({ tenantId: 'acme' })
  await receiver.until(sent + 1)
  expect(receiver.received.at(-1)?.message.shipmentUid).toBe(shipmentUid)
})
