import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { inTransaction, type Store, type StoreTransaction, tryAdvisoryLock } from '../store/index.ts'
import { hasRowLocks } from '../store/locks.ts'

/** Maximum number of rows that one transaction deletes. */
export const batchRows = 500

/** Deletes up to `batchRows` rows, and returns how many. @param before milliseconds since 1970 */
export type DeleteBatch = (tx: StoreTransaction, before: number) => Promise<number>

/** Maximum pause between two batches, in milliseconds. */
const maxPause = 100
/** Milliseconds that a batch waits for that of another process. Processes that purge at the same time alternate. */
const lockWait = 2_000
/** Milliseconds between two tries to acquire the advisory lock. */
const lockInterval = 25

const withoutWaitForDisk = sql`set local synchronous_commit = off`

/**
 * Runs one batch in a transaction of its own. First waits as long as the last one took, and at most 100 ms, so that requests go on in
 * between.
 * @returns undefined if another process purges for two seconds, or this one stops
 */
export type RunBatch = <Result>(work: (tx: StoreTransaction) => Promise<Result>) => Promise<Result | undefined>

export function createRunBatch(store: Store, stopping: AbortSignal): RunBatch {
  let took = 0
  return async work => {
    await delay(Math.min(took, maxPause))
    const until = performance.now() + lockWait
    while (!stopping.aborted) {
      const startedAt = performance.now()
      const batch = await inTransaction(store, async tx => {
        if (!(await tryAdvisoryLock(tx, 'retention'))) return undefined
        // The next round repeats a batch that a crash of PostgreSQL undoes.
        if (hasRowLocks(tx)) await withoutWaitForDisk.execute(tx)
        return { result: await work(tx) }
      }).finally(() => {
        took = performance.now() - startedAt
      })
      if (batch !== undefined) return batch.result
      if (performance.now() >= until) return undefined
      await delay(lockInterval)
    }
    return undefined
  }
}

/** Deletes batches until one is not full. Returns the number of deleted rows. */
export async function purgeRows(runBatch: RunBatch, deleteBatch: DeleteBatch, before: number): Promise<number> {
  for (let purged = 0; ; ) {
    const deleted = await runBatch(tx => deleteBatch(tx, before))
    purged += deleted ?? 0
    if (deleted === undefined || deleted < batchRows) return purged
  }
}
