import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { claimMessages } from '../../../../service/outbox/claims.ts'
import { fillOutbox } from '../../../support/service/callbacks.ts'
import { createWorld } from '../../../support/world/createWorld.ts'

const claims = 20
const claim = { kind: 'fresh', limit: 20, lease: 20_000 } as const

test('claims of callbacks write no index', async () => {
  // No delivery interferes with the numbers.
  const world = await createWorld({ service: { delivery: { maximumInFlight: 0, pollInterval: 86_400_000 } } })
  const { store } = world.service
  await world.call('ConfigureCallback', { url: 'http://127.0.0.1:9/', authType: 'None' })
  await fillOutbox(store, { tenantId: 'acme', shipments: claims * claim.limit })
  const tenant = { tenant_id: 'acme', callback_version: 1 }
  await store.transaction().execute(async tx => {
    for (let at = 0; at < claims; at++) {
      expect(await claimMessages(tx, Date.now, tenant, claim)).toHaveLength(claim.limit)
    }
    // PostgreSQL's count of updates that need no index entry.
    const { rows } = await sql<{ all: number; withoutIndex: number }>`
      select n_tup_upd as all, n_tup_hot_upd as "withoutIndex" from pg_stat_xact_user_tables where relname = 'outbox'`.execute(
      tx,
    )
    expect(rows).toEqual([{ all: claims * claim.limit, withoutIndex: claims * claim.limit }])
  })
  await world.stop()
})
