import type { Logger } from 'pino'
import { OperationError } from '../operationError.ts'

/** Milliseconds between two log lines: a line for each rejected request would add to the load. */
const logInterval = 1_000

/** The service has no capacity for the request now. */
export class Overloaded extends OperationError {
  constructor() {
    super('Unavailable', 'The service is overloaded; try again.')
  }
}

/** Rejects a request, and logs the reason with the measured milliseconds at most once per second. */
export type Shed = (reason: 'eventLoopDelay' | 'storeWait', durationMs: number) => never

export function createShed(log: Pick<Logger, 'warn'>): Shed {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (reason, durationMs) => {
    const now = performance.now()
    if (now - loggedAt >= logInterval) {
      loggedAt = now
      log.warn(
        { logId: 'requests-rejected', reason, durationMs: Math.round(durationMs) },
        'requests rejected: service overloaded',
      )
    }
    throw new Overloaded()
  }
}
