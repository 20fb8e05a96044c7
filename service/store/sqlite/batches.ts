import { setImmediate as othersTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../open.ts'
import type { StoreTransaction } from '../transaction.ts'

/** More in one transaction, or for longer, would let the first of them wait too long for the last. */
const most = 64
const longest = 50

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
      await commit(store, queue)
    }
    running = false
  }

  return work =>
    new Promise((resolve, reject) => {
      queue.push({ work, resolve: resolve as Waiting['resolve'], reject })
      if (!running) void run()
    })
}

/** Takes from the queue what fits into one transaction; a door that opens slowly is the last in its. */
async function commit(store: Store, queue: Waiting[]): Promise<void> {
  const taken: Waiting[] = []
  try {
    const ends = await store.transaction().execute(async tx => {
      const ended: (() => void)[] = []
      const begun = performance.now()
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
        taken.push(one)
        ended.push(await end(tx, one))
        if (taken.length === most || performance.now() - begun > longest) break
      }
      return ended
    })
    for (const tell of ends) tell()
  } catch (error) {
    // Nothing of it was kept: the store is away, or undid all of it. Nobody may wait for ever when it did not even begin.
    for (const { reject } of taken.length > 0 ? taken : queue.splice(0)) reject(error)
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
    try {
      await sql`rollback to savepoint one`.execute(tx)
      await sql`release savepoint one`.execute(tx)
    } catch {
      // All of the transaction is undone already, and this is why.
      throw error
    }
    return () => reject(error)
  }
}
