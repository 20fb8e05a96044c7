import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables.ts'
import { EmbeddedConnection, immediateTransaction, prepareStatements } from './database.ts'
import { dialectOf } from './dialect.ts'

let migrated: Promise<Uint8Array | undefined> | undefined

/**
 * The content of a database with all tables, migrated once per process: stores in memory start from a copy, because
 * migrating one takes longer than the rest of a service's start. Undefined before Node.js 24.16, which cannot copy one.
 */
export function migratedDatabase(): Promise<Uint8Array | undefined> {
  migrated ??= migrateOnce()
  return migrated
}

async function migrateOnce(): Promise<Uint8Array | undefined> {
  const database = new DatabaseSync(':memory:')
  if (typeof database.serialize !== 'function') return undefined
  const store = new Kysely<Tables>({
    dialect: dialectOf(() => new EmbeddedConnection(prepareStatements(database), immediateTransaction)),
  })
  try {
    await migrate(store, 'sqlite')
    return database.serialize()
  } finally {
    await store.destroy()
  }
}
