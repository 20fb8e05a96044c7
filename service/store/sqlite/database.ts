import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type LimitNode, type SqliteDatabase, SqliteQueryCompiler, type SqliteStatement } from 'kysely'

/** Maximum number of prepared statements in memory. The service has far fewer, but each list length is another one. */
const maxStatements = 500

/**
 * Opens a database file for Kysely's SQLite dialect, with settings that survive a power cut without loss.
 * @param busyTimeout how long a statement waits for another process's lock, in milliseconds
 */
export function openDatabase(path: string, busyTimeout: number): SqliteDatabase {
  const database = new DatabaseSync(path, { timeout: busyTimeout, enableForeignKeyConstraints: true })
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  // Page cache in kibibytes, and pages in the write-ahead log before a checkpoint.
  database.exec('pragma cache_size = -65536')
  database.exec('pragma wal_autocheckpoint = 8000')
  return prepareStatements(database)
}

/** The database in Kysely's form, which keeps its prepared statements. */
export function prepareStatements(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare(sql) {
      const cached = statements.get(sql)
      if (cached !== undefined) return cached
      const [oldest] = statements.keys()
      if (oldest !== undefined && statements.size >= maxStatements) statements.delete(oldest)
      const statement = toSqliteStatement(database.prepare(withImmediateLock(sql)))
      statements.set(sql, statement)
      return statement
    },
  }
}

/**
 * Acquires the write lock at the start of a transaction. A transaction that starts with a read fails at its first write when
 * another process has written meanwhile.
 */
function withImmediateLock(sql: string): string {
  return sql === 'begin' ? 'begin immediate' : sql
}

function toSqliteStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: parameters => statement.all(...parameters.map(toInputValue)),
    run: parameters => statement.run(...parameters.map(toInputValue)),
    iterate: parameters => statement.iterate(...parameters.map(toInputValue)),
  }
}

/** @throws TypeError for a boolean or a date, which a query must convert to a number first */
function toInputValue(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  throw new TypeError(`a ${typeof value} cannot be stored`)
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
