import type { Logger } from 'pino'
import { createLogThrottle } from '#platform/logs'
import { outcomes } from './outcomes.ts'
import type { Received } from './receive.ts'

/** Logs the outcome of a callback. */
export type LogCallback = (received: Received, elapsedMs: number) => void

/**
 * Creates the log of a receiver. Each signed callback that is rejected has a line of its own, which is its only trace. The
 * outcomes that repeat throughout an outage or an attack are throttled.
 */
export function createCallbackLog(log: Logger): LogCallback {
  const throttled = createLogThrottle()
  return ({ outcome, reason, caseNo, shipmentUid, rejected, trace }, elapsedMs) => {
    const { level, logId, message } = outcomes[outcome]
    const durationMs = Math.round(elapsedMs)
    const write = (suppressed?: number) =>
      log[level](
        { logId, outcome, caseNo, shipmentUid, ...rejected, reason, durationMs, suppressed, ...trace },
        message,
      )
    if (outcome === 'signalled' || outcome === 'noFlow' || rejected !== undefined) write()
    else throttled(`${outcome} ${reason}`, write)
  }
}
