import { type CompiledQuery, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  claimMessages,
  deleteMessages,
  findTenant,
  type OutboxMessage,
  type Tenant,
} from '../../../service/outbox/claims.ts'
import { reschedule } from '../../../service/outbox/failures.ts'
import { findNextRetry, findTenantsWithWork } from '../../../service/outbox/schedule.ts'
import type { Store } from '../../../service/store/index.ts'
import { hasRowLocks } from '../../../service/store/locks.ts'
import { fillOutbox } from '../../support/service/callbacks.ts'
import { explainPostgres, explainSqlite, recordStatements } from '../../support/service/queryPlans.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const day = 86_400_000
const lease = 20_000
const url = 'http://127.0.0.1:9/'
/** Rows that a statement may read beyond those that it returns. */
const few = 50

const statements: Record<string, (store: Store, message: OutboxMessage) => Promise<unknown>> = {
  'the search for tenants with work': store => findTenantsWithWork(store, Date.now),
  'a claim of new messages': async store => claimMessages(store, Date.now, await acme(store), claimOf('fresh')),
  'a claim of retries': async store => claimMessages(store, Date.now, await acme(store), claimOf('retry')),
  'the time of the next retry': async store => findNextRetry(store, Date.now, await acme(store)),
  'the search beside tenants that are known to have work': store => findTenantsWithWork(store, Date.now, ['globex']),
  'the deletion of delivered messages': (store, message) => deleteMessages(store, [message]),
  'the record of failed deliveries': (store, message) =>
    reschedule(store, Date.now, [{ message, version: 1, retryInMs: 1_000 }], day),
}

const claimOf = (kind: 'fresh' | 'retry') => ({ kind, limit: 8, lease })

describe('behind 9,000 messages of a tenant whose receiver is away, this reads few rows by an index', () => {
  let world: ServiceWorld
  beforeAll(async () => {
    // No delivery interferes with the plans.
    world = await createWorld({ service: { delivery: { maximumInFlight: 0, pollInterval: day } } })
    for (const tenant of ['acme', 'globex']) await world.call('ConfigureCallback', { url, authType: 'None' }, tenant)
    const { store } = world.service
    const failed = { attempts: 20, retryInMs: 3_600_000 }
    await fillOutbox(store, { tenantId: 'acme', shipments: 3_000, messages: 3, failed })
    await fillOutbox(store, { tenantId: 'globex', shipments: 1 })
    if (hasRowLocks(store)) await sql`analyze`.execute(store)
    return () => world.stop()
  })

  test.each(Object.keys(statements))('%s', async name => {
    const { store } = world.service
    const message = await store.selectFrom('outbox').selectAll().orderBy('seq').limit(1).executeTakeFirstOrThrow()
    for (const query of await statementsOf(store, db => statements[name]?.(db, message))) {
      expect(await objectionsTo(store, query), query.sql).toEqual([])
    }
  })

  test('a scan is found', async () => {
    const { store } = world.service
    const [query] = await statementsOf(store, db =>
      db.selectFrom('outbox').select('seq').where('attempts', '=', 7).execute(),
    )
    if (query === undefined) throw new Error('no statement')
    expect(await objectionsTo(store, query)).not.toEqual([])
  })
})

async function acme(store: Store): Promise<Tenant> {
  const tenant = await findTenant(store, 'acme')
  if (tenant === undefined) throw new Error('there is no tenant acme')
  return tenant
}

/** The statements on the outbox that a function executes. */
async function statementsOf(store: Store, work: (store: Store) => unknown): Promise<CompiledQuery[]> {
  return (await recordStatements(store, work)).filter(query => query.sql.includes('outbox'))
}

/** The parts of the plan that read more than they should. */
async function objectionsTo(store: Store, query: CompiledQuery): Promise<string[]> {
  if (!hasRowLocks(store)) {
    return (await explainSqlite(store, query)).filter(
      detail => /SCAN outbox|TEMP B-TREE/.test(detail) || (/outbox/.test(detail) && !/SEARCH/.test(detail)),
    )
  }
  return (await explainPostgres(store, query)).flatMap(({ type, table, rows }) =>
    type === 'Sort' || (table === 'outbox' && (type === 'Seq Scan' || rows > few)) ? [`${type}: ${rows} rows`] : [],
  )
}
