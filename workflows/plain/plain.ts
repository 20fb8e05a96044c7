import {
  ActivityCancellationType,
  type ActivityOptions,
  ApplicationFailure,
  CancellationScope,
  condition,
  workflowInfo,
} from '@temporalio/workflow'
import type { FlowInput, FlowResult } from '#contract/terms'
import { publishCase } from '../attributes.ts'
import { publish } from '../board.ts'
import { isAlone } from '../carryingOn.ts'
import { resultOf } from '../ending.ts'
import { codeOf, finalBehind, flowFailure, isActivityError } from '../failures.ts'
import { receive } from '../handlers.ts'
import { notify } from '../notices.ts'
import { planFlow } from '../planning.ts'
import { courseOf, isCancelled, type Run, settleBooking, settleEnd, startRun } from '../run.ts'

/** What a flow that books nothing does once it is planned: its answer so far, and whether it is the whole one. */
export type Work = (run: Run) => Promise<Done>

export interface Done {
  /** The answer of the flow's operation, as far as it got. */
  readonly answer: Readonly<Record<string, unknown>>
  readonly whole: boolean
}

/** Cancelling stops the retries and waits for the attempt under way: what it did is part of the result. */
export const patience: ActivityOptions = {
  startToCloseTimeout: '6m',
  retry: { initialInterval: '250ms', maximumInterval: '30s' },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
}

/** Leads a flow that books nothing: plan, its own work, end. Its messages are those of every other flow. */
export function lead(input: FlowInput, work: Work): Promise<FlowResult> {
  const run = startRun(workflowInfo().workflowType, input, undefined)
  receive(run)
  publishCase()
  return CancellationScope.nonCancellable(() => follow(run, work))
}

async function follow(run: Run, work: Work): Promise<FlowResult> {
  try {
    await planFlow(run)
    const { answer, whole } = await work(run)
    settleBooking(run, whole ? 'booked' : { failure: cancelled() })
    run.result = { ...answer, ...resultOf(run, whole ? 'completed' : 'cancelled') }
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error
    settleBooking(run, { failure: error })
  }
  run.state = 'ended'
  settleEnd(run)
  publish(run)
  notify(run, 'flow.ended')
  if (!isAlone(run)) await condition(() => isAlone(run))
  if (run.result === undefined) throw typeof run.booking === 'object' ? run.booking.failure : cancelled()
  return run.result
}

/** Goes to the step of this name. */
export function enter(run: Run, step: string): void {
  const course = courseOf(run)
  course.stage = course.plan.stages.findIndex(({ name }) => name === step)
  course.since = Date.now()
  run.state = 'waiting'
  publish(run)
}

/** How long faults of the operation are retried: what is left of the window of the booking, in milliseconds. */
export function timeLeft(run: Run): number {
  return Math.max(1_000, workflowInfo().startTime.getTime() + courseOf(run).plan.bookingWindow - Date.now())
}

/**
 * Runs an activity until it answers or the flow is cancelled; undefined then. Fails with the service's code when it
 * refuses, and with BookingGivenUp when its time is over.
 */
export async function unlessCancelled<Answer>(run: Run, activity: () => Promise<Answer>): Promise<Answer | undefined> {
  if (isCancelled(run)) return undefined
  const scope = new CancellationScope()
  let ended = false
  const watch = condition(() => isCancelled(run) || ended).then(() => {
    if (!ended) scope.cancel()
  })
  try {
    return await scope.run(activity)
  } catch (error) {
    if (!isActivityError(error)) throw error
    if (isCancelled(run)) return undefined
    throw finalBehind(error) ?? flowFailure('BookingGivenUp', `No answer within the booking window: ${codeOf(error)}.`)
  } finally {
    ended = true
    await watch
  }
}

function cancelled(): ApplicationFailure {
  return flowFailure('BookingCancelled', 'The flow was cancelled before it was booked.')
}
