import { type RawBuilder, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import {
  deleteDeadCallbacks,
  deleteRateBuckets,
  deleteSecretAttempts,
  deleteStoredResponses,
} from '../../../../service/retention/deletions.ts'
import { batchRows, type DeleteBatch } from '../../../../service/retention/purge.ts'
import { openStore } from '../../../../service/store/index.ts'
import { newStore } from '../../../support/service/temporaryStore.ts'

/** So many that each of them cannot run the search for the others. */
const rows = 20_000
const numbers = sql`from generate_series(1, ${sql.lit(rows)}) as n`

interface Purge {
  readonly table: string
  /** Inserts the rows. */
  readonly fill: RawBuilder<unknown>
  readonly deleteBatch: DeleteBatch
}

const purges: Record<string, Purge> = {
  'callbacks that were given up': {
    table: 'outbox',
    fill: sql`
      insert into outbox (message_id, tenant_id, shipment_uid, body, created_at, next_attempt_at, dead_since)
      select n, 'acme', n, '{}', 0, 0, n ${numbers}`,
    deleteBatch: deleteDeadCallbacks,
  },
  'stored responses': {
    table: 'idempotency',
    fill: sql`
      insert into idempotency (client_id, key, fingerprint, status, body, created_at)
      select 'acme', n, '', 200, '{}', n ${numbers}`,
    deleteBatch: deleteStoredResponses,
  },
  'counts of wrong secrets': {
    table: 'secret_attempts',
    fill: sql`insert into secret_attempts (client_id, address, failures, lock_expires_at) select 'acme', n, 1, n ${numbers}`,
    deleteBatch: deleteSecretAttempts,
  },
  'token buckets': {
    table: 'rate_buckets',
    fill: sql`insert into rate_buckets (client_id, tokens, filled_at) select n, 1, n ${numbers}`,
    deleteBatch: deleteRateBuckets,
  },
}

// PostgreSQL joins a table that seems empty by running the other side of the join for each of its rows.
test.each(Object.entries(purges))(
  'a batch of %s is deleted in time if PostgreSQL analyzed the table when it was empty',
  async (_, { table, fill, deleteBatch }) => {
    const { databaseUrl, remove } = await newStore()
    const store = await openStore(databaseUrl)
    onTestFinished(async () => {
      await store.destroy()
      await remove()
    })
    await fill.execute(store)
    // Its pages stay, so PostgreSQL expects no row in the next ones.
    await sql`delete from ${sql.table(table)}`.execute(store)
    await sql`analyze ${sql.table(table)}`.execute(store)
    await fill.execute(store)
    expect(await store.transaction().execute(tx => deleteBatch(tx, Date.now()))).toBe(batchRows)
  },
)
