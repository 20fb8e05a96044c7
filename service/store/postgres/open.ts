import { Kysely, sql } from 'kysely'
import { isUpToDate, migrate } from '../migrate.ts'
import type { Store } from '../open.ts'
import type { Tables } from '../tables.ts'
import { storeIsAway } from '../unavailable.ts'
import { type PostgresLimits, postgresDialect } from './dialect.ts'

/** Sixteen connections keep two cores of a database busy. */
const connections = 16

/**
 * Opens the PostgreSQL database at a `postgres://` URL and brings its tables up to date.
 */
export async function openPostgres(url: string, waits: Omit<PostgresLimits, 'connections'>): Promise<Store> {
  const dialect = postgresDialect(url, { connections, ...waits })
  const store = new Kysely<Tables>({ dialect })
  try {
    // The usual case costs one look and no lock.
    if (!(await isUpToDate(store))) await migrateInTurn(url)
    return store
  } catch (error) {
    await store.destroy()
    if (storeIsAway(error)) throw new Error(`PostgreSQL at ${new URL(url).host}: ${reasonOf(error)}`, { cause: error })
    throw error
  }
}

/** Locks that programs agree on are numbers; this one is held while tables are brought up to date. */
const migrating = sql.lit(7_316_021)

/** Processes that start at the same time take turns. One that is killed lets go, since its connection ends. */
async function migrateInTurn(url: string): Promise<void> {
  // One connection for the lock, one for the work; neither is in a hurry.
  const dialect = postgresDialect(url, { connections: 2, lockTimeout: 0, statementTimeout: 0 })
  const store = new Kysely<Tables>({ dialect })
  try {
    await store.connection().execute(async holder => {
      await sql`select pg_advisory_lock(${migrating})`.execute(holder)
      await migrate(store, 'postgres')
    })
  } finally {
    await store.destroy()
  }
}

/** Of several addresses that were tried, what the first said. */
function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error]
  return first instanceof Error ? first.message : String(first)
}
