import { CompiledQuery, type KyselyPlugin } from 'kysely'
import type { Store, StoreTransaction } from '../../../service/store/index.ts'

/** The statements that a function executes, in their order. Their effects are rolled back. */
export async function recordStatements(
  store: Store,
  work: (tx: StoreTransaction) => unknown,
): Promise<readonly CompiledQuery[]> {
  const found: CompiledQuery[] = []
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      found.push(store.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await inRolledBackTransaction(store, async tx => {
    const recorded = tx.withPlugin(recorder) as StoreTransaction
    const execute = recorded.executeQuery.bind(recorded)
    // Queries with a kept text were compiled before their values were known.
    const executeKept: typeof execute = (query, options) => {
      if ('parameters' in query) found.push(query)
      return execute(query, options)
    }
    await work(Object.assign(recorded, { executeQuery: executeKept }))
  })
  return found.filter(({ parameters }) => parameters.every(hasValue))
}

/** False for the place of a value in a kept text. */
function hasValue(parameter: unknown): boolean {
  return typeof parameter !== 'object' || parameter === null || Array.isArray(parameter)
}

async function inRolledBackTransaction(store: Store, work: (tx: StoreTransaction) => Promise<unknown>): Promise<void> {
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

/** The lines of a plan of the embedded store. */
export async function explainSqlite(store: Store, { sql: text, parameters }: CompiledQuery): Promise<string[]> {
  const explain = CompiledQuery.raw(`explain query plan ${text}`, [...parameters])
  const { rows } = await store.executeQuery<{ detail: string }>(explain)
  return rows.map(({ detail }) => detail)
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** A node of a plan of PostgreSQL. */
export interface ReadNode {
  readonly type: string
  readonly table: string | undefined
  readonly index: string | undefined
  /** Rows that it has read, in all of its loops. */
  readonly rows: number
}

export async function explainPostgres(store: Store, { sql: text, parameters }: CompiledQuery): Promise<ReadNode[]> {
  let nodes: PlanNode[] = []
  await inRolledBackTransaction(store, async tx => {
    const explain = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters])
    const { rows } = await tx.executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain)
    nodes = (rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => withChildren(Plan))
  })
  return nodes.map(node => ({
    type: node['Node Type'],
    table: node['Relation Name'],
    index: node['Index Name'],
    rows: (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
  }))
}

function withChildren(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withChildren)]
}
