import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type { Store, StoreTransaction } from './store.ts'

interface Caller<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

export interface GroupCommitOptions<Item, Result> {
  /** Commits that run at the same time. */
  readonly lanes: number
  /**
   * Takes items with `next` until the queue is empty or a limit is reached, and commits them together.
   * @returns the outcome of each item that it took, in their order
   * @throws when the commit failed; each item that it took then has this outcome
   */
  readonly commit: (next: () => Item | undefined) => Promise<readonly PromiseSettledResult<Result>[]>
}

/** A commit waits for the disk, so concurrent callers share it. Returns a function that commits an item together with others. */
export function createGroupCommit<Item, Result>({
  lanes,
  commit,
}: GroupCommitOptions<Item, Result>): (item: Item) => Promise<Result> {
  const queue: Caller<Item, Result>[] = []
  let running = 0

  async function runLane(): Promise<void> {
    running++
    while (queue.length > 0) {
      // Requests that have arrived meanwhile join the queue here.
      await yieldToEventLoop()
      if (queue.length > 0) await commitBatch()
    }
    running--
  }

  async function commitBatch(): Promise<void> {
    const taken: Caller<Item, Result>[] = []
    const next = () => {
      const caller = queue.shift()
      if (caller !== undefined) taken.push(caller)
      return caller?.item
    }
    try {
      const outcomes = await commit(next)
      for (const [at, { resolve, reject }] of taken.entries()) {
        const outcome = outcomes[at]
        if (outcome?.status === 'fulfilled') resolve(outcome.value)
        else reject(outcome?.reason)
      }
    } catch (error) {
      // The whole queue when the transaction could not begin.
      for (const { reject } of taken.length > 0 ? taken : queue.splice(0)) reject(error)
    }
  }

  return item =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (running < lanes) void runLane()
    })
}

/** Limits of one commit of the embedded store: its first caller waits until the last one is done. The duration is in milliseconds. */
const maxCallers = 64
const maxDuration = 50

type Work = (tx: StoreTransaction) => Promise<unknown>

/** Runs `work` in a transaction that it shares with concurrent callers. */
export type SharedTransaction = <Result>(work: (tx: StoreTransaction) => Promise<Result>) => Promise<Result>

/**
 * The embedded store has one writer. Concurrent callers therefore share one transaction: each runs in a savepoint of its
 * own, one after the other, and gets its result after the commit.
 */
export function createSharedTransaction(store: Store): SharedTransaction {
  const run = createGroupCommit<Work, unknown>({ lanes: 1, commit: next => commitInSavepoints(store, next) })
  return run as SharedTransaction
}

function commitInSavepoints(
  store: Store,
  next: () => Work | undefined,
): Promise<readonly PromiseSettledResult<unknown>[]> {
  return store.transaction().execute(async tx => {
    const outcomes: PromiseSettledResult<unknown>[] = []
    const startedAt = performance.now()
    for (let work = next(); work !== undefined; work = next()) {
      outcomes.push(await runInSavepoint(tx, work))
      if (outcomes.length === maxCallers || performance.now() - startedAt > maxDuration) break
    }
    return outcomes
  })
}

const [begin, release, rollBack] = [
  CompiledQuery.raw('savepoint caller'),
  CompiledQuery.raw('release savepoint caller'),
  CompiledQuery.raw('rollback to savepoint caller'),
]

/** Runs one caller and rolls a failure back. */
async function runInSavepoint(tx: StoreTransaction, work: Work): Promise<PromiseSettledResult<unknown>> {
  await tx.executeQuery(begin)
  try {
    const value = await work(tx)
    await tx.executeQuery(release)
    return { status: 'fulfilled', value }
  } catch (reason) {
    try {
      await tx.executeQuery(rollBack)
      await tx.executeQuery(release)
    } catch {
      // The whole transaction is rolled back already, and this is why.
      throw reason
    }
    return { status: 'rejected', reason }
  }
}
