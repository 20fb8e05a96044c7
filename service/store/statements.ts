import {
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SqlBool,
  type StringReference,
  sql,
} from 'kysely'
import { hasRowLocks } from './locks.ts'
import type { Store, StoreTransaction } from './store.ts'

/** The placeholder of a value in a query that is compiled before its values are known. */
class Placeholder {
  readonly row: number
  readonly column: string

  constructor(row: number, column: string) {
    this.row = row
    this.column = column
  }
}

/** A row of placeholders instead of values. */
function toPlaceholders<Row extends object>(row: number): Row {
  return new Proxy({}, { get: (_target, column) => new Placeholder(row, String(column)) }) as Row
}

/** A query without its values. */
interface KeptText<Row> {
  readonly compiled: CompiledQuery<Row>
  /** The placeholders of the values, each with its index among the parameters. */
  readonly placeholders: readonly (readonly [index: number, placeholder: Placeholder])[]
}

function toKeptText<Row>(compiled: CompiledQuery<Row>): KeptText<Row> {
  const placeholders = compiled.parameters.flatMap((value, index) =>
    value instanceof Placeholder ? [[index, value] as const] : [],
  )
  return { compiled, placeholders }
}

function fill<Row>({ compiled, placeholders }: KeptText<Row>, rows: readonly object[]): CompiledQuery<Row> {
  const { query, queryId, sql } = compiled
  const parameters = compiled.parameters.slice()
  for (const [index, { row, column }] of placeholders)
    parameters[index] = (rows[row] as Record<string, unknown>)[column]
  return { query, queryId, sql, parameters }
}

/** Compiles a query for a store, with these values. */
export type KeptQuery<Values, Row> = (db: Store, values: Values) => CompiledQuery<Row>

/**
 * Builds a query once for each kind of store and keeps its text, since building takes longer than sending.
 * @param build must not read a value, only pass it on: it is called with placeholders instead of values
 */
export function keepQuery<Values extends object, Row>(
  build: (db: Store, values: Values) => Compilable<Row>,
): KeptQuery<Values, Row> {
  const query = keepRowsQuery((db, [values]: readonly Values[]) => build(db, values as Values))
  return (db, values) => query(db, [values])
}

/** Keeps a query with a list of rows as `keepQuery` does, once for each length of the list. Few lengths must occur. */
export function keepRowsQuery<Values extends object, Row>(
  build: (db: Store, rows: readonly Values[]) => Compilable<Row>,
): KeptQuery<readonly Values[], Row> {
  const kept = { sqlite: new Map<number, KeptText<Row>>(), postgres: new Map<number, KeptText<Row>>() }
  return (db, rows) => {
    const ofStore = kept[hasRowLocks(db) ? 'postgres' : 'sqlite']
    let text = ofStore.get(rows.length)
    if (text === undefined) {
      const placeholders = rows.map((_, row) => toPlaceholders<Values>(row))
      text = toKeptText(build(db, placeholders).compile())
      ofStore.set(rows.length, text)
    }
    return fill(text, rows)
  }
}

/**
 * True if a column has one of the values. SQLite makes a table of a list of more than two at each execution, which takes as long as
 * the search itself.
 */
export function isOneOf<Database, Table extends keyof Database>(
  eb: ExpressionBuilder<Database, Table>,
  column: StringReference<Database, Table>,
  values: readonly string[],
): Expression<SqlBool> {
  return eb.or(values.map(value => eb(column, '=', value as never)))
}

/**
 * True if a column has a value of a query. PostgreSQL may run a subquery of `in` again for each row, with more rows than its
 * limit, or join it in a slow order. It runs a query in an array once.
 * @param query in parentheses if it is raw SQL
 */
export function isInQuery(db: Store, column: string, query: Expression<unknown>): RawBuilder<boolean> {
  return hasRowLocks(db) ? sql`${sql.ref(column)} = any(array(${query}))` : sql`${sql.ref(column)} in ${query}`
}

type Rows<Queries extends readonly CompiledQuery[]> = {
  -readonly [At in keyof Queries]: Queries[At] extends CompiledQuery<infer Row> ? Row[] : never
}

/**
 * Executes queries in their order, on PostgreSQL in one round trip. Each sees what the ones before it did.
 * @returns the rows of each query
 * @throws the error of the first query that failed; the transaction is lost
 */
export async function executeTogether<const Queries extends readonly CompiledQuery[]>(
  tx: StoreTransaction,
  ...queries: Queries
): Promise<Rows<Queries>> {
  if (!hasRowLocks(tx)) return inSequence(tx, queries) as Promise<Rows<Queries>>
  const results = await tx.getExecutor().provideConnection(async connection => {
    const sent = queries.map(query => connection.executeQuery(query))
    // The first error is the cause of the others.
    await Promise.allSettled(sent)
    return Promise.all(sent)
  })
  return results.map(({ rows }) => rows) as Rows<Queries>
}

async function inSequence(tx: StoreTransaction, queries: readonly CompiledQuery[]): Promise<unknown[][]> {
  const results: unknown[][] = []
  for (const query of queries) results.push((await tx.executeQuery(query)).rows)
  return results
}

/**
 * Executes a query, on PostgreSQL without waiting for its result: it travels with the next one.
 * @returns a function that waits for the rows; the caller must call it unless the transaction fails
 */
export async function send<Row>(tx: StoreTransaction, query: CompiledQuery<Row>): Promise<() => Promise<Row[]>> {
  if (!hasRowLocks(tx)) {
    const { rows } = await tx.executeQuery(query)
    return async () => rows
  }
  return tx.getExecutor().provideConnection(async connection => {
    const executed = connection.executeQuery<Row>(query)
    executed.catch(() => undefined)
    return async () => (await executed).rows
  })
}

const deferred = new WeakMap<DatabaseConnection, Promise<unknown>[]>()

/**
 * Executes a statement of which only the effect matters. On PostgreSQL it is sent without waiting for its result. If it fails,
 * so does the transaction.
 */
export async function defer(tx: StoreTransaction, query: CompiledQuery): Promise<void> {
  if (!hasRowLocks(tx)) return void (await tx.executeQuery(query))
  await tx.getExecutor().provideConnection(async connection => {
    const executed = connection.executeQuery(query)
    executed.catch(() => undefined)
    deferred.set(connection, [...(deferred.get(connection) ?? []), executed])
  })
}

/** Returns the deferred statements of the transaction on a connection, and forgets them. */
export function takeDeferred(connection: DatabaseConnection): readonly Promise<unknown>[] {
  const taken = deferred.get(connection) ?? []
  deferred.delete(connection)
  return taken
}
