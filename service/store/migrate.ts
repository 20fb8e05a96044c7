import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { migrations, type StoreKind } from './migrations/index.ts'
import type { Store } from './open.ts'
import { storeIsAway } from './unavailable.ts'

/**
 * Runs the migrations that the store has not had yet, all of them in one transaction and under a lock. A store that a
 * newer version has brought further stays as it is: both run side by side while one replaces the other.
 * @throws what the failing migration threw; then nothing has changed
 */
export async function migrate(store: Store, kind: StoreKind): Promise<void> {
  if (await isUpToDate(store)) return
  const migrator = new Migrator({ db: store, provider: { getMigrations: async () => named(kind) } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

/** Whether the store has had all migrations that this version knows; a newer version may have brought more. */
export async function isUpToDate(store: Store): Promise<boolean> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(store)
    const had = new Set(rows.map(({ name }) => name))
    return Object.keys(migrations).every(name => had.has(name))
  } catch (error) {
    if (storeIsAway(error)) throw error
    // There is no such table yet.
    return false
  }
}

function named(kind: StoreKind): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, up]) => [name, { up: schema => up(schema, kind) } satisfies Migration]),
  )
}
