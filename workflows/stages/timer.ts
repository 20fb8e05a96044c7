import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow'
import { startInScope } from '../cancellation.ts'

/**
 * The one timer of a flow. A running timer that fires early enough is kept: cancelling and starting one costs two events
 * of history.
 */
export interface StageTimer {
  /** Fires at this moment, in milliseconds since 1970, or earlier; never for null. */
  setFor(moment: number | null, summary: string): void
  /** True if it has fired since it was set. */
  fired(): boolean
}

export function createTimer(): StageTimer {
  let running: { readonly moment: number; readonly scope: CancellationScope } | undefined
  let hasFired = false
  function fire(): void {
    running = undefined
    hasFired = true
  }
  return {
    setFor(moment, summary) {
      hasFired = false
      if (running !== undefined && moment !== null && running.moment <= moment) return
      running?.scope.cancel()
      running = undefined
      if (moment === null) return
      const scope = new CancellationScope()
      running = { moment, scope }
      void startInScope(scope, () => sleep(Math.max(1, moment - Date.now()), { summary })).then(
        fire,
        ignoreCancellation,
      )
    },
    fired: () => hasFired,
  }
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error
}
