import { Kysely, sql } from 'kysely'
import { SettingsError } from '#platform/settings'
import { isTlsError, isUnavailable, readErrorCode } from '../errors.ts'
import { isUpToDate, migrate, noTables } from '../migrate.ts'
import { replaceWhenReadOnly } from '../refusedWrites.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { PipelinedDialect } from './pipelinedDriver.ts'
import { createPool, type PostgresLimits } from './pool.ts'

/** A `postgres://` URL, and the setting or argument that has it, for errors. */
interface NamedUrl {
  readonly url: string
  readonly name: string
}

/**
 * @param named the database must exist
 * @param mustExist refuses a database without tables of a service
 * @throws SettingsError for a missing database, and for a user that PostgreSQL refuses or that lacks rights
 * @throws Error with the code NotReachable when PostgreSQL does not respond
 */
export async function openPostgres(named: NamedUrl, limits: PostgresLimits, mustExist = false): Promise<Store> {
  const { url } = named
  const pool = createPool(url, limits)
  const store = new Kysely<Tables>({ dialect: new PipelinedDialect({ pool }) })
  replaceWhenReadOnly(store, () => pool.replaceAll())
  try {
    // Usually all migrations have run: one read without a lock.
    if (!(await isUpToDate(store))) {
      const isEmpty = !(await hasTables(store))
      if (isEmpty && mustExist) throw noTables(`the database at ${new URL(url).host}${new URL(url).pathname}`)
      if (isEmpty) await assertEncoding(store, named)
      await migrateWithLock(url)
    }
    return store
  } catch (error) {
    await store.destroy()
    if (isTlsError(error)) throw new Error(describeTlsError(url, error), { cause: error })
    if (noTablesAllowed.includes(readErrorCode(error))) throw describeDenied(named, error)
    throw isUnavailable(error) ? describeUnavailable(named, error) : error
  }
}

async function hasTables(store: Store): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('kysely_migration') is not null as found`.execute(
    store,
  )
  return rows[0]?.found === true
}

/** @throws SettingsError when the database cannot store every character */
async function assertEncoding(store: Store, { name }: NamedUrl): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`.execute(store)
  const encoding = rows[0]?.encoding
  if (encoding !== 'UTF8')
    throw new SettingsError({ name, wrong: `must name a database with the encoding UTF8, got ${encoding}` })
}

/** The advisory lock of migrations. Advisory locks of a session are numbers. */
const migrationLock = sql.lit(7_316_021)

/** Serializes processes that start at the same time. The lock of a killed process ends with its connection. */
async function migrateWithLock(url: string): Promise<void> {
  // One connection holds the lock, the other migrates; neither has a time limit.
  const pool = createPool(url, { connections: 2, lockTimeout: 0, statementTimeout: 0 })
  const store = new Kysely<Tables>({ dialect: new PipelinedDialect({ pool }) })
  try {
    await store.connection().execute(async holder => {
      await sql`select pg_advisory_lock(${migrationLock})`.execute(holder)
      await migrate(store, 'postgres')
    })
  } finally {
    await store.destroy()
  }
}

/** SQLSTATEs of a missing database, and of a rejected user or password. Waiting does not help. */
const wrongUrl: readonly unknown[] = ['3D000', '28000', '28P01']

/** SQLSTATEs of a user whose search_path has no schema, and of one without the right to create or change a table. */
const noTablesAllowed: readonly unknown[] = ['3F000', '42501']

function describeDenied({ url, name }: NamedUrl, error: unknown): Error {
  const wrong = 'must name a user that may create and change tables in the first schema of its search_path'
  return new SettingsError({ name, wrong: `${wrong}. PostgreSQL at ${new URL(url).host}: ${describeReason(error)}` })
}

/** The error of a server that does not respond, or that refuses its user, its database or a statement for now. */
export function describeUnavailable({ url, name }: NamedUrl, error: unknown): Error {
  const at = `PostgreSQL at ${new URL(url).host}: ${describeReason(error)}`
  if (wrongUrl.includes(readErrorCode(error)))
    return new SettingsError({ name, wrong: `must name an existing database that its user may open. ${at}` })
  return Object.assign(new Error(`${name}: ${at}`, { cause: error }), { code: 'NotReachable' })
}

function describeTlsError(url: string, error: unknown): string {
  const server = `the TLS of PostgreSQL at ${new URL(url).host} must be usable`
  return `LOCKERFLOW_DATABASE_TLS: ${server}, and the connection says: ${describeReason(error)}. Set LOCKERFLOW_DATABASE_CA to the authority of its certificate. In a network of your own set LOCKERFLOW_DATABASE_TLS=optional, with which the URL decides: sslmode=disable, or sslrootcert with the authority.`
}

/** Node may have tried several addresses; the first error is reported. */
function describeReason(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error]
  return first instanceof Error ? first.message : String(first)
}
