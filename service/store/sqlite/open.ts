import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Kysely } from 'kysely'
import { migrate } from '../migrate.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { embeddedDialect } from './dialect.ts'

/**
 * Opens the embedded store at a `file:` URL, creates a missing file, and migrates its tables.
 * @param lockTimeout how long a statement waits for another process, in milliseconds
 */
export async function openEmbedded(url: string, lockTimeout: number): Promise<Store> {
  const path = toPath(url)
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const store = new Kysely<Tables>({ dialect: embeddedDialect(path, lockTimeout) })
  try {
    await migrate(store, 'sqlite')
  } catch (error) {
    await store.destroy()
    throw error
  }
  return store
}

/** The path of a `file:` URL. */
export function toPath(url: string): string {
  // URLs cannot express a relative path, so only the absolute form is parsed as one.
  return url.startsWith('file:/') ? fileURLToPath(url) : url.slice('file:'.length)
}
