import { isBusy, type PlannedFlow } from './context.ts'
import type { Cancellable, Runtime } from './runtime.ts'

/**
 * The one timer of a flow. A running timer that fires early enough is kept: cancelling and starting one costs two events
 * of history.
 */
export interface FlowTimer {
  /** Fires at this moment, in milliseconds since 1970, or earlier; never for null. */
  setFor(moment: number | null, summary: string): void
  /** Leaves it as it is. It has not fired since. */
  keep(): void
  /** Notes that the clock of the flow has moved ahead by this many milliseconds: by that clock, a running timer fires later. */
  delay(moved: number): void
  /** True if it has fired since it was set. */
  fired(): boolean
}

export function createTimer(runtime: Runtime): FlowTimer {
  let running: { moment: number; readonly timer: Cancellable } | undefined
  let hasFired = false
  function fire(): void {
    running = undefined
    hasFired = true
  }
  return {
    setFor(moment, summary) {
      hasFired = false
      if (running !== undefined && moment !== null && running.moment <= moment) return
      running?.timer.cancel()
      running = undefined
      if (moment === null) return
      running = { moment, timer: runtime.startTimer(Math.max(1, moment - runtime.now()), summary, fire) }
    },
    keep() {
      hasFired = false
    },
    delay(moved) {
      if (running !== undefined) running.moment += moved
    },
    fired: () => hasFired,
  }
}

/**
 * Moves the clock of a flow in staging to the next moment at which the flow acts, at most as far as `moveClock` asks.
 * Work that is under way ends first, as it would in the time that passes.
 * @param until that moment in milliseconds since 1970; null without one
 * @returns the milliseconds by which it has moved
 */
export function moveClock(flow: PlannedFlow, until: number | null): number {
  const { progress, runtime } = flow
  const { clock } = progress
  if (clock === undefined || clock.ahead >= clock.target || isBusy(flow)) return 0
  const left = clock.target - clock.ahead
  const moved = until === null ? left : Math.min(left, until - runtime.now())
  clock.ahead += moved
  runtime.setAhead(clock.ahead)
  return moved
}
