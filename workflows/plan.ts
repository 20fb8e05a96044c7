import type { FlowPlan } from '#flows'
import { planAndBook, planFlow } from './activities.ts'
import { type FlowContext, isCancelled, requirePlanned } from './context.ts'
import { businessErrorIn } from './failures.ts'
import type { Attempt } from './pending.ts'
import { currentStep, startProgress } from './progress.ts'
import { toFailedAttempt } from './steps/book/input.ts'
import { startWith } from './steps/book/perform.ts'
import { begin, enter, settle } from './steps/perform.ts'

/** The form of plans that this interpreter runs. */
const planVersion = 2

/**
 * Records everything that the run depends on in its history. The first booking is attempted in the same activity, since a
 * caller waits for it. Fails with InvalidFlowInput, UnknownFlow or AmbiguousBooking.
 */
export async function planAndBookFirst(flow: FlowContext): Promise<void> {
  // The flow does not book in this activity if it is cancelled by now.
  const first = isCancelled(flow) ? undefined : await planWithFirstAttempt(flow)
  if (flow.progress === undefined) await planOnly(flow)
  const planned = requirePlanned(flow)
  const step = currentStep(planned.progress)
  if (step?.kind !== 'book' || first === undefined) return
  if ('bookings' in first) {
    begin(planned, step)
    const outcome = startWith(planned, step, first.bookings)
    settle(planned, outcome instanceof Promise ? await outcome : outcome)
  } else {
    // The attempt may have booked, so the step has begun even if the flow is cancelled by now.
    planned.firstAttempt = first
    enter(planned, step)
  }
}

/**
 * Undefined without an attempt to book: the flow books later or not at all, or the service has no idempotency keys. Any
 * failure shows again in the activities that follow.
 */
function planWithFirstAttempt(flow: FlowContext): Promise<Attempt | undefined> {
  const { name, input, runtime } = flow
  const { workflowId, firstExecutionRunId: firstRunId, startTime } = runtime.info()
  const request = { flow: name, workflowId, input, firstRunId, since: startTime.toISOString() }
  return planAndBook(runtime, request).then(({ plan, bookings }) => {
    setPlan(flow, plan)
    return bookings === null ? undefined : { bookings }
  }, toFailedAttempt)
}

async function planOnly(flow: FlowContext): Promise<void> {
  const { name, input, runtime } = flow
  const { workflowId } = runtime.info()
  try {
    setPlan(flow, await planFlow(runtime, { flow: name, workflowId, input }))
  } catch (error) {
    throw businessErrorIn(error) ?? error
  }
}

function setPlan(flow: FlowContext, plan: FlowPlan): void {
  requireKnown(plan)
  flow.runtime.setAhead(plan.clock?.ahead ?? 0)
  flow.progress = startProgress(plan, flow.runtime.now())
}

/** @throws Error for a plan of another form: it fails the workflow task, until a worker with a newer build has it */
export function requireKnown({ version }: FlowPlan): void {
  if (version !== planVersion) throw new Error(`The plan has form ${version}; this worker runs form ${planVersion}.`)
}
