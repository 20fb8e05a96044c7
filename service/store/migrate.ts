import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { SettingsError } from '#platform/settings'
import { addFunction, hasFunction } from './createShipments.ts'
import { isUnavailable } from './errors.ts'
import { hasRowLocks } from './locks.ts'
import { migrations, type StoreKind } from './migrations/index.ts'
import type { Store } from './store.ts'

/**
 * Runs the pending migrations: on PostgreSQL each in a transaction that also records it, so that no lock outlasts its migration,
 * and in the embedded store all in one. A store that a newer version has migrated stays unchanged, since both versions run
 * side by side during a roll-out. On PostgreSQL it then adds this version's function of batches.
 * @throws the error of a failed migration, after a rollback of its transaction
 */
export async function migrate(store: Store, kind: StoreKind): Promise<void> {
  const migrator = new Migrator({ db: store, provider: { getMigrations: async () => toKyselyMigrations(kind) } })
  while (!(await hasMigrations(store))) {
    const { error } = await (kind === 'postgres' ? migrator.migrateUp() : migrator.migrateToLatest())
    if (error !== undefined) throw error
  }
  if (!(await isUpToDate(store))) await addFunction(store)
}

/** Returns whether the store has all that this version needs. A newer version may have added more. */
export async function isUpToDate(store: Store): Promise<boolean> {
  return (await hasMigrations(store)) && (!hasRowLocks(store) || (await hasFunction(store)))
}

async function hasMigrations(store: Store): Promise<boolean> {
  try {
    const applied = await readApplied(store)
    return Object.keys(migrations).every(name => applied.has(name))
  } catch (error) {
    if (isUnavailable(error)) throw error
    // The table of migrations does not exist yet.
    return false
  }
}

/** Returns whether a newer version has migrated the store. */
export async function isNewer(store: Store): Promise<boolean> {
  return [...(await readApplied(store))].some(name => !(name in migrations))
}

async function readApplied(store: Store): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(store)
  return new Set(rows.map(({ name }) => name))
}

/** The error of a command whose store belongs to another program, or to a service that has never started. */
export function noTables(name: string): SettingsError {
  const wrong = `must be an existing store, but ${name} has no tables of a service. A service creates them when it starts`
  return new SettingsError({ name: 'LOCKERFLOW_DATABASE_URL', wrong })
}

function toKyselyMigrations(kind: StoreKind): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, up]) => [name, { up: schema => up(schema, kind) } satisfies Migration]),
  )
}
