import { existsSync } from 'node:fs'
import { Kysely, sql } from 'kysely'
import { isUnavailable } from '../errors.ts'
import { isNewer, migrate } from '../migrate.ts'
import { embeddedDialect } from '../sqlite/dialect.ts'
import { toPath } from '../sqlite/open.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'

/** In milliseconds. A file in use is refused immediately, so no statement waits this long. */
const lockTimeout = 1_000

/**
 * Opens the embedded store at a `file:` URL with an exclusive lock and migrates its tables. Until it is closed no other
 * process can open it, not even to read.
 * @throws Error when the file is missing, is not a store or one of a newer version, or is open in another process
 */
export async function openAlone(url: string): Promise<Store> {
  const path = toPath(url)
  // Opening would create it.
  if (!existsSync(path)) throw new Error(`there is no file ${path}`)
  const store = new Kysely<Tables>({ dialect: embeddedDialect(path, lockTimeout) })
  try {
    await sql`pragma locking_mode = exclusive`.execute(store)
    // Fails while any process has the file open, even an idle one: it would go on writing into the file after the copy.
    await sql`pragma journal_mode = delete`.execute(store)
    const { rows } = await sql`select name from sqlite_schema where name = 'kysely_migration'`.execute(store)
    if (rows.length === 0) throw new Error(`${path} is not a store of the service`)
    // It has tables or columns that this version would leave out.
    if (await isNewer(store)) throw new Error(`${path} is a store of a newer version: copy it with that version`)
    await migrate(store, 'sqlite')
    return store
  } catch (error) {
    await store.destroy()
    if (!isUnavailable(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(describe(path, reason), { cause: error })
  }
}

function describe(path: string, reason: string): string {
  return reason === 'database is locked'
    ? `${path} must not be in use: a running service or another process has it open; stop that first`
    : `${path} must be a store that this process can write: ${reason}`
}

/** Reads the last value of each sequence by table. Rows with higher numbers may have been deleted. */
export async function readSequences(store: Store): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(store)
  return new Map(rows.map(({ name, seq }) => [name, seq]))
}
