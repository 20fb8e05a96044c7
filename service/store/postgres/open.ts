import { Kysely, sql } from 'kysely'
import { isTlsError, isUnavailable } from '../isUnavailable.ts'
import { isUpToDate, migrate, noTables } from '../migrate.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { type PostgresLimits, postgresDialect } from './dialect.ts'

/**
 * @param url `postgres://…`; the database must exist
 * @param mustExist refuses a database without tables of a service
 */
export async function openPostgres(url: string, limits: PostgresLimits, mustExist = false): Promise<Store> {
  const dialect = postgresDialect(url, limits)
  const store = new Kysely<Tables>({ dialect })
  try {
    // Usually all migrations have run: one read without a lock.
    if (!(await isUpToDate(store))) {
      if (mustExist && !(await hasTables(store)))
        throw noTables(`the database at ${new URL(url).host}${new URL(url).pathname}`)
      await migrateWithLock(url)
    }
    return store
  } catch (error) {
    await store.destroy()
    if (isTlsError(error)) throw new Error(describeTlsError(url, error), { cause: error })
    if (isUnavailable(error))
      throw new Error(`PostgreSQL at ${new URL(url).host}: ${describeReason(error)}`, { cause: error })
    throw error
  }
}

async function hasTables(store: Store): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('kysely_migration') is not null as found`.execute(
    store,
  )
  return rows[0]?.found === true
}

/** The advisory lock of migrations. Advisory locks of a session are numbers. */
const migrationLock = sql.lit(7_316_021)

/** Serializes processes that start at the same time. The lock of a killed process ends with its connection. */
async function migrateWithLock(url: string): Promise<void> {
  // One connection holds the lock, the other migrates; neither has a time limit.
  const dialect = postgresDialect(url, { connections: 2, lockTimeout: 0, statementTimeout: 0 })
  const store = new Kysely<Tables>({ dialect })
  try {
    await store.connection().execute(async holder => {
      await sql`select pg_advisory_lock(${migrationLock})`.execute(holder)
      await migrate(store, 'postgres')
    })
  } finally {
    await store.destroy()
  }
}

function describeTlsError(url: string, error: unknown): string {
  const server = `the TLS of PostgreSQL at ${new URL(url).host} must be usable`
  return `LOCKERFLOW_DATABASE_TLS: ${server}, and the connection says: ${describeReason(error)}. Set LOCKERFLOW_DATABASE_CA to the authority of its certificate, or LOCKERFLOW_DATABASE_TLS=optional in a network of your own.`
}

/** Node may have tried several addresses; the first error is reported. */
function describeReason(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error]
  return first instanceof Error ? first.message : String(first)
}
