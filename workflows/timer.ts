import type { Cancellable, Runtime } from './runtime.ts'

/**
 * The one timer of a flow. A running timer that fires early enough is kept: cancelling and starting one costs two events
 * of history.
 */
export interface FlowTimer {
  /** Fires at this moment, in milliseconds since 1970, or earlier; never for null. */
  setFor(moment: number | null, summary: string): void
  /** Notes that the clock of the flow has moved by so many milliseconds: a running timer fires that much later by it. */
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
    delay(moved) {
      if (running !== undefined) running.moment += moved
    },
    fired: () => hasFired,
  }
}
