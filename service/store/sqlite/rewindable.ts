import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { migrate } from '../migrate.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { EmbeddedConnection, prepareStatements, type TransactionStatements } from './database.ts'
import { dialectOf } from './dialect.ts'

/** A store in memory that can go back to earlier states. */
export interface RewindableStore {
  readonly store: Store
  /** Keeps the present state. Returns its number: 0, 1 and so on. Call it while no transaction runs. */
  mark(): number
  /** Goes back to a state of `mark`, and forgets the later ones. Call it while no transaction runs. */
  rewind(state: number): void
}

/**
 * Opens a store in memory for many short lives, since creating one takes longer than a whole flow. Everything after
 * the first `mark` is one open transaction of SQLite, in which later marks and the transactions of the service are savepoints.
 */
export async function openRewindable(): Promise<RewindableStore> {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true })
  // Bytes. SQLite copies each page before its first change in a savepoint, and the few rows of a flow fit into small ones.
  database.exec('pragma page_size = 512')
  const statements = prepareStatements(database)
  const store = new Kysely<Tables>({
    dialect: dialectOf(() => new EmbeddedConnection(statements, savepointOfWhole)),
  })
  try {
    await migrate(store, 'sqlite')
  } catch (error) {
    await store.destroy()
    throw error
  }
  const run = (sql: string) => void statements.prepare(sql).run([])
  let kept = 0
  return {
    store,
    mark() {
      run(kept === 0 ? 'begin' : `savepoint state${kept}`)
      return kept++
    },
    rewind(state) {
      if (state === 0) {
        run('rollback')
        run('begin')
      } else run(`rollback to savepoint state${state}`)
      kept = state + 1
    },
  }
}

const savepointOfWhole: TransactionStatements = {
  begin: 'savepoint whole',
  commit: 'release savepoint whole',
  rollBack: ['rollback to savepoint whole', 'release savepoint whole'],
  beginsLate: true,
}
