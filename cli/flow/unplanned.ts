import { setTimeout as sleep } from 'node:timers/promises'
import type { Refused } from '#client'
import type { AnyFlows } from './session.ts'

/** Milliseconds that a worker has for the plan of a new flow, and between two reads of the status. */
const planTimeout = 5_000
const pollInterval = 100

/** The plan of a flow fails with one of them, before anything is booked. */
const codes: ReadonlySet<string> = new Set(['UnknownFlow', 'InvalidFlowInput', 'AmbiguousBooking'])

/**
 * Waits for the plan of a new flow whose declaration this machine does not have. A start waits for nothing, and it succeeds for
 * any name.
 * @returns the refusal of a plan that failed; undefined for a planned flow, and for one whose worker does not respond in time
 */
export async function findFailedPlan(
  flows: AnyFlows,
  caseNo: string,
  signal: AbortSignal,
): Promise<Refused | undefined> {
  const until = performance.now() + planTimeout
  while (performance.now() < until) {
    const ended = await flows.waitForEnd(caseNo, { timeout: pollInterval, signal })
    if (ended.kind === 'Refused') return codes.has(ended.code) ? ended : undefined
    // Without a worker, a query fails after ten seconds only.
    if (ended.kind !== 'EndPending' || ended.code !== 'NoResponseInTime') return undefined
    const found = await flows.status(caseNo, { picture: true })
    if (found.kind !== 'Status' || found.status.picture) return undefined
    await sleep(pollInterval, undefined, { signal })
  }
  return undefined
}
