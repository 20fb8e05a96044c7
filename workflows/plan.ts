import { type ApplicationFailure, ValueError } from '@temporalio/common'
import type { FlowPlan } from '#flows'
import { createTimeout, planAndBook, planFlow } from './activities.ts'
import { type FlowContext, isAfterReset, isCancelled, type PlannedFlow, requirePlanned } from './context.ts'
import { businessErrorIn, flowFailure } from './failures.ts'
import { startWith } from './kinds/book/perform.ts'
import { startBooking, sweepRefused, toFailedAttempt } from './lockers/index.ts'
import type { Attempt } from './pending.ts'
import { begin, enter, settleAt } from './perform.ts'
import { shareParts } from './planParts.ts'
import { startProgress, stepOf } from './progress.ts'
import { rootOf } from './tokens.ts'

/** The form of plans that this interpreter runs. */
const planVersion = 3

/**
 * Records everything that the run depends on in its history. The first booking is attempted in the same activity, since a
 * caller waits for it. The flow fails with InvalidFlowInput, UnknownFlow or AmbiguousBooking. Other errors are defects, and
 * fail the task. Not an async function, and one reaction to the activity: each promise of a workflow costs a stack.
 */
export function planAndBookFirst(flow: FlowContext): Promise<void> {
  // The flow does not book in this activity if it is cancelled by now.
  if (isCancelled(flow)) return planOnly(flow)
  const { name, input, runtime } = flow
  const { workflowId, firstExecutionRunId: firstRunId, startTime } = runtime.info()
  const request = { flow: name, workflowId, input, firstRunId, since: startTime.toISOString() }
  return planAndBook(runtime, request).then(
    ({ plan, bookings }) => {
      setPlan(flow, plan)
      return bookings === null ? undefined : startFirst(flow, { bookings })
    },
    // Any failure shows again in the activities that follow.
    async error => {
      flow.failure = unwritableInput(error)
      if (flow.failure !== undefined) return
      const first = toFailedAttempt(error)
      await planOnly(flow)
      if (flow.progress !== undefined) await startFirst(flow, first)
      else if (first.outcomeUnknown) await sweepRefused(flow)
    },
  )
}

/** Takes over the first attempt, if the flow begins with a booking. A promise only if there are duplicates to cancel. */
function startFirst(flow: FlowContext, first: Attempt): Promise<void> | undefined {
  const planned = requirePlanned(flow)
  const token = rootOf(planned.progress)
  const step = stepOf(planned.progress, token)
  if (step?.kind !== 'book') {
    if (!('bookings' in first) && first.outcomeUnknown && !isAfterReset(flow)) noteLostAttempt(planned)
    return undefined
  }
  if (!('bookings' in first)) {
    // The attempt may have booked, so the step has begun even if the flow is cancelled by now.
    planned.firstAttempt = first
    enter(planned, token, step)
    return undefined
  }
  begin(planned, token, step)
  const outcome = startWith(planned, token, step, first.bookings)
  if (outcome instanceof Promise) return outcome.then(ended => settleAt(planned, token, ended))
  settleAt(planned, token, outcome)
  return undefined
}

/**
 * The worker that made the attempt began with a booking, and this one does not: only a sweep can find what it booked. After a
 * reset an operator decides, as for a plan that this worker refuses.
 */
function noteLostAttempt({ progress, runtime }: PlannedFlow): void {
  const now = runtime.now()
  // No name of a step has a space.
  startBooking(progress.lockers, { name: 'lost attempt' }, now, now + createTimeout)
}

async function planOnly(flow: FlowContext): Promise<void> {
  const { name, input, runtime } = flow
  const { workflowId } = runtime.info()
  try {
    setPlan(flow, await planFlow(runtime, { flow: name, workflowId, input }))
  } catch (error) {
    const failure = businessErrorIn(error) ?? unwritableInput(error)
    if (failure === undefined) throw error
    flow.failure = failure
  }
}

/** A deeper input than the data converter can write never reaches the activity that would refuse it. */
function unwritableInput(error: unknown): ApplicationFailure | undefined {
  if (!(error instanceof ValueError)) return undefined
  return flowFailure('InvalidFlowInput', 'request: must have at most 100 levels of lists and objects.')
}

function setPlan(flow: FlowContext, plan: FlowPlan): void {
  requireKnown(plan)
  flow.runtime.setAhead(plan.clock?.ahead ?? 0)
  flow.progress = startProgress(shareParts(plan), flow.runtime.now())
}

/** @throws Error for a plan of another form: it fails the workflow task, until a worker with a newer build has it */
export function requireKnown({ version }: FlowPlan): void {
  if (version !== planVersion) throw new Error(`The plan has form ${version}; this worker runs form ${planVersion}.`)
}
