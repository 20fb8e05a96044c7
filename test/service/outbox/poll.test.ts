import { sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { createDeadLetterReport } from '../../../service/outbox/deadLetters.ts'
import { openStore } from '../../../service/store/index.ts'
import { hasRowLocks } from '../../../service/store/locks.ts'
import { type Receiver, startReceiver } from '../../support/servers/callbackReceiver.ts'
import { startServices } from '../../support/servers/serviceProcesses.ts'
import { fillOutbox } from '../../support/service/callbacks.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import type { TestService } from '../../support/service/testService.ts'

// A poll has side work: it recalls retries from before a clock was set back, and reports callbacks that were given up.

const day = 86_400_000
const onPostgres = inject('postgres') !== undefined

/** A service, and a receiver for the callbacks of two tenants. */
async function start(timeouts: { readonly lockTimeout?: number; readonly statementTimeout?: number } = {}) {
  const databaseUrl = await temporaryStore()
  const [service] = (await startServices(1, databaseUrl, timeouts)) as [TestService]
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  for (const client of ['acme', 'globex'])
    await service.call('ConfigureCallback', { url: receiver.url, authType: 'None' }, { client })
  return { databaseUrl, service, receiver }
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

test.runIf(onPostgres)('a count of given-up callbacks that takes too long delays no callback', async () => {
  const { databaseUrl, service } = await start()
  const message = { message_id: 'msg_dead', tenant_id: 'globex', shipment_uid: 'dead', body: '{}', created_at: 0 }
  const isDead = { next_attempt_at: 1, dead_since: 1 }
  await service.store
    .insertInto('outbox')
    .values({ ...message, ...isDead })
    .execute()
  // Each callback that was given up takes as long to read as millions of them.
  await sql`alter table outbox rename to outbox_rows;
    create view outbox as select * from outbox_rows where dead_since is null or pg_sleep(60) is not null`.execute(
    service.store,
  )
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  await service.stop()
  // It counts at its first poll.
  const [next] = (await startServices(1, databaseUrl, { statementTimeout: 3_000 })) as [TestService]
  await next.call('ConfigureCallback', { url: receiver.url, authType: 'None' })
  await deliverOther(next, receiver)
  await vi.waitFor(() => expect(next.lines).toContainEqual(expect.objectContaining({ logId: 'given-up-not-counted' })))
  await deliverOther(next, receiver)
  expect(next.lines).not.toContainEqual(expect.objectContaining({ logId: 'callbacks-not-read' }))
  // It would take as long to delete.
  await sql`delete from outbox_rows where dead_since is not null`.execute(next.store)
})

test('a report of given-up callbacks that fails is logged, and is not repeated at once', async () => {
  const store = await openStore(await temporaryStore())
  await store.destroy()
  const lines: object[] = []
  const add = (line: object) => void lines.push(line)
  const report = createDeadLetterReport(store, { error: add, warn: add })
  await report()
  await report()
  expect(lines).toEqual([{ logId: 'given-up-not-counted', err: expect.any(Error) }])
})
