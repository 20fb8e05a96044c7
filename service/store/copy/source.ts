import { existsSync } from 'node:fs'
import { Kysely, sql } from 'kysely'
import { migrate } from '../migrate.ts'
import type { Store } from '../open.ts'
import { embeddedDialect } from '../sqlite/dialect.ts'
import { pathOf } from '../sqlite/path.ts'
import type { Tables } from '../tables.ts'
import { storeIsAway } from '../unavailable.ts'

/** One that is busy is refused at once, so nothing ever waits for so long; milliseconds. */
const lockTimeout = 1_000

/**
 * Opens the embedded store at a `file:` URL for this process alone, and brings its tables up to date. Until it is
 * closed nobody else can open it, not even to read.
 * @throws Error when there is none, or somebody else has it open
 */
export async function openAlone(url: string): Promise<Store> {
  const path = pathOf(url)
  // Opening would make it.
  if (!existsSync(path)) throw new Error(`there is no file ${path}`)
  const store = new Kysely<Tables>({ dialect: embeddedDialect(path, lockTimeout) })
  try {
    await sql`pragma locking_mode = exclusive`.execute(store)
    // Whoever has the file open, even without doing anything, keeps it from leaving the write-ahead log. That a
    // running service writes nothing for the moment would not be enough: it would go on writing after the move.
    await sql`pragma journal_mode = delete`.execute(store)
    const { rows } = await sql`select name from sqlite_schema where name = 'kysely_migration'`.execute(store)
    if (rows.length === 0) throw new Error(`${path} is not a store of the service`)
    await migrate(store, 'sqlite')
    return store
  } catch (error) {
    await store.destroy()
    throw storeIsAway(error) ? new Error(`${path} cannot be had alone: ${reasonOf(error)}`, { cause: error }) : error
  }
}

function reasonOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error)
  return said === 'database is locked' ? 'a running service, or somebody else, has it open; stop that first' : said
}

/** The highest number that each sequence of the store ever gave, by table; more than the rows can tell. */
export async function givenNumbers(store: Store): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(store)
  return new Map(rows.map(({ name, seq }) => [name, seq]))
}
