import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

const nothing = sql``
const skipping = sql`for update skip locked`
const waiting = sql`for update`

/**
 * Endings of a query that takes a free row, one after the other until one finds something. Going past the rows that
 * others hold keeps bookings from queueing up; waiting for them in the end keeps a locker from being refused that
 * another transaction only looked at, or gave back. SQLite has one writer and needs neither.
 */
export function takingEndings(db: Kysely<Tables>): readonly RawBuilder<unknown>[] {
  return hasRowLocks(db) ? [skipping, waiting] : [nothing]
}

/** The ending of a query whose rows nobody else may change before this transaction ends. */
export function withRowLock(db: Kysely<Tables>): RawBuilder<unknown> {
  return hasRowLocks(db) ? waiting : nothing
}

export function hasRowLocks(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** The ending of a query whose rows several processes take in turns: those that another one is taking are left out. */
export function pastLockedRows(db: Kysely<Tables>): RawBuilder<unknown> {
  return hasRowLocks(db) ? skipping : nothing
}
