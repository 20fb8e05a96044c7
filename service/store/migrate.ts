import { type Migration, Migrator } from 'kysely/migration'
import { migrations, type StoreKind } from './migrations/index.ts'
import type { Store } from './open.ts'

/**
 * Runs the migrations that the store has not had yet, all of them in one transaction and under a lock.
 * @throws what the failing migration threw; then nothing has changed
 */
export async function migrate(store: Store, kind: StoreKind): Promise<void> {
  const migrator = new Migrator({ db: store, provider: { getMigrations: async () => named(kind) } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

function named(kind: StoreKind): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, up]) => [name, { up: schema => up(schema, kind) } satisfies Migration]),
  )
}
