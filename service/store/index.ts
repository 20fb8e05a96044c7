// The store of the service: opened and migrated, its tables, transactions, and whether a failure is the store's own.
// Only the service's own folders import this.
export { type OpenStoreOptions, openStore, type Store } from './open.ts'
export { attempt } from './savepoint.ts'
export type { Tables } from './tables.ts'
export { inTransaction, type StoreTransaction } from './transaction.ts'
export { takeTurn, tryTurn } from './turns.ts'
export { storeIsAway } from './unavailable.ts'
