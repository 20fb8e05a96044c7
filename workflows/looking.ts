import { proxyActivities } from '@temporalio/workflow'
import type { FlowActivities } from '#activities/interface'
import { noteHeard } from './carryingOn.ts'
import { codeOf, isActivityError } from './failures.ts'
import { learn } from './hearing.ts'
import { courseOf, type Run, refuse } from './run.ts'
import { lookForSurplus } from './surplus.ts'

const summary = 'ask the service for the shipments'

/** When an answer was wanted and there was none, the next try is this much later, in milliseconds. */
export const soon = 60_000

/** One attempt: whoever wants more looks again. */
const quick = proxyActivities<Pick<FlowActivities, 'look'>>({
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

/** Asks the service where the shipments are; what it learns counts like a callback. False: there was no answer. */
export async function lookAround(run: Run, { patiently }: { patiently: boolean }): Promise<boolean> {
  const { shipments } = courseOf(run)
  const order = { shipmentUids: shipments.map(({ shipmentUid }) => shipmentUid) }
  for (const look of patiently ? [quick.look, patient.look] : [quick.look]) {
    try {
      learn(run, await look(order))
      return true
    } catch (error) {
      if (!isActivityError(error)) throw error
      refuse(run, `the service could not be asked: ${codeOf(error)}`)
    } finally {
      noteHeard(run)
    }
  }
  return false
}

/** A look that something said made necessary. It does not count: hints that are forged must not put looks off. */
export async function lookAsWanted(run: Run): Promise<undefined> {
  const course = courseOf(run)
  run.lookWanted = false
  if (await lookAround(run, { patiently: false })) return
  course.nextLook = Math.min(course.nextLook ?? Number.POSITIVE_INFINITY, Date.now() + soon)
}

/** A look whose time has come. Intervals double from the first to the longest. */
export async function lookAsScheduled(run: Run): Promise<undefined> {
  const course = courseOf(run)
  await lookAround(run, { patiently: false })
  await lookForSurplus(run)
  course.looks++
  course.nextLook = nextLook(run)
}

/** The moment of the next scheduled look; null for a service that cannot be asked. */
export function nextLook(run: Run): number | null {
  const { plan, looks } = courseOf(run)
  if (!plan.profile.reads) return null
  return Date.now() + Math.min(plan.looks.first * 2 ** Math.min(looks, 30), plan.looks.longest)
}
