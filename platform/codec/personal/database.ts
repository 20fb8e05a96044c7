import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { findStorePath } from '#platform/settings'

export type Value = string | number | null
export type Row = Readonly<Record<string, Value>>

/** A database with parameters as question marks. */
export interface Database {
  /** Returns the rows of a query, or those of a `returning` clause. */
  all(sql: string, ...parameters: readonly Value[]): Promise<Row[]>
  close(): Promise<void>
}

/** Milliseconds for which a statement waits: for a lock of the embedded store, or for PostgreSQL. */
const waitLimit = 5_000
/** SQLITE_BUSY and SQLITE_LOCKED. */
const busyCodes: readonly unknown[] = [5, 6]

/** Opens the store of personal keys. PostgreSQL connects with the first statement. */
export async function openDatabase(url: string): Promise<Database> {
  const path = findStorePath(url)
  return path === undefined ? openPostgres(url) : openEmbedded(path)
}

/** Waits for locks without blocking the process, which may be the one that has the lock. */
function openEmbedded(path: string): Database {
  const database = new DatabaseSync(path, { timeout: 0 })
  async function retry<Result>(work: () => Result): Promise<Result> {
    for (const end = Date.now() + waitLimit; ; await delay(5)) {
      try {
        return work()
      } catch (error) {
        const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
        if (!busyCodes.includes(code) || Date.now() > end) throw error
      }
    }
  }
  return {
    all: (sql, ...parameters) =>
      retry(() => database.prepare(sql).all(...(parameters as readonly SQLInputValue[])) as unknown as Row[]),
    close: async () => database.close(),
  }
}

async function openPostgres(connectionString: string): Promise<Database> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString,
    max: 4,
    connectionTimeoutMillis: waitLimit,
    query_timeout: waitLimit,
    allowExitOnIdle: true,
  })
  // An idle connection that breaks is replaced at the next statement.
  pool.on('error', () => undefined)
  return {
    async all(sql, ...parameters) {
      let count = 0
      const { rows } = await pool.query<Row>(
        sql.replaceAll('?', () => `$${++count}`),
        [...parameters],
      )
      return rows
    },
    close: () => pool.end(),
  }
}
