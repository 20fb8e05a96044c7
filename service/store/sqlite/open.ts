import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { migrate } from '../migrate.ts'
import type { Store } from '../open.ts'
import type { Tables } from '../tables.ts'
import { embeddedDialect } from './dialect.ts'
import { pathOf } from './path.ts'

/**
 * Opens the embedded store at a `file:` URL, makes its file when it is missing, and brings its tables up to date.
 * @param lockTimeout milliseconds that a statement waits for another process
 */
export async function openEmbedded(url: string, lockTimeout: number): Promise<Store> {
  const path = pathOf(url)
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
