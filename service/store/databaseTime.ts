import { type RawBuilder, sql } from 'kysely'
import { hasRowLocks } from './locks.ts'
import type { Store } from './store.ts'

const postgresTime = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
const sqliteTime = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`

/**
 * The present time of the database in milliseconds since 1970, as an expression of SQL. Leases use it, because the clocks
 * of the processes that share a store may differ.
 */
export function databaseTime(db: Store): RawBuilder<number> {
  return hasRowLocks(db) ? postgresTime : sqliteTime
}
