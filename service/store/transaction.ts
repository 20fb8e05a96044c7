import type { Transaction } from 'kysely'
import type { Store } from './open.ts'
import { hasRowLocks } from './rowLocks.ts'
import { type Batches, createBatches } from './sqlite/batches.ts'
import type { Tables } from './tables.ts'

export type StoreTransaction = Transaction<Tables>

/** How often work is done again that another transaction came in the way of. */
const attempts = 5
/**
 * PostgreSQL's words for that: a deadlock, a conflict, a unique key that the other one took between our look and our
 * write, and a table that a newer process has changed. Whoever looks again sees what the other one did.
 */
const inTheWay: ReadonlySet<unknown> = new Set(['40P01', '40001', '23505', '0A000'])

/**
 * Does `work` in one transaction: committed when it returns, undone when it throws. In the embedded store
 * transactions take turns, so `work` must use what it is given and never the store itself. In PostgreSQL it is done
 * again when another transaction came in its way.
 */
export async function inTransaction<Result>(
  store: Store,
  work: (tx: StoreTransaction) => Promise<Result>,
): Promise<Result> {
  if (!hasRowLocks(store)) return batchesOf(store)(work)
  for (let attempt = 1; ; attempt++) {
    try {
      // Whatever the database's default is: each statement sees what was committed before it.
      return await store.transaction().setIsolationLevel('read committed').execute(work)
    } catch (error) {
      if (attempt === attempts || !inTheWay.has(codeOf(error))) throw error
    }
  }
}

const batches = new WeakMap<Store, Batches>()

function batchesOf(store: Store): Batches {
  const made = batches.get(store) ?? createBatches(store)
  batches.set(store, made)
  return made
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
