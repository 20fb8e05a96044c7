import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { migrate } from '../migrate.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { EmbeddedConnection, prepareStatements, type TransactionStatements } from './database.ts'
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
  const store = new Kysely<Tables>({
    dialect: dialectOf(() => new EmbeddedConnection(prepareStatements(database), savepointOfWhole)),
  })
  try {
    await migrate(store, 'sqlite')
  } catch (error) {
    await store.destroy()
    throw error
  }
  const [begin, rollBack] = ['begin', 'rollback'].map(sql => database.prepare(sql))
  return {
    store,
    mark: () => void begin?.run(),
    rewind() {
      rollBack?.run()
      begin?.run()
    },
  }
}

const savepointOfWhole: TransactionStatements = {
  begin: 'savepoint whole',
  commit: 'release savepoint whole',
  rollBack: ['rollback to savepoint whole', 'release savepoint whole'],
  beginsLate: true,
}
