import { setTimeout as delay } from 'node:timers/promises'
import { PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Store, StoreTransaction } from './store.ts'

// Row locks: endings of a select, which lock its rows until the transaction ends. The embedded store has one writer and
// needs no locks.

const nothing = sql``
const sqlForUpdate = sql`for update`
const sqlForNoKeyUpdate = sql`for no key update`
const sqlForKeyShare = sql`for key share`
const sqlSkipLocked = sql`for no key update skip locked`

/** `FOR UPDATE`: for rows that are deleted. Waits for transactions that use them, and blocks new ones. */
export function forUpdate(db: Store): RawBuilder<unknown> {
  return hasRowLocks(db) ? sqlForUpdate : nothing
}

/** `FOR NO KEY UPDATE`: blocks updates and deletes of these rows, allows references to them. */
export function forNoKeyUpdate(db: Store): RawBuilder<unknown> {
  return hasRowLocks(db) ? sqlForNoKeyUpdate : nothing
}

/** `FOR KEY SHARE`: blocks deletes of these rows, allows updates. */
export function forKeyShare(db: Store): RawBuilder<unknown> {
  return hasRowLocks(db) ? sqlForKeyShare : nothing
}

/** `FOR NO KEY UPDATE SKIP LOCKED`: leaves out rows that another process has claimed. */
export function skipLocked(db: Store): RawBuilder<unknown> {
  return hasRowLocks(db) ? sqlSkipLocked : nothing
}

/**
 * Lock modes for a query that reserves a free row, to be tried in this order. Skipping locked rows keeps bookings from
 * queueing. Waiting for them in the end finds a locker that another transaction only read or released.
 */
export function lockModes(db: Store): readonly RawBuilder<unknown>[] {
  return hasRowLocks(db) ? [sqlSkipLocked, sqlForNoKeyUpdate] : [nothing]
}

export function hasRowLocks(db: Store): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** Milliseconds between two tries to acquire an advisory lock. */
const pollInterval = 50

/**
 * Waits for the advisory lock of this name and holds it until the transaction ends. It polls, since the start of a
 * process may wait longer than the statement timeout.
 */
export async function advisoryLock(tx: StoreTransaction, name: string): Promise<void> {
  while (!(await tryAdvisoryLock(tx, name))) await delay(pollInterval)
}

/** Acquires the advisory lock of this name if it is free, and returns whether it was. */
export async function tryAdvisoryLock(tx: StoreTransaction, name: string): Promise<boolean> {
  if (!hasRowLocks(tx)) return true
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`.execute(tx)
  return rows[0]?.locked === true
}

/**
 * Waits for the batches that book for this tenant, and keeps it out of later ones until the transaction ends. PostgreSQL queues
 * the lock, so batches that overlap cannot delay it forever.
 */
export async function lockOutBatches(tx: StoreTransaction, tenantId: string): Promise<void> {
  if (!hasRowLocks(tx)) return
  await sql`select pg_advisory_xact_lock(hashtextextended(${`access ${tenantId}`}, 0))`.execute(tx)
}

/** Milliseconds since 1970. */
export type Clock = () => number

/**
 * The present time for leases as an expression of SQL, in milliseconds since 1970: PostgreSQL's, because the clocks of
 * the processes that share it may differ, or that of the machine of an embedded store. It is the same within a
 * statement.
 * @param clock replaces the machine's clock beside an embedded store
 */
export function databaseTime(db: Store, clock: Clock = Date.now): RawBuilder<number> {
  return hasRowLocks(db)
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`${clock()}`
}

/**
 * Reads the present time that `databaseTime` expresses.
 * @param clock a test may move it ahead of the machine's, and the result is as far ahead
 */
export async function readTime(db: Store, clock: Clock = Date.now): Promise<number> {
  if (!hasRowLocks(db)) return clock()
  const { rows } = await sql<{ time: number }>`select ${databaseTime(db)} as time`.execute(db)
  return (rows[0]?.time ?? Date.now()) + clock() - Date.now()
}
