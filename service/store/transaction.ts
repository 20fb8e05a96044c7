import { tracingChannel } from 'node:diagnostics_channel'
import { sql } from 'kysely'
import { type OpenSpan, tracing } from '#platform/telemetry'
import { readErrorCode } from './errors.ts'
import { createLoneTransaction, createSharedTransaction, type SharedTransaction } from './groupCommit.ts'
import { hasRowLocks } from './locks.ts'
import { noteRefusedWrite } from './refusedWrites.ts'
import type { Store, StoreTransaction } from './store.ts'

/** Attempts of a transaction that conflicts with others. */
const maxTries = 5

/**
 * SQLSTATEs that are safe to retry: deadlock, serialization failure, unique violation, cached plan invalidated. The
 * next try sees what the other transaction committed.
 */
const retryableSqlStates: ReadonlySet<unknown> = new Set(['40P01', '40001', '23505', '0A000'])

/** Marks the work of transactions. The tests subscribe to it to find I/O inside of them. */
const transactionWork = tracingChannel('lockerflow:transaction')

/**
 * Runs `work` in one transaction, which is committed when `work` returns and rolled back when it throws. `work` must use
 * the given transaction and never the store: on the embedded store that would deadlock. It does no other I/O, since all
 * tenants share the writer of the embedded store and the connections to PostgreSQL. On PostgreSQL `work` runs again after
 * a conflict with another transaction.
 */
export async function inTransaction<Result>(
  store: Store,
  work: (tx: StoreTransaction) => Promise<Result>,
): Promise<Result> {
  // Another request may run a shared commit.
  return inSpan(store, span => runTransaction(store, span === undefined ? work : tx => span.run(() => work(tx))))
}

function inSpan<Result>(store: Store, run: (span?: OpenSpan) => Promise<Result>): Promise<Result> {
  // The background work of the process belongs to no trace, and most traces are not sampled.
  if (tracing === undefined || !tracing.isSampled()) return run()
  const attributes = { 'db.system.name': hasRowLocks(store) ? 'postgresql' : 'sqlite' }
  return tracing.inSpan({ name: 'transaction', kind: 'client', attributes }, run)
}

/**
 * Observes a commit that is not made by `inTransaction` as if it were.
 * @param commit gets a function to call when it no longer waits to begin
 */
export function asTransaction<Result>(store: Store, commit: (begun: () => void) => Promise<Result>): Promise<Result> {
  return inSpan(store, async () => {
    const begun = startWait(store)
    try {
      return await commit(begun)
    } catch (error) {
      noteRefusedWrite(store, error)
      throw error
    } finally {
      begun()
    }
  })
}

async function runTransaction<Result>(store: Store, work: (tx: StoreTransaction) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const begun = startWait(store)
    const marked = (tx: StoreTransaction) => {
      begun()
      return transactionWork.tracePromise(work, {}, undefined, tx)
    }
    try {
      if (!hasRowLocks(store)) return await requireSharedTransaction(store)(marked)
      // Explicit, since the database's default may differ: each statement sees what was committed before it.
      return await store.transaction().setIsolationLevel('read committed').execute(marked)
    } catch (error) {
      if (hasRowLocks(store) && tries < maxTries && retryableSqlStates.has(readErrorCode(error))) continue
      noteRefusedWrite(store, error)
      throw error
    } finally {
      begun()
    }
  }
}

interface Wait {
  /** By `performance.now()`. */
  readonly since: number
}

/** The transactions that wait for a connection or for the writer, oldest first: both are first in, first out. */
const waits = new WeakMap<Store, Set<Wait>>()

/** Counts a transaction as waiting until the returned function is called. */
function startWait(store: Store): () => void {
  const wait = { since: performance.now() }
  const waiting = waits.get(store) ?? new Set()
  waits.set(store, waiting.add(wait))
  return () => void waiting.delete(wait)
}

/** The milliseconds for which the oldest transaction of this process has waited to begin; 0 without one. */
export function maxWait(store: Store): number {
  const [oldest] = waits.get(store) ?? []
  return oldest === undefined ? 0 : performance.now() - oldest.since
}

/** The transactions that wait to begin, and the milliseconds of the oldest. */
export function storeWaits(store: Store): { readonly waiting: number; readonly longest: number } {
  return { waiting: waits.get(store)?.size ?? 0, longest: maxWait(store) }
}

/**
 * Runs background work. Each of its statements is committed by itself. On the embedded store, whose commits wait for the
 * disk, all of it shares a commit with concurrent callers. Inside a transaction, `work` is a part of it.
 */
export function inSharedCommit<Result>(store: Store, work: (db: Store) => Promise<Result>): Promise<Result> {
  if (store.isTransaction) return work(store)
  const result = hasRowLocks(store) ? work(store) : requireSharedTransaction(store)(work, true)
  return result.catch(error => {
    noteRefusedWrite(store, error)
    throw error
  })
}

/**
 * Runs `work` in a savepoint. When it fails, its changes are rolled back and the transaction can still be committed.
 * @returns the error of `work`, or undefined
 * @throws the store's error when the rollback to the savepoint fails; then the whole transaction is lost
 */
export async function withSavepoint(tx: StoreTransaction, work: () => Promise<void>): Promise<unknown> {
  await sql`savepoint work`.execute(tx)
  const failure = await work().then(
    () => undefined,
    (error: unknown) => error ?? new Error('failed without a reason'),
  )
  if (failure !== undefined) await sql`rollback to savepoint work`.execute(tx)
  await sql`release savepoint work`.execute(tx)
  return failure
}

const sharedTransactions = new WeakMap<Store, SharedTransaction>()

/** Runs each transaction of an embedded store by itself, without waiting for others that could share its commit. */
export function useLoneTransactions(store: Store): void {
  sharedTransactions.set(store, createLoneTransaction(store))
}

function requireSharedTransaction(store: Store): SharedTransaction {
  const shared = sharedTransactions.get(store) ?? createSharedTransaction(store)
  sharedTransactions.set(store, shared)
  return shared
}
