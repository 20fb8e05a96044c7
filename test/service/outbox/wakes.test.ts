import { expect, onTestFinished, test } from 'vitest'
import type { DeliveryResult } from '../../../service/observer.ts'
import { createOutbox } from '../../../service/outbox/index.ts'
import { openStore } from '../../../service/store/index.ts'
import { applyTopology } from '../../../service/topology/index.ts'
import { type Answer, startReceiver } from '../../support/servers/callbackReceiver.ts'
import { fillOutbox } from '../../support/service/callbacks.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { topology } from '../../support/service/topology.ts'
import { silentLog } from '../../support/world/settings.ts'

/** Longer than the test: an outbox that misses a wake does not find the message by itself. */
const hour = 3_600_000
const rare = { initialInterval: hour, maximumInterval: hour, pollInterval: hour }

/** More microtasks than a search for work takes after the end of a delivery. */
const microtasks = 8

test('a wake is not lost, at whatever moment of a search for work it comes', async () => {
  const receiver = await startReceiver()
  const store = await openStore(await temporaryStore())
  await applyTopology(store, topology, Date.now())
  // Without a key, there is nothing to decrypt.
  await store.updateTable('tenants').set({ callback_url: receiver.url }).execute()
  const secrets = { decrypt: (_column: string, _row: string, text: string) => text, refresh: async () => undefined }
  let onFailed = () => {}
  const delivered = (result: DeliveryResult) => {
    if (result === 'failed') onFailed()
  }
  const outbox = createOutbox({
    ...{ store, secrets, log: silentLog, allowPrivateNetworks: true, delivery: rare },
    observer: { delivered },
  })
  onTestFinished(async () => {
    await outbox.stop()
    await store.destroy()
    await receiver.stop()
  })
  const insert = async () => String(await fillOutbox(store, { tenantId: 'acme', shipments: 1 }))

  for (let after = 0; after < microtasks; after++) {
    onFailed = () => wakeAfter(after)
    const { promise: answered, resolve: respond } = Promise.withResolvers<Answer>()
    receiver.answer(() => answered)
    const first = await insert()
    outbox.wake('acme')
    await receiver.until(1, first)
    const second = await insert()
    receiver.answer(() => ({ status: 204 }))
    // Its failure leaves the outbox without work, and the wake of the second message comes meanwhile.
    respond({ status: 500 })
    expect(await receiver.until(1, second)).toHaveLength(1)
  }

  function wakeAfter(left: number): void {
    queueMicrotask(() => (left > 0 ? wakeAfter(left - 1) : outbox.wake('acme')))
  }
})
