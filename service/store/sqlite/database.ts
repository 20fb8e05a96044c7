import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type LimitNode, SqliteQueryCompiler } from 'kysely'

/** Maximum number of prepared statements in memory. The service has far fewer, but each list length is another one. */
const maxStatements = 500

/** A prepared statement of an embedded store. */
export interface EmbeddedStatement {
  /** It returns rows. */
  readonly isReader: boolean
  /** It changes nothing. */
  readonly isRead: boolean
  all(parameters: readonly unknown[]): object[]
  run(parameters: readonly unknown[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
  iterate(parameters: readonly unknown[]): IterableIterator<object>
}

/** The database of an embedded store, which keeps its prepared statements. */
export interface EmbeddedDatabase {
  prepare(sql: string): EmbeddedStatement
  close(): void
}

/**
 * Opens a database file with settings that survive a power cut without loss.
 * @param busyTimeout how long a statement waits for another process's lock, in milliseconds
 */
export function openDatabase(path: string, busyTimeout: number): EmbeddedDatabase {
  const database = new DatabaseSync(path, { timeout: busyTimeout, enableForeignKeyConstraints: true })
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  // Page cache in kibibytes, and pages in the write-ahead log before a checkpoint.
  database.exec('pragma cache_size = -65536')
  database.exec('pragma wal_autocheckpoint = 8000')
  return prepareStatements(database)
}

/** Adds the cache of prepared statements to a database. */
export function prepareStatements(database: DatabaseSync): EmbeddedDatabase {
  const statements = new Map<string, EmbeddedStatement>()
  return {
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
  const names = statement.columns().map(({ name }) => name)
  // Node.js makes objects without a shape from rows, and reads the names of the columns for each result again.
  statement.setReturnArrays(true)
  const toRow = (values: unknown): object => nameColumns(names, values as readonly unknown[])
  return {
    isReader: names.length > 0,
    isRead: sql.startsWith('select '),
    all: parameters => statement.all(...toInputValues(parameters)).map(toRow),
    run: parameters => statement.run(...toInputValues(parameters)),
    *iterate(parameters) {
      for (const values of statement.iterate(...toInputValues(parameters))) yield toRow(values)
    },
  }
}

function nameColumns(names: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {}
  for (const [at, name] of names.entries()) row[name] = values[at]
  return row
}

/** @throws TypeError for a boolean or a date, which a query must convert to a number first */
function toInputValues(values: readonly unknown[]): readonly SQLInputValue[] {
  for (const value of values) {
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') continue
    throw new TypeError(`a ${typeof value} cannot be stored`)
  }
  return values as readonly SQLInputValue[]
}

/**
 * SQLite plans a query by the value of a parameter that is its limit, and prepares the statement again for each execution. An
 * expression is no such value.
 */
export class EmbeddedQueryCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    this.append('limit cast(')
    this.visitNode(node.limit)
    this.append(' as integer)')
  }
}
