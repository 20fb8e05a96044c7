import type { Transaction } from 'kysely'
import type { Store } from './open.ts'
import { hasRowLocks } from './rowLocks.ts'
import type { Tables } from './tables.ts'

export type StoreTransaction = Transaction<Tables>

/** How often work is done again that another transaction came in the way of. */
const attempts = 5
/**
 * PostgreSQL's words for that: a deadlock, a conflict, and a unique key that the other one took between our look and
 * our write. Whoever looks again sees what the other one did.
 */
const inTheWay: ReadonlySet<unknown> = new Set(['40P01', '40001', '23505'])

/**
 * Does `work` in one transaction: committed when it returns, undone when it throws. In the embedded store
 * transactions take turns, so `work` must use what it is given and never the store itself. In PostgreSQL it is done
 * again when another transaction came in its way.
 */
export async function inTransaction<Result>(
  store: Store,
  work: (tx: StoreTransaction) => Promise<Result>,
): Promise<Result> {
  if (!hasRowLocks(store)) return store.transaction().execute(work)
  for (let attempt = 1; ; attempt++) {
    try {
      // Whatever the database's default is: each statement sees what was committed before it.
      return await store.transaction().setIsolationLevel('read committed').execute(work)
    } catch (error) {
      if (attempt === attempts || !inTheWay.has(codeOf(error))) throw error
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
