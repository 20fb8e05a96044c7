import { sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { hasRowLocks } from '../../../service/store/locks.ts'
import { type Receiver, startReceiver } from '../../support/servers/callbackReceiver.ts'
import { startServices } from '../../support/servers/serviceProcesses.ts'
import { fillOutbox } from '../../support/service/callbacks.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import type { TestService } from '../../support/service/testService.ts'

// A poll recalls retries from before a clock was set back.

const day = 86_400_000
const onPostgres = inject('postgres') !== undefined

/** A service, and a receiver for the callbacks of two tenants. */
async function start(timeouts: { readonly lockTimeout?: number } = {}) {
  const [service] = (await startServices(1, await temporaryStore(), timeouts)) as [TestService]
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  for (const client of ['acme', 'globex'])
    await service.call('ConfigureCallback', { url: receiver.url, authType: 'None' }, { client })
  return { service, receiver }
}

/** Inserts a retry of globex that is later than any backoff, and returns its shipment. */
async function insertDistant({ store }: TestService): Promise<string> {
  const failed = { attempts: 1, retryInMs: 2 * day }
  const [shipmentUid = ''] = await fillOutbox(store, { tenantId: 'globex', shipments: 1, failed })
  return shipmentUid
}

/** Inserts a callback that only a poll finds, and waits for it. */
async function deliverOther({ store }: TestService, receiver: Receiver): Promise<void> {
  const [shipmentUid] = await fillOutbox(store, { tenantId: 'acme', shipments: 1 })
  await receiver.until(1, shipmentUid)
}

test.runIf(onPostgres)('a retry that is locked while it is recalled delays no other callback', async () => {
  const { service, receiver } = await start({ lockTimeout: 500 })
  const { store } = service
  // Polls leave out a tenant without an address until the retry is locked.
  const setAddress = (url: string | null) =>
    store.updateTable('tenants').set({ callback_url: url }).where('tenant_id', '=', 'globex').execute()
  await setAddress(null)
  const shipmentUid = await insertDistant(service)
  const lock = await store.startTransaction().execute()
  await sql`select from outbox for update`.execute(lock)
  await setAddress(receiver.url)
  await deliverOther(service, receiver)
  await deliverOther(service, receiver)
  await lock.rollback().execute()
  await receiver.until(1, shipmentUid)
})

test('a recall of retries that fails delays no other callback, and is logged', async () => {
  const { service, receiver } = await start()
  const { store } = service
  const raise = hasRowLocks(store)
    ? sql`create function broken() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
        create trigger broken before update of next_attempt_at on outbox execute function broken()`
    : sql`create trigger broken before update of next_attempt_at on outbox begin select raise(abort, 'broken'); end`
  await raise.execute(store)
  await insertDistant(service)
  await deliverOther(service, receiver)
  await deliverOther(service, receiver)
  await vi.waitFor(() =>
    expect(service.lines).toContainEqual(
      expect.objectContaining({ logId: 'retries-not-recalled', tenantId: 'globex', level: 40 }),
    ),
  )
})
