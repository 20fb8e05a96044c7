import type { Logger } from 'pino'
import { createLogThrottle, logEvents } from '#platform/logs'
import { type Outcome, outcomes } from './outcomes.ts'
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
    const { level, logId } = outcomes[outcome]
    const durationMs = Math.round(elapsedMs)
    const write = (suppressed?: number) =>
      log[level](
        { logId, outcome, caseNo, shipmentUid, ...rejected, reason, durationMs, suppressed, ...trace },
        toText(logId, 'callback received'),
      )
    if (outcome === 'signalled' || outcome === 'noFlow' || rejected !== undefined) write()
    else throttled(`${outcome} ${reason}`, write)
  }
}

/** The text of the log line of an outcome: the one of its id, or the given one without an id. */
function toText(logId: (typeof outcomes)[Outcome]['logId'], text: string): string {
  return logId === undefined ? text : logEvents[logId].text
}
