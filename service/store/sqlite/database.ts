import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { compileFunction } from 'node:vm'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { Checkpoints } from './checkpoints/checkpoints.ts'

/** Maximum number of prepared statements in memory. The service has far fewer, but each list length is another one. */
const maxStatements = 500

/** A prepared statement of an embedded store. */
export interface EmbeddedStatement {
  /** It returns rows. */
  readonly isReader: boolean
  /** True for a statement that only reads. */
  readonly isRead: boolean
  all(parameters: readonly unknown[]): object[]
  run(parameters: readonly unknown[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
  iterate(parameters: readonly unknown[]): IterableIterator<object>
}

/** The database of an embedded store, which keeps its prepared statements. */
export interface EmbeddedDatabase {
  prepare(sql: string): EmbeddedStatement
  /** False after SQLite has rolled a transaction back by itself. */
  isInTransaction(): boolean
  close(): void
}

/** Adds the cache of prepared statements to a database. */
export function prepareStatements(database: DatabaseSync): EmbeddedDatabase {
  const statements = new Map<string, EmbeddedStatement>()
  return {
    isInTransaction: () => database.isTransaction,
    close: () => database.close(),
    prepare(sql) {
      const cached = statements.get(sql)
      if (cached !== undefined) return cached
      const [oldest] = statements.keys()
      if (oldest !== undefined && statements.size >= maxStatements) statements.delete(oldest)
      const statement = toEmbeddedStatement(sql, database.prepare(sql))
      statements.set(sql, statement)
      return statement
    },
  }
}

function toEmbeddedStatement(sql: string, statement: StatementSync): EmbeddedStatement {
  const names = () => statement.columns().map(({ name }) => name)
  let columns = names()
  let convert = createToRow(columns)
  /** SQLite prepares the statement again after a newer version has added a column, and `*` then has one more. */
  const toRow = (values: unknown): object => {
    if ((values as readonly unknown[]).length !== columns.length) {
      columns = names()
      convert = createToRow(columns)
    }
    return convert(values)
  }
  // Node.js makes objects without a shape from rows, and reads the names of the columns for each result again.
  statement.setReturnArrays(true)
  return {
    isReader: columns.length > 0,
    isRead: sql.startsWith('select '),
    all: parameters => statement.all(...toInputValues(parameters)).map(toRow),
    run: parameters => statement.run(...toInputValues(parameters)),
    *iterate(parameters) {
      for (const values of statement.iterate(...toInputValues(parameters))) yield toRow(values)
    },
  }
}

/**
 * Compiles the function that makes an object of a row: one literal for all columns, which has its shape from the start and
 * takes a tenth of the time of a loop that adds them. The names are those of the service's own statements.
 */
function createToRow(names: readonly string[]): (values: unknown) => object {
  const members = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`)
  return compileFunction(`return { ${members.join(', ')} }`, ['values']) as (values: unknown) => object
}

/** @throws TypeError for a boolean or a date, which a query must convert to a number first */
function toInputValues(values: readonly unknown[]): readonly SQLInputValue[] {
  for (const value of values) {
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') continue
    throw new TypeError(`a ${typeof value} cannot be stored`)
  }
  return values as readonly SQLInputValue[]
}

/** The statements that begin and end a transaction. */
export interface TransactionStatements {
  readonly begin: string
  readonly commit: string
  readonly rollBack: readonly string[]
  /** It begins at the first write. Only for a database that no other process writes to. */
  readonly beginsLate: boolean
}

/**
 * It acquires the write lock at the start. A transaction that starts with a read fails at its first write when another process
 * has written meanwhile.
 */
export const immediateTransaction: TransactionStatements = {
  begin: 'begin immediate',
  commit: 'commit',
  rollBack: ['rollback'],
  beginsLate: false,
}

const savepoint: Omit<TransactionStatements, 'beginsLate'> = {
  begin: 'savepoint caller',
  commit: 'release savepoint caller',
  rollBack: ['rollback to savepoint caller', 'release savepoint caller'],
}

/** The connection to an embedded store. It executes statements at once. */
export class EmbeddedConnection implements DatabaseConnection {
  readonly #database: EmbeddedDatabase
  readonly #transaction: TransactionStatements
  readonly #checkpoints: Checkpoints | undefined
  /** Rows that the statements since the last commit have changed. */
  #changedRows = 0
  /** Begins that wait for the first write, since most work only reads. */
  #late: string[] = []

  /** @param checkpoints of a database in a file */
  constructor(database: EmbeddedDatabase, transaction: TransactionStatements, checkpoints?: Checkpoints) {
    this.#database = database
    this.#transaction = transaction
    this.#checkpoints = checkpoints
  }

  /** Executes a statement. @throws the error of SQLite */
  execute<Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<Row> {
    const statement = this.#database.prepare(sql)
    if (this.#late.length > 0 && !statement.isRead) this.#beginNow()
    if (statement.isReader) {
      const rows = statement.all(parameters) as Row[]
      if (!statement.isRead) this.#changedRows += rows.length
      return { rows }
    }
    const { changes, lastInsertRowid } = statement.run(parameters)
    this.#changedRows += Number(changes)
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.execute(query)
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    for (const row of this.#database.prepare(sql).iterate(parameters)) yield { rows: [row as Row] }
  }

  begin(): void {
    if (this.#transaction.beginsLate) this.#late.push(this.#transaction.begin)
    else this.#run(this.#transaction.begin)
  }

  commit(): void {
    this.#end([this.#transaction.commit])
    this.#checkpoints?.noteCommit(this.#changedRows)
    this.#changedRows = 0
  }

  /** Rolls back. After a disk error SQLite has done so by itself: the second rollback must not hide the first error. */
  rollBack(): void {
    try {
      this.#end(this.#transaction.rollBack)
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error
    }
  }

  /** Begins changes that can be rolled back without the rest of their transaction. */
  beginSavepoint(): void {
    this.#late.push(savepoint.begin)
  }

  releaseSavepoint(): void {
    this.#end([savepoint.commit])
  }

  /** @throws Error when the whole transaction is lost. A failed read can lose it too, and has no savepoint that would tell. */
  rollBackSavepoint(): void {
    this.#end(savepoint.rollBack)
    if (this.#late.length === 0 && !this.#database.isInTransaction()) throw new Error('The transaction is lost.')
  }

  async close(): Promise<void> {
    await this.#checkpoints?.end()
    this.#database.close()
  }

  /** Without a write, there is nothing to end. */
  #end(statements: readonly string[]): void {
    if (this.#late.pop() === undefined) for (const sql of statements) this.#run(sql)
  }

  #beginNow(): void {
    const late = this.#late
    this.#late = []
    for (const sql of late) this.#run(sql)
  }

  #run(sql: string): void {
    this.#database.prepare(sql).run([])
  }
}

/** Kysely's driver of one connection. Kysely gives it to one user at a time, because the adapter of SQLite has no others. */
export function createDriver(open: () => EmbeddedConnection): Driver {
  let connection: EmbeddedConnection | undefined
  const require = () => {
    if (connection === undefined) throw new Error('The embedded store is not open.')
    return connection
  }
  return {
    async init() {
      connection = open()
    },
    acquireConnection: async () => require(),
    beginTransaction: async () => require().begin(),
    commitTransaction: async () => require().commit(),
    rollbackTransaction: async () => require().rollBack(),
    releaseConnection: async () => undefined,
    destroy: async () => connection?.close(),
  }
}
