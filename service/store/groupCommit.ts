import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

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
  /** A commit waits while items arrive, until it has this number of them. One item that arrives alone does not wait. */
  readonly fullAt?: number
}

/** Commits an item together with others. An urgent one precedes those that are not. */
export type CommitTogether<Item, Result> = (item: Item, isUrgent?: boolean) => Promise<Result>

/** A commit waits for the disk, so concurrent callers share it. Returns a function that commits an item together with others. */
export function createGroupCommit<Item, Result>({
  lanes,
  commit,
  fullAt = 0,
}: GroupCommitOptions<Item, Result>): CommitTogether<Item, Result> {
  const urgent: Caller<Item, Result>[] = []
  const queue: Caller<Item, Result>[] = []
  let running = 0

  async function runLane(): Promise<void> {
    running++
    while (waiting() > 0) {
      let before: number
      do {
        before = waiting()
        // Requests that have arrived meanwhile join the queue here.
        await yieldToEventLoop()
      } while (before < waiting() && waiting() < fullAt)
      if (waiting() > 0) await commitBatch()
    }
    running--
  }

  function waiting(): number {
    return urgent.length + queue.length
  }

  async function commitBatch(): Promise<void> {
    const taken: Caller<Item, Result>[] = []
    const next = () => {
      const caller = urgent.shift() ?? queue.shift()
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
      for (const { reject } of taken.length > 0 ? taken : [...urgent.splice(0), ...queue.splice(0)]) reject(error)
    }
  }

  return (item, isUrgent = false) =>
    new Promise((resolve, reject) => {
      const callers = isUrgent ? urgent : queue
      callers.push({ item, resolve, reject })
      if (running < lanes) void runLane()
    })
}
