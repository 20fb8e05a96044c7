import { type Client, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client'
import { furthestClock } from '#contract/terms'
import { type Duration, parseDuration, toWorkflowId } from '#flows'
import { moveClock } from '#flows/messages'

/** The clock of a stack: that of the service, the gateway and the flows. */
export interface Clock {
  /** Milliseconds since 1970. Checks of callbacks need it: `verifyCallback` compares the age of a signature with it. */
  now(): number
  /**
   * Moves the clock forward. The service jumps there at once, and then each flow passes its windows, reminders, polls and
   * sleeps one after the other, at their declared lengths. Resolves when all flows are there or have ended.
   * A flow that no worker has planned yet begins at the new time.
   * Temporal's own times do not move: retries and timeouts of activities, and timers of your own workflows.
   * @param by such as `49h`; all of them together at most a hundred years
   */
  advance(by: Duration | number): Promise<void>
}

export interface MovableClock extends Clock {
  /** Milliseconds ahead of the machine's clock. */
  readonly ahead: number
  /**
   * The setting of the worker: the time that it was at a moment of the machine's clock. Moments before the start of the
   * process count as not ahead, which makes an idempotency key of then too old rather than too young.
   */
  at(moment: number): number
  /** The setting of the worker. Notes the case, so that `advance` moves it. */
  aheadOf(caseNo: string): number
  /** The cases that may be running. */
  cases(): readonly string[]
  /** Moves back, for a store of an earlier moment and the flows that it knows. */
  restore(ahead: number, cases: readonly string[]): void
}

/** Flows that move at a time. Each needs the worker. */
const concurrency = 20
/** A flow that continues as new during the update ends it; the next run accepts it again. */
const maxAttempts = 5

/** @param client undefined until the stack runs */
export function createClock(client: () => Client): MovableClock {
  let ahead = 0
  const moves = [{ from: 0, ahead }]
  const cases = new Set<string>()

  function setAhead(milliseconds: number): void {
    ahead = milliseconds
    moves.push({ from: Date.now(), ahead })
  }

  async function move(caseNo: string): Promise<void> {
    const handle = client().workflow.getHandle(toWorkflowId(caseNo))
    for (let attempt = 1; ; attempt++) {
      try {
        const { ended } = await handle.executeUpdate(moveClock, { args: [{ ahead }] })
        if (ended) cases.delete(caseNo)
        return
      } catch (error) {
        if (hasEnded(error)) return void cases.delete(caseNo)
        if (attempt === maxAttempts) throw error
      }
    }
  }

  return {
    get ahead() {
      return ahead
    },
    now: () => Date.now() + ahead,
    at: moment => moment + (moves.findLast(({ from }) => from <= moment)?.ahead ?? 0),
    aheadOf(caseNo) {
      cases.add(caseNo)
      return ahead
    },
    cases: () => [...cases],
    restore(moment, running) {
      setAhead(moment)
      cases.clear()
      for (const caseNo of running) cases.add(caseNo)
    },
    async advance(by) {
      const next = ahead + toLength(by)
      if (next > furthestClock) throw new Error(`by: must leave the clock at most a hundred years ahead, got ${by}.`)
      setAhead(next)
      const left = [...cases]
      const work = Array.from({ length: concurrency }, async () => {
        for (let caseNo = left.pop(); caseNo !== undefined; caseNo = left.pop()) await move(caseNo)
      })
      await Promise.all(work)
    },
  }
}

function toLength(by: Duration | number): number {
  const length = typeof by === 'number' ? by : parseDuration(by)
  if (length === undefined || !Number.isSafeInteger(length) || length < 0) {
    throw new Error(`by: must be a duration such as 30m, 49h or 3d, or a number of milliseconds, got ${by}.`)
  }
  return length
}

function hasEnded(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError) return true
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined
  return cause !== undefined && 'type' in cause && cause.type === 'FlowEnded'
}
