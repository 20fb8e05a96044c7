import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'

/** Texts of prepared statements that are kept; the service has far fewer, but a list of values makes new ones. */
const keptStatements = 500

/**
 * A database file as Kysely's SQLite dialect expects it, set to lose nothing in a power cut.
 * @param busyTimeout milliseconds to wait for another process's lock
 */
export function openDatabase(path: string, busyTimeout: number): SqliteDatabase {
  const database = new DatabaseSync(path, { timeout: busyTimeout, enableForeignKeyConstraints: true })
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  // Kibibytes of pages in memory, and pages of log before they are put in their places.
  database.exec('pragma cache_size = -65536')
  database.exec('pragma wal_autocheckpoint = 8000')
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare(sql) {
      const kept = statements.get(sql)
      if (kept !== undefined) return kept
      const [oldest] = statements.keys()
      if (oldest !== undefined && statements.size >= keptStatements) statements.delete(oldest)
      const made = statement(database.prepare(begun(sql)))
      statements.set(sql, made)
      return made
    },
  }
}

/**
 * A transaction takes the write lock at its start: one that began by reading could only fail when it comes to
 * write after another process did.
 */
function begun(sql: string): string {
  return sql === 'begin' ? 'begin immediate' : sql
}

function statement(prepared: StatementSync): SqliteStatement {
  return {
    reader: prepared.columns().length > 0,
    all: parameters => prepared.all(...parameters.map(bindable)),
    run: parameters => prepared.run(...parameters.map(bindable)),
    iterate: parameters => prepared.iterate(...parameters.map(bindable)),
  }
}

/** Flags are 0 or 1 and moments are milliseconds in both stores, so anything else is a mistake in a query. */
function bindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  throw new TypeError(`a ${typeof value} cannot be stored`)
}
