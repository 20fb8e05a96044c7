import { ApplicationFailure, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { FlowActivities } from '#activities/interface'
import { type Attempt, book, failedAttempt } from './booking.ts'
import { planFlow } from './planning.ts'
import { isCancelled, planned, type Run, settleBooking } from './run.ts'

const { planAndBook } = proxyActivities<Pick<FlowActivities, 'planAndBook'>>({
  startToCloseTimeout: '2s',
  retry: { maximumAttempts: 1 },
  summary: 'plan the flow and book the lockers, first attempt',
})

/**
 * Plans and books, at best in one step, since somebody waits for the booking. Whatever came in the way of that step, an
 * input that is refused too, shows again in those that follow it. A refusal is how the booking ends; anything else is
 * thrown.
 */
export async function begin(run: Run): Promise<void> {
  try {
    const first = isCancelled(run) ? undefined : await firstAttempt(run)
    if (run.course === undefined) await planFlow(run)
    await book(run, first)
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error
    settleBooking(run, { failure: error })
  }
}

/** Undefined when nothing was tried. */
function firstAttempt(run: Run): Promise<Attempt | undefined> {
  const { workflowId, firstExecutionRunId: firstRunId, startTime } = workflowInfo()
  const { flow, input } = run
  const order = { flow, workflowId, input, firstRunId, since: startTime.toISOString() }
  return planAndBook(order).then(({ plan, sets }) => {
    run.course = planned(plan, Date.now())
    return sets === null ? undefined : { sets }
  }, failedAttempt)
}
