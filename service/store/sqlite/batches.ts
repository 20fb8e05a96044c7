import { setImmediate as othersTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../open.ts'
import type { StoreTransaction } from '../transaction.ts'

/** More in one transaction would let the first of them wait too long for the last. */
const longest = 64

interface Waiting {
  readonly work: (tx: StoreTransaction) => Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Does work in a transaction of the embedded store, together with what waits at the same time. */
export type Batches = <Result>(work: (tx: StoreTransaction) => Promise<Result>) => Promise<Result>

/**
 * The embedded store has one writer, and each commit waits for the disk. So what waits is done one after the other in
 * one transaction, each in a savepoint of its own, and told of its end when all of it is on the disk.
 */
export function createBatches(store: Store): Batches {
  const queue: Waiting[] = []
  let running = false

  async function run(): Promise<void> {
    running = true
    while (queue.length > 0) {
      // SQLite never lets go of the thread by itself: here the requests that have come meanwhile get into the queue.
      await othersTurn()
      await commit(store, queue.splice(0, longest))
    }
    running = false
  }

  return work =>
    new Promise((resolve, reject) => {
      queue.push({ work, resolve: resolve as Waiting['resolve'], reject })
      if (!running) void run()
    })
}

async function commit(store: Store, batch: readonly Waiting[]): Promise<void> {
  try {
    const ends = await store.transaction().execute(async tx => {
      const ended: (() => void)[] = []
      for (const one of batch) ended.push(await end(tx, one))
      return ended
    })
    for (const tell of ends) tell()
  } catch (error) {
    // Nothing of it was kept: the store is away, or undid all of it.
    for (const { reject } of batch) reject(error)
  }
}

/** Does one piece of work; what fails is undone, and what it came to is told once the transaction is committed. */
async function end(tx: StoreTransaction, { work, resolve, reject }: Waiting): Promise<() => void> {
  await sql`savepoint one`.execute(tx)
  try {
    const result = await work(tx)
    await sql`release savepoint one`.execute(tx)
    return () => resolve(result)
  } catch (error) {
    await sql`rollback to savepoint one`.execute(tx)
    await sql`release savepoint one`.execute(tx)
    return () => reject(error)
  }
}
