// The store of the service: opening, tables, transactions, locks and errors of an unavailable store.
// Only the service's own folders import this.

export { isRefused, isUnavailable } from './errors.ts'
export { advisoryLock, tryAdvisoryLock } from './locks.ts'
export { isUpToDate } from './migrate.ts'
export { nameStore, type OpenStoreOptions, openExistingStore, openStore } from './open.ts'
export { findWriteFault } from './refusedWrites.ts'
export { openRewindable, type RewindableStore } from './sqlite/rewindable.ts'
export type { Store, StoreTransaction } from './store.ts'
export type { Tables } from './tables.ts'
export {
  asTransaction,
  inSharedCommit,
  inTransaction,
  maxWait,
  storeWaits,
  useLoneTransactions,
  withSavepoint,
} from './transaction.ts'
