import { findCaseNo, type LateBookings, priorities } from '#flows'
import { createTimeout } from '../activities.ts'
import { type FlowContext, isAfterReset, type PlannedFlow, recordRejection, toKnownUids } from '../context.ts'
import { isActivityError, toErrorCode } from '../failures.ts'

/** Milliseconds in which the flow ends after it has started a sweep. A sweep that comes earlier waits for the end. */
const minDelay = 10_000

/**
 * Leaves a sweep of the case behind while a create can still be late, or when the last search for one failed: the flow
 * itself does not wait for it. Never fails.
 */
export async function sweepLateBookings(flow: PlannedFlow): Promise<void> {
  const { plan, lockers } = flow.progress
  const ends = Object.values(lockers.bookings).flatMap(({ duplicatesUntil }) => duplicatesUntil ?? [])
  if (ends.length === 0) return
  const delay = Math.max(minDelay, ...ends.map(end => end - flow.runtime.now()))
  const known = [...toKnownUids(flow)].filter(uid => uid !== null)
  const fault = await startSweep(flow, plan.caseNo, { delay, known })
  if (fault !== undefined) recordRejection(flow, `the sweep for late bookings could not be started: ${fault}`)
}

/**
 * Starts a sweep for a flow whose first attempt may have booked on another worker, and whose plan this worker refuses.
 * After a reset an operator decides, because the earlier run may have told its callers of the booking.
 */
export async function sweepRefused(flow: FlowContext): Promise<void> {
  const caseNo = findCaseNo(flow.runtime.info().workflowId)
  if (caseNo !== undefined && !isAfterReset(flow)) await startSweep(flow, caseNo, { delay: createTimeout, known: [] })
}

/** Returns the code of the fault if the sweep could not be started. */
async function startSweep(
  { runtime }: FlowContext,
  caseNo: string,
  late: Omit<LateBookings, 'runId'>,
): Promise<string | undefined> {
  try {
    await runtime.startChild('sweep', {
      workflowId: `late-bookings:${caseNo}:${runtime.uuid()}`,
      args: [{ act: 'cancel', olderThan: 0, caseNo, late: { ...late, runId: runtime.info().runId } }],
      priorityKey: priorities.sweep,
      summary: `late bookings of ${caseNo}`,
    })
    return undefined
  } catch (error) {
    if (!isActivityError(error)) throw error
    return toErrorCode(error)
  }
}
