import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { hasRowLocks } from './rowLocks.ts'
import type { StoreTransaction } from './transaction.ts'

/** How often to look whether a turn has come, in milliseconds. */
const lookAgain = 50

/**
 * Waits until no other transaction has the turn of this name, and keeps it to its own end. The embedded store has one
 * writer. By looking again and again, since a start may wait longer than a statement may take.
 */
export async function takeTurn(tx: StoreTransaction, name: string): Promise<void> {
  while (!(await tryTurn(tx, name))) await pause(lookAgain)
}

/** The same without waiting: whether nobody else has it. */
export async function tryTurn(tx: StoreTransaction, name: string): Promise<boolean> {
  if (!hasRowLocks(tx)) return true
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as free`.execute(tx)
  return rows[0]?.free === true
}
