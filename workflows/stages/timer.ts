import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow'
import { beginIn } from './scope.ts'

/**
 * The one timer of a flow. A timer that rings no later than needed is left running, since every timer that is
 * cancelled and started again costs two events of history.
 */
export interface Alarm {
  /** Rings at the moment, in milliseconds since 1970, or earlier; never for null. */
  setFor(moment: number | null, summary: string): void
  /** Whether it has rung since it was set. */
  rang(): boolean
}

export function createAlarm(): Alarm {
  let running: { readonly moment: number; readonly scope: CancellationScope } | undefined
  let rung = false
  function ring(): void {
    running = undefined
    rung = true
  }
  return {
    setFor(moment, summary) {
      rung = false
      if (running !== undefined && moment !== null && running.moment <= moment) return
      running?.scope.cancel()
      running = undefined
      if (moment === null) return
      const scope = new CancellationScope()
      running = { moment, scope }
      void beginIn(scope, () => sleep(Math.max(1, moment - Date.now()), { summary })).then(ring, ignoreCancellation)
    },
    rang: () => rung,
  }
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error
}
