import { CompiledQuery, type KyselyPlugin, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  claimMessages,
  deleteMessages,
  findNextRetry,
  findTenant,
  type OutboxMessage,
  type Tenant,
} from '../../../service/outbox/claims.ts'
import { reschedule } from '../../../service/outbox/failures.ts'
import { findTenantsWithWork, recallDistantRetries } from '../../../service/outbox/schedule.ts'
import type { Store } from '../../../service/store/index.ts'
import { hasRowLocks } from '../../../service/store/locks.ts'
import { fillOutbox } from '../../support/service/callbacks.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const day = 86_400_000
const limits = { lease: 20_000, longestDelay: day }
const url = 'http://127.0.0.1:9/'
/** Rows that a statement may read beyond those that it returns. */
const few = 50

const statements: Record<string, (store: Store, message: OutboxMessage) => Promise<unknown>> = {
  'the search for tenants with work': store => findTenantsWithWork(store, Date.now, limits),
  'a claim of new messages': async store => claimMessages(store, Date.now, await acme(store), claimOf('fresh')),
  'a claim of retries': async store => claimMessages(store, Date.now, await acme(store), claimOf('retry')),
  'the time of the next retry': async store => findNextRetry(store, Date.now, await acme(store)),
  'the recall of distant retries': store => recallDistantRetries(store, Date.now, 'acme', limits),
  'the search beside tenants that are known to have work': store =>
    findTenantsWithWork(store, Date.now, limits, ['globex']),
  'the deletion of delivered messages': (store, message) => deleteMessages(store, [message]),
  'the record of failed deliveries': (store, message) =>
    reschedule(store, Date.now, [{ message, version: 1, retryInMs: 1_000 }], day),
}

const claimOf = (kind: 'fresh' | 'retry') => ({ kind, limit: 8, lease: limits.lease })

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
      const objections = hasRowLocks(store) ? await explainPostgres(store, query) : await explainSqlite(store, query)
      expect(objections, query.sql).toEqual([])
    }
  })

  test('a scan is found', async () => {
    const { store } = world.service
    const [query] = await statementsOf(store, db =>
      db.selectFrom('outbox').select('seq').where('attempts', '=', 7).execute(),
    )
    if (query === undefined) throw new Error('no statement')
    const objections = hasRowLocks(store) ? await explainPostgres(store, query) : await explainSqlite(store, query)
    expect(objections).not.toEqual([])
  })
})

async function acme(store: Store): Promise<Tenant> {
  const tenant = await findTenant(store, 'acme')
  if (tenant === undefined) throw new Error('there is no tenant acme')
  return tenant
}

/** The statements on the outbox that a function executes. Their effects are rolled back. */
async function statementsOf(store: Store, work: (store: Store) => unknown): Promise<CompiledQuery[]> {
  const found: CompiledQuery[] = []
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      found.push(store.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await inRolledBackTransaction(store, async tx => {
    await work(tx.withPlugin(recorder))
  })
  return found.filter(query => query.sql.includes('outbox'))
}

async function inRolledBackTransaction(store: Store, work: (tx: Store) => Promise<unknown>): Promise<void> {
  const rollback = new Error('rolled back')
  await store
    .transaction()
    .execute(async tx => {
      await work(tx)
      throw rollback
    })
    .catch(error => {
      if (error !== rollback) throw error
    })
}

async function explainSqlite(store: Store, { sql: text, parameters }: CompiledQuery): Promise<string[]> {
  const explain = CompiledQuery.raw(`explain query plan ${text}`, [...parameters])
  const { rows } = await store.executeQuery<{ detail: string }>(explain)
  return rows
    .map(({ detail }) => detail)
    .filter(detail => /SCAN outbox|TEMP B-TREE/.test(detail) || (/outbox/.test(detail) && !/SEARCH/.test(detail)))
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

async function explainPostgres(store: Store, { sql: text, parameters }: CompiledQuery): Promise<string[]> {
  let nodes: PlanNode[] = []
  await inRolledBackTransaction(store, async tx => {
    const explain = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters])
    const { rows } = await tx.executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain)
    nodes = (rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => withChildren(Plan))
  })
  return nodes.flatMap(node => {
    const { 'Node Type': type, 'Relation Name': table, 'Actual Rows': returned, 'Actual Loops': loops } = node
    const rows = (returned + (node['Rows Removed by Filter'] ?? 0)) * loops
    return type === 'Sort' || (table === 'outbox' && (type === 'Seq Scan' || rows > few))
      ? [`${type}: ${rows} rows`]
      : []
  })
}

function withChildren(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withChildren)]
}
