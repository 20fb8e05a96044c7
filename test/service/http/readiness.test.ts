import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { findWriteFault, type Store } from '../../../service/store/index.ts'
import { hasRowLocks } from '../../../service/store/locks.ts'
import { startTestService, type TestService } from '../../support/service/testService.ts'

let service: TestService
afterEach(() => service.stop().catch(() => undefined))

async function missing() {
  const { status, body } = await service.send('/health/ready')
  return { status, missing: body.missing, error: body.error }
}

test('a service that lacks nothing is ready', async () => {
  service = await startTestService()
  await expect.poll(missing).toEqual({ status: 200, missing: [], error: null })
})

test('callers of readiness share a check, so that a flood of them costs few statements', async () => {
  service = await startTestService()
  const selectFrom = vi.spyOn(service.store, 'selectFrom')
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: 60 }, missing))
  const checks = selectFrom.mock.calls.filter(([table]) => String(table) === 'tenants').length
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(checks).toBeGreaterThan(0)
  expect(checks).toBeLessThanOrEqual(1 + (performance.now() - began) / 100)
})

test('a service whose signing key was revoked elsewhere, or whose migrations are gone, names both', async () => {
  service = await startTestService({ revocationPollInterval: 3_600_000 })
  await service.store.deleteFrom('signing_keys').execute()
  await service.store.schema.dropTable('kysely_migration').execute()
  await expect.poll(missing).toEqual({
    status: 503,
    error: 'Unavailable',
    missing: [
      { name: 'migration', reason: 'Migrations of this version have not run' },
      { name: 'signingKey', reason: 'The key that signs tokens was revoked' },
    ],
  })
})

test('a service without its store names it, and no secret', async () => {
  service = await startTestService()
  await service.store.schema.dropTable('signing_keys').execute()
  await expect.poll(missing).toEqual({
    status: 503,
    error: 'Unavailable',
    missing: [{ name: 'store', reason: 'The store does not respond' }],
  })
})

test('a service whose disk is full names the store, although it answers reads, and is ready again later', async () => {
  service = await startTestService()
  const { store } = service
  await fillDisk(store)
  const person = { firstName: 'Ada', lastName: 'B', pickUpPointUid: 'pup-1', city: 'x'.repeat(100) }
  let status = 200
  // The first accounts may find room in pages that the store has already.
  for (let at = 0; at < 100 && status === 200; at++) {
    status = (await service.call('CreateAccount', { ...person, emailAddress: `${at}@home.example` })).status
  }
  expect(status).toBe(503)
  expect((await service.call('GetShipments', {})).status).toBe(200)
  await expect.poll(missing).toEqual({
    status: 503,
    error: 'Unavailable',
    missing: [{ name: 'store', reason: 'The store accepts no writes' }],
  })
  expect(await findWriteFault(store, performance.now() + 31_000)).toBeUndefined()
})

/** The embedded store gets no further page, which is a full disk for SQLite. A trigger fails as PostgreSQL does. */
async function fillDisk(store: Store): Promise<void> {
  if (!hasRowLocks(store)) return void (await sql`pragma max_page_count = 1`.execute(store))
  await sql`create function full_disk() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on accounts execute function full_disk()`.execute(store)
}
