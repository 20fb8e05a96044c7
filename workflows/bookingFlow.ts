import { ApplicationFailure, CancellationScope, condition, continueAsNew, workflowInfo } from '@temporalio/workflow'
import type { FlowInput, FlowOutcome, FlowResult } from '#flows'
import { book } from './booking/book.ts'
import { cancelLateBookings, sweepLateBookings } from './booking/lateBookings.ts'
import { planFlow, planWithFirstAttempt } from './booking/plan.ts'
import { isCancelled, startInScope } from './cancellation.ts'
import { cleanUp, releaseKeptBooking } from './cleanUp.ts'
import { createContext, type FlowContext, type FlowProgress, requirePlanned, setBooking } from './context.ts'
import { isQuiescent, noteRecordedEvent, shouldContinueAsNew } from './continueAsNew.ts'
import { endFlow, requireResult, toResult } from './ending.ts'
import { nextAction } from './stages/next.ts'
import { perform, toRequests } from './stages/perform.ts'
import { createTimer, type StageTimer } from './stages/timer.ts'
import { setHandlers } from './updates/index.ts'
import { publishVisibility } from './visibility/currentDetails.ts'
import { publishCase } from './visibility/searchAttributes.ts'

export type BookingFlow = (input: FlowInput, continuedFrom?: FlowProgress) => Promise<FlowResult>

type End = FlowOutcome | 'continueAsNew'

/** The workflow of every booking flow; the workflow type names the declaration. */
export const bookingFlow: BookingFlow = (input, continuedFrom) => {
  const { workflowType, continuedFromExecutionRunId } = workflowInfo()
  // Accept carried progress only after continue-as-new: a starter must not bypass validation.
  const flow = createContext(workflowType, input, continuedFromExecutionRunId === undefined ? undefined : continuedFrom)
  setHandlers(flow)
  if (flow.progress === undefined) publishCase()
  // The Web UI's cancel button must not interrupt the clean-up; the loop sees it as a request.
  return startInScope(new CancellationScope({ cancellable: false }), () => run(flow))
}

/** From the plan to the end of the clean-up. */
async function run(flow: FlowContext): Promise<FlowResult> {
  if (flow.progress === undefined) await planAndBook(flow)
  const timer = createTimer()
  let end: End | undefined = flow.booking === 'booked' ? undefined : 'cancelled'
  // The only await of a waiting flow: another function around it would cost memory in each of them.
  while (end === undefined) {
    const planned = requirePlanned(flow)
    const action = nextAction(planned.progress, toRequests(planned), Date.now())
    if (action.kind === 'end') {
      end = action.outcome
    } else if (action.kind === 'wait') {
      publishVisibility(flow)
      timer.setFor(action.until, action.summary)
      flow.needsEvaluation = false
      await condition(() => needsEvaluation(flow, timer) || shouldContinueAsNew(flow))
      if (needsEvaluation(flow, timer)) noteRecordedEvent(flow)
      else end = 'continueAsNew'
    } else {
      end = await perform(planned, action)
      if (action.kind === 'poll') await cancelLateBookings(planned)
    }
  }
  if (end !== 'continueAsNew') await finish(flow, end)
  if (!isQuiescent(flow)) await condition(() => isQuiescent(flow))
  if (end === 'continueAsNew') return continueAsNew<BookingFlow>(flow.input, requirePlanned(flow).progress)
  return requireResult(flow)
}

/** Plans and books. A failure is the outcome of the booking; errors that are not failures are defects, and fail the task. */
async function planAndBook(flow: FlowContext): Promise<void> {
  try {
    const first = await planWithFirstAttempt(flow)
    if (flow.progress === undefined) await planFlow(flow)
    await book(requirePlanned(flow), first)
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error
    setBooking(flow, { failure: error })
  }
}

function needsEvaluation(flow: FlowContext, timer: StageTimer): boolean {
  return flow.needsEvaluation || timer.fired() || isCancelled(flow)
}

/** Cleans up, and sets the result unless the booking failed. */
async function finish(flow: FlowContext, outcome: FlowOutcome): Promise<void> {
  if (flow.progress !== undefined) {
    const planned = requirePlanned(flow)
    await cancelLateBookings(planned)
    if (outcome !== 'completed') await cleanUp(planned)
    else if (flow.releaseRequested) await releaseKeptBooking(planned)
    await sweepLateBookings(planned)
  }
  const failed = typeof flow.booking === 'object' && flow.booking.failure.type !== 'BookingCancelled'
  if (!failed) flow.result = toResult(requirePlanned(flow), outcome)
  endFlow(flow)
}
