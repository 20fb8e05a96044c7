import { DatabaseSync } from 'node:sqlite'
import { Kysely, type SqliteDatabase } from 'kysely'
import { migrate } from '../migrate.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { prepareStatements } from './database.ts'
import { dialectOf } from './dialect.ts'

/** A store in memory that can go back to an earlier state. */
export interface RewindableStore {
  readonly store: Store
  /** The next `rewind` goes back to this moment. Call it while no transaction runs. */
  mark(): void
  /** Undoes everything since `mark`, and marks again. Call it while no transaction runs. */
  rewind(): void
}

/**
 * Opens a store in memory for many short lives, since creating one takes longer than a whole flow. Everything after
 * `mark` is one open transaction of SQLite, in which the transactions of the service are savepoints.
 */
export async function openRewindable(): Promise<RewindableStore> {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true })
  const store = new Kysely<Tables>({ dialect: dialectOf(() => toSavepoints(database)) })
  try {
    await migrate(store, 'sqlite')
  } catch (error) {
    await store.destroy()
    throw error
  }
  return {
    store,
    mark: () => database.exec('begin'),
    rewind: () => database.exec('rollback; begin'),
  }
}

/** By the statements that Kysely's dialect sends for a transaction. */
const savepoints: ReadonlyMap<string, string> = new Map([
  ['begin', 'savepoint whole'],
  ['commit', 'release whole'],
])

function toSavepoints(database: DatabaseSync): SqliteDatabase {
  const prepared = prepareStatements(database)
  return {
    ...prepared,
    prepare(sql) {
      if (sql !== 'rollback') return prepared.prepare(savepoints.get(sql) ?? sql)
      const run = () => {
        database.exec('rollback to whole; release whole')
        return { changes: 0, lastInsertRowid: 0 }
      }
      return { reader: false, all: () => [], run, iterate: () => [].values() }
    },
  }
}
