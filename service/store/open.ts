import type { Kysely } from 'kysely'
import { openPostgres } from './postgres/open.ts'
import { openEmbedded } from './sqlite/open.ts'
import type { Tables } from './tables.ts'

export type Store = Kysely<Tables>

export interface OpenStoreOptions {
  /** How long a statement waits for somebody else's lock, in milliseconds. */
  readonly lockTimeout?: number
  /** How long a statement may take, in milliseconds; the embedded store has no limit. */
  readonly statementTimeout?: number
}

/**
 * Opens the store at a URL and brings its tables up to date: `postgres://…` for a database that is there, or
 * `file:path`, `file:///path` or `file::memory:` (for tests) for the embedded store, whose file is made when missing.
 * @throws Error when the URL is of another kind or the store cannot be opened
 */
export async function openStore(
  databaseUrl: string,
  { lockTimeout = 5_000, statementTimeout = 10_000 }: OpenStoreOptions = {},
): Promise<Store> {
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) return openPostgres(databaseUrl, { lockTimeout, statementTimeout })
  if (/^file:./.test(databaseUrl)) return openEmbedded(databaseUrl, lockTimeout)
  throw new Error('the store has to be a postgres:// or file: URL')
}
