import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Kysely } from 'kysely'
import { migrate } from './migrate.ts'
import { embeddedDialect } from './sqlite/dialect.ts'
import type { Tables } from './tables.ts'

export type Store = Kysely<Tables>

export interface OpenStoreOptions {
  /** How long a statement waits for another process's lock on the file, in milliseconds. */
  readonly busyTimeout?: number
}

/**
 * Opens the store at a `file:` URL (`file:path`, `file:///path`, or `file::memory:` for tests), creates what is
 * missing, and brings its tables up to date.
 * @throws Error when the URL is of another kind or the file cannot be opened
 */
export async function openStore(databaseUrl: string, { busyTimeout = 5_000 }: OpenStoreOptions = {}): Promise<Store> {
  const path = pathOf(databaseUrl)
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const store = new Kysely<Tables>({ dialect: embeddedDialect(path, busyTimeout) })
  try {
    await migrate(store, 'sqlite')
  } catch (error) {
    await store.destroy()
    throw error
  }
  return store
}

function pathOf(databaseUrl: string): string {
  if (/^postgres(ql)?:/.test(databaseUrl)) throw new Error('this version has no PostgreSQL store; use a file: URL')
  if (!databaseUrl.startsWith('file:') || databaseUrl === 'file:') throw new Error('the store has to be a file: URL')
  // A relative path is not something that a URL can say, so only the absolute form is read as one.
  return databaseUrl.startsWith('file:/') ? fileURLToPath(databaseUrl) : databaseUrl.slice('file:'.length)
}
