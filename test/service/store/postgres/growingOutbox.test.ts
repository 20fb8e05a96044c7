import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { claimMessages, deleteMessages } from '../../../../service/outbox/claims.ts'
import { reschedule } from '../../../../service/outbox/failures.ts'
import type { StoreTransaction } from '../../../../service/store/index.ts'
import { fillOutbox } from '../../../support/service/callbacks.ts'
import { createWorld } from '../../../support/world/createWorld.ts'

const claim = { kind: 'fresh', limit: 4, lease: 20_000 } as const
/** PostgreSQL plans a prepared statement five times before it may keep a plan. */
const firstPlans = 6
const backlog = 4_000

test('statements that were planned for a small outbox do not scan a large one', async () => {
  // No delivery interferes with the numbers.
  const world = await createWorld({ service: { delivery: { maximumInFlight: 0, pollInterval: 86_400_000 } } })
  await world.call('ConfigureCallback', { url: 'http://127.0.0.1:9/', authType: 'None' })
  await world.service.store.transaction().execute(async tx => {
    await fillOutbox(tx, { tenantId: 'acme', shipments: firstPlans * claim.limit })
    await sql`analyze outbox`.execute(tx)
    for (let time = 0; time < firstPlans; time++) await deliverSome(tx)
    await fillOutbox(tx, { tenantId: 'acme', shipments: backlog })
    const before = await rowsScanned(tx)
    await deliverSome(tx)
    expect(await rowsScanned(tx)).toBe(before)
  })
  await world.stop()
})

/** Claims some messages; half of them are delivered, and the others are not. */
async function deliverSome(tx: StoreTransaction): Promise<void> {
  const messages = await claimMessages(tx, Date.now, { tenant_id: 'acme', callback_version: 1 }, claim)
  expect(messages).toHaveLength(claim.limit)
  const [delivered, failed] = [messages.slice(0, 2), messages.slice(2)]
  expect((await deleteMessages(tx, delivered)).size).toBe(delivered.length)
  const failures = failed.map(message => ({ message, version: 1, retryInMs: 60_000 }))
  await reschedule(tx, Date.now, failures, 86_400_000)
}

/** Rows of the outbox that sequential scans of this transaction have read. */
async function rowsScanned(tx: StoreTransaction): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select seq_tup_read as read from pg_stat_xact_user_tables where relname = 'outbox'`.execute(tx)
  return rows[0]?.read ?? Number.NaN
}
