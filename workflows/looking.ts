import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { FlowActivities } from '#activities/interface'
import { isActivityError, reasonOf } from './failures.ts'
import { learn } from './hearing.ts'
import { courseOf, type Run, refuse } from './run.ts'

const summary = 'ask the service for the shipments'

/** One attempt of at most two seconds: local activities that retry in an outage would hold the worker's slots. */
const quick = proxyLocalActivities<Pick<FlowActivities, 'look'>>({
  startToCloseTimeout: '2s',
  retry: { maximumAttempts: 1 },
  summary,
})

/** At a deadline the answer matters, so it is worth a minute. */
const patient = proxyActivities<Pick<FlowActivities, 'look'>>({
  startToCloseTimeout: '15s',
  scheduleToCloseTimeout: '1m',
  retry: { initialInterval: '250ms', maximumInterval: '10s' },
  summary,
})

/** Asks the service where the shipments are; what it learns counts like a callback. A failure is only noted. */
export async function lookAround(run: Run, { patiently }: { patiently: boolean }): Promise<void> {
  const order = { shipmentUids: courseOf(run).shipments.map(({ shipmentUid }) => shipmentUid) }
  run.lookWanted = false
  for (const look of patiently ? [quick.look, patient.look] : [quick.look]) {
    try {
      return learn(run, await look(order))
    } catch (error) {
      if (!isActivityError(error)) throw error
      refuse(run, `the service could not be asked: ${reasonOf(error)}`)
    }
  }
}

/** Milliseconds until the next look: growing from the first to the longest, a fifth of it left to chance. */
export function nextLookAfter({ first, longest }: { first: number; longest: number }, looks: number): number {
  const interval = Math.min(first * 2 ** Math.min(looks, 30), longest)
  return interval * (0.8 + 0.4 * Math.random())
}
