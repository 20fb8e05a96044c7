import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** The store of a service: PostgreSQL, or the embedded SQLite. */
export type Store = Kysely<Tables>

export type StoreTransaction = Transaction<Tables>
