import { sql } from 'kysely'
import type { StoreTransaction } from './transaction.ts'

/**
 * Does `work` so that, when it fails, only what it did is undone and the rest of the transaction can still be committed.
 * @returns what went wrong; undefined when nothing did
 * @throws what the store says when it cannot go back to the savepoint: then the whole transaction is lost
 */
export async function attempt(tx: StoreTransaction, work: () => Promise<void>): Promise<unknown> {
  await sql`savepoint attempt`.execute(tx)
  const failure = await work().then(
    () => undefined,
    (error: unknown) => error ?? new Error('failed without saying why'),
  )
  if (failure !== undefined) await sql`rollback to savepoint attempt`.execute(tx)
  await sql`release savepoint attempt`.execute(tx)
  return failure
}
