import { type ActivityOptions, proxyActivities } from '@temporalio/workflow'
import type { BookedSet, BookedShipment, FlowActivities } from '#activities/interface'
import type { ServiceProfile } from '#contract/terms'
import { codeOf, isActivityError } from './failures.ts'
import { orderOf } from './order.ts'
import { type Course, courseOf, type Run, refuse } from './run.ts'
import { momentOf } from './times.ts'

/** Our client waits for a create for five minutes; one without an answer comes through no later than this, in milliseconds. */
const late = 6 * 60_000

const patience: ActivityOptions = {
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '10m',
  retry: { initialInterval: '250ms', maximumInterval: '30s' },
}

const { findBooked } = proxyActivities<Pick<FlowActivities, 'findBooked'>>({
  ...patience,
  summary: 'look for what was booked twice',
})

const { cancelShipments } = proxyActivities<Pick<FlowActivities, 'cancelShipments'>>({
  ...patience,
  summary: 'cancel what was booked twice',
})

/**
 * Until when there can be another booking, of an attempt without an answer; null where its key makes it the same one,
 * where nobody can be asked, and where the flow took over what there was.
 */
export function surplusUntil({ idempotent, reads }: ServiceProfile, adopts: boolean): number | null {
  return idempotent || !reads || adopts ? null : Date.now() + late
}

/** Looks for what was booked besides what the flow holds, while there can be such a thing, and cancels it. Never fails. */
export async function lookForSurplus(run: Run): Promise<void> {
  const { course } = run
  const until = course?.surplusUntil
  if (course === undefined || !until) return
  if (Date.now() >= until) course.surplusUntil = null
  const known = new Set([...course.shipments, ...(course.surplusLeft ?? [])].map(({ shipmentUid }) => shipmentUid))
  try {
    const sets = await findBooked(orderOf(run))
    // What is younger was booked under the same number by somebody.
    const isSurplus = ({ shipmentUid, stateStart }: BookedShipment) =>
      !known.has(shipmentUid) && (momentOf(stateStart) ?? Number.POSITIVE_INFINITY) <= until
    const surplus = sets.flat().filter(isSurplus)
    if (surplus.length > 0) await giveBack(run, surplus)
  } catch (error) {
    if (!isActivityError(error)) throw error
    refuse(run, `looking for what may have been booked twice ended with ${codeOf(error)}`)
  }
}

/** Cancels what was booked twice; what cannot be cancelled is left over, with the reason. Never fails. */
export async function giveBack(run: Run, surplus: BookedSet): Promise<void> {
  const course = courseOf(run)
  course.surplusLeft = [...(course.surplusLeft ?? []), ...(await leftOf(course, surplus))]
}

async function leftOf({ plan }: Course, surplus: BookedSet) {
  const shipments = surplus.map(({ shipmentUid, stateCode }) => ({ shipmentUid, stateCode }))
  try {
    const cleaned = await cancelShipments({ shipments, profile: plan.profile })
    return cleaned.flatMap(({ shipmentUid, left }) => (left === null ? [] : [{ shipmentUid, why: twice(left) }]))
  } catch (error) {
    if (!isActivityError(error)) throw error
    return shipments.map(({ shipmentUid }) => ({
      shipmentUid,
      why: twice(`it could not be cancelled: ${codeOf(error)}`),
    }))
  }
}

function twice(why: string): string {
  return `it was booked twice; ${why}`
}
