import { expect, test, vi } from 'vitest'
import { fillOutbox, never, quick, startWithReceiver, stock } from '../../support/service/callbacks.ts'
import { measureSlowness } from '../../support/slowness.ts'

const delivery = { ...quick, initialInterval: 60_000, maximumInterval: 60_000, stopTimeout: 10 }

test.each([40, 200])('%i deliveries without a response delay no other shipment of the tenant', async count => {
  const { world, receiver } = await startWithReceiver(
    ({ message }) => (message.description === 'other' ? { status: 204 } : never),
    { delivery },
  )
  await fillOutbox(world.service.store, { tenantId: 'acme', shipments: count })
  await receiver.until(count)
  const slowness = measureSlowness()
  const started = performance.now()
  const shipmentUid = await stock(world, { Details: { Description: 'other' } })
  await receiver.until(1, shipmentUid)
  // A delivery without a response ends after 15 s only.
  expect((performance.now() - started) / slowness()).toBeLessThan(5_000)
})

test('deliveries without a response are bounded, per tenant and in all', async () => {
  const { world, receiver } = await startWithReceiver(() => never, {
    // No delivery ends during the test, on a busy machine either.
    delivery: { ...delivery, timeout: 120_000, maximumInFlight: 40, slowAfter: 20 },
  })
  const { store } = world.service
  await world.call('ConfigureCallback', { url: `${receiver.url}/globex`, authType: 'None' }, 'globex')
  const acme = await fillOutbox(store, { tenantId: 'acme', shipments: 100 })
  const sentTo = (uids: readonly string[]) =>
    receiver.received.filter(({ message }) => uids.includes(message.shipmentUid)).length
  // A tenant claims while it has less than a third of the free capacity: 10 of 40, then 30 are free.
  await vi.waitFor(() => expect(sentTo(acme)).toBe(10), { timeout: 10_000 })
  const globex = await fillOutbox(store, { tenantId: 'globex', shipments: 100 })
  await vi.waitFor(() => expect(sentTo(globex)).toBe(8), { timeout: 10_000 })
  const leased = await store.selectFrom('outbox').select('seq').where('lease_expires_at', '>', 0).execute()
  expect(leased).toHaveLength(18)
})
