import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Kysely } from 'kysely'
import { migrate } from '../migrate.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { embeddedDialect } from './dialect.ts'
import { migratedDatabase } from './memory.ts'

/**
 * Opens the embedded store at a `file:` URL, creates a missing file, and migrates its tables. Only the owner can read the
 * files of the store.
 * @param lockTimeout how long a statement waits for another process, in milliseconds
 */
export async function openEmbedded(url: string, lockTimeout: number): Promise<Store> {
  const path = toPath(url)
  const isFile = path !== ':memory:'
  if (isFile) createPrivately(path)
  const content = isFile ? undefined : await migratedDatabase()
  const store = new Kysely<Tables>({ dialect: embeddedDialect(path, lockTimeout, content) })
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

/** Modes that admit the owner only. */
const [folderMode, fileMode] = [0o700, 0o600]

/**
 * Creates a missing folder and file, and takes the access of others to an existing file away. SQLite gives the files
 * beside it the same mode, but only when it creates them. An existing folder keeps its mode, since it may be shared.
 */
function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: folderMode })
  if (!existsSync(path)) closeSync(openSync(path, 'a', fileMode))
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const stats = statSync(file, { throwIfNoEntry: false })
    // Only the owner may change the mode. Another user who may write to the file can still open the store.
    if (stats !== undefined && (stats.mode & 0o077) !== 0 && stats.uid === process.getuid?.()) chmodSync(file, fileMode)
  }
}
