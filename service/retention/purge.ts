import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { inTransaction, type Store, type StoreTransaction, tryAdvisoryLock } from '../store/index.ts'

/** Rows that one transaction deletes at most. */
export const batchRows = 500

/** Deletes up to `batchRows` rows, and returns how many. @param before milliseconds since 1970 */
export type DeleteBatch = (tx: StoreTransaction, before: number) => Promise<number>

/**
 * Runs one batch in a transaction of its own. Yields to the event loop first, so that requests go on in between.
 * @returns undefined if another process purges, or this one stops
 */
export type RunBatch = <Result>(work: (tx: StoreTransaction) => Promise<Result>) => Promise<Result | undefined>

export function createRunBatch(store: Store, stopping: AbortSignal): RunBatch {
  return async work => {
    await yieldToEventLoop()
    if (stopping.aborted) return undefined
    return inTransaction(store, async tx => ((await tryAdvisoryLock(tx, 'retention')) ? work(tx) : undefined))
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
