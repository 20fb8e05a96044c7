import type { Transaction } from 'kysely'
import type { Store } from './open.ts'
import type { Tables } from './tables.ts'

export type StoreTransaction = Transaction<Tables>

/**
 * Does `work` in one transaction: committed when it returns, undone when it throws. In the embedded store
 * transactions take turns, so `work` must use what it is given and never the store itself.
 */
export function inTransaction<Result>(store: Store, work: (tx: StoreTransaction) => Promise<Result>): Promise<Result> {
  return store.transaction().execute(work)
}
