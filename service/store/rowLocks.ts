import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

const nothing = sql``
const skipping = sql`for no key update skip locked`
const waiting = sql`for no key update`
const removing = sql`for update`
const using = sql`for key share`

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

/** The same for rows that are to be removed: whoever uses them has to be done, or comes too late. */
export function withRemovalLock(db: Kysely<Tables>): RawBuilder<unknown> {
  return hasRowLocks(db) ? removing : nothing
}

/** The ending of a query whose rows may change, but not go, before this transaction ends. */
export function withUseLock(db: Kysely<Tables>): RawBuilder<unknown> {
  return hasRowLocks(db) ? using : nothing
}

export function hasRowLocks(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** The ending of a query whose rows several processes take in turns: those that another one is taking are left out. */
export function pastLockedRows(db: Kysely<Tables>): RawBuilder<unknown> {
  return hasRowLocks(db) ? skipping : nothing
}
