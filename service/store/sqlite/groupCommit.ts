import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store, StoreTransaction } from '../store.ts'

/** Limits of one transaction: its first caller waits until the last one is done. The duration is in milliseconds. */
const maxCallers = 64
const maxDuration = 50

interface Caller {
  readonly work: (tx: StoreTransaction) => Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Runs `work` in a transaction that it shares with concurrent callers. */
export type GroupCommit = <Result>(work: (tx: StoreTransaction) => Promise<Result>) => Promise<Result>

/**
 * The embedded store has one writer, and each commit waits for the disk. Concurrent callers therefore share one
 * transaction: each runs in a savepoint of its own, one after the other, and gets its result after the commit.
 */
export function createGroupCommit(store: Store): GroupCommit {
  const queue: Caller[] = []
  let running = false

  async function run(): Promise<void> {
    running = true
    while (queue.length > 0) {
      // SQLite never yields by itself. Requests that have arrived meanwhile join the queue here.
      await yieldToEventLoop()
      await commitBatch(store, queue)
    }
    running = false
  }

  return work =>
    new Promise((resolve, reject) => {
      queue.push({ work, resolve: resolve as Caller['resolve'], reject })
      if (!running) void run()
    })
}

/** Runs callers from the queue in one transaction until a limit is reached. */
async function commitBatch(store: Store, queue: Caller[]): Promise<void> {
  const batch: Caller[] = []
  try {
    const settlements = await store.transaction().execute(async tx => {
      const settle: (() => void)[] = []
      const startedAt = performance.now()
      for (let caller = queue.shift(); caller !== undefined; caller = queue.shift()) {
        batch.push(caller)
        settle.push(await runInSavepoint(tx, caller))
        if (batch.length === maxCallers || performance.now() - startedAt > maxDuration) break
      }
      return settle
    })
    for (const settle of settlements) settle()
  } catch (error) {
    // The commit failed: reject every caller in the batch, or the whole queue when `begin` failed.
    for (const { reject } of batch.length > 0 ? batch : queue.splice(0)) reject(error)
  }
}

/** Runs one caller and rolls a failure back. The returned function settles the caller after the commit. */
async function runInSavepoint(tx: StoreTransaction, { work, resolve, reject }: Caller): Promise<() => void> {
  await sql`savepoint caller`.execute(tx)
  try {
    const result = await work(tx)
    await sql`release savepoint caller`.execute(tx)
    return () => resolve(result)
  } catch (error) {
    try {
      await sql`rollback to savepoint caller`.execute(tx)
      await sql`release savepoint caller`.execute(tx)
    } catch {
      // The whole transaction is rolled back already, and `error` is the reason.
      throw error
    }
    return () => reject(error)
  }
}
