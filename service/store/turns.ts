import { sql } from 'kysely'
import { hasRowLocks } from './rowLocks.ts'
import type { StoreTransaction } from './transaction.ts'

/** What processes take in turns; locks that programs agree on are numbers. */
const turns = { topology: 7_316_022, signingKeys: 7_316_023 } as const

/** Waits until no other transaction has this turn, and keeps it to its own end. The embedded store has one writer. */
export async function takeTurn(tx: StoreTransaction, turn: keyof typeof turns): Promise<void> {
  if (!hasRowLocks(tx)) return
  // A start may wait longer than a request.
  await sql`set local lock_timeout = 0`.execute(tx)
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`select pg_advisory_xact_lock(${sql.lit(turns[turn])})`.execute(tx)
  await sql`set local lock_timeout to default`.execute(tx)
  await sql`set local statement_timeout to default`.execute(tx)
}

/** The same for one of many things by name, without waiting: whether nobody else has it. */
export async function tryTurn(tx: StoreTransaction, name: string): Promise<boolean> {
  if (!hasRowLocks(tx)) return true
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as free`.execute(tx)
  return rows[0]?.free === true
}
