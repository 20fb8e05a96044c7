import { existsSync } from 'node:fs'
import { SettingsError } from '#platform/settings'
import { isUnavailable, readErrorCode, readSqliteCode } from './errors.ts'
import { describeUnavailable, openPostgres } from './postgres/open.ts'
import { describeUnusable, openEmbedded, toPath } from './sqlite/open.ts'
import type { Store } from './store.ts'

export interface OpenStoreOptions {
  /** Milliseconds that a statement waits for a lock of another transaction. */
  readonly lockTimeout?: number
  /** Time limit of a statement in milliseconds; 0 is no limit. The embedded store ignores it. */
  readonly statementTimeout?: number
  /** Maximum number of connections to PostgreSQL. */
  readonly connections?: number
  /** The setting or argument with the URL of a PostgreSQL, for errors. */
  readonly name?: string
  /** Refuses a file or database in which no service has made its tables. */
  readonly mustExist?: boolean
}

/**
 * Opens the store at a URL and migrates its tables: `postgres://…` for an existing database, or `file:path`,
 * `file:///path` or `file::memory:` (for tests) for the embedded store, which creates a missing file.
 * @throws Error when the URL is invalid or the store cannot be opened
 */
export async function openStore(
  databaseUrl: string,
  {
    lockTimeout = 5_000,
    statementTimeout = 10_000,
    connections = 16,
    name = 'LOCKERFLOW_DATABASE_URL',
    mustExist = false,
  }: OpenStoreOptions = {},
): Promise<Store> {
  if (/^postgres(ql)?:\/\//.test(databaseUrl))
    return openPostgres({ url: databaseUrl, name }, { connections, lockTimeout, statementTimeout }, mustExist)
  if (/^file:./.test(databaseUrl)) return openEmbedded(databaseUrl, lockTimeout, mustExist)
  throw new Error('the store must be a postgres:// or file: URL')
}

/**
 * Opens a store for a command.
 * @throws Error when it cannot be opened, or has no tables yet: opening would create the file, or the tables in what belongs to
 * another program
 */
export async function openExistingStore(databaseUrl: string, options: OpenStoreOptions = {}): Promise<Store> {
  if (databaseUrl.startsWith('file:') && !existsSync(toPath(databaseUrl))) {
    const wrong = `must be an existing store, but there is no file ${toPath(databaseUrl)}`
    throw new SettingsError({ name: 'LOCKERFLOW_DATABASE_URL', wrong })
  }
  return openStore(databaseUrl, { ...options, mustExist: true })
}

/**
 * Names the setting, and the file or the server, in an error of an open store that is unavailable: it has a damaged page, for
 * instance, or another session has locked a table. Another error stays as it is.
 */
export function nameStore(databaseUrl: string, error: unknown): unknown {
  if (!(error instanceof Error) || !isUnavailable(error)) return error
  if (readSqliteCode(error) !== undefined) return describeUnusable(toPath(databaseUrl), error)
  // The listener fails with codes of Node. An error of the server has a severity, and one of its driver has no code.
  const isOfServer = 'severity' in error || readErrorCode(error) === undefined
  return isOfServer ? describeUnavailable({ url: databaseUrl, name: 'LOCKERFLOW_DATABASE_URL' }, error) : error
}
