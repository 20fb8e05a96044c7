import type { FlowInput, FlowResult } from '#flows'
import {
  createContext,
  type FlowContext,
  isAfterReset,
  isCancelled,
  type PlannedFlow,
  requirePlanned,
  restore,
} from './context.ts'
import { isDueToContinue, isQuiescent, noteRecordedEvent, shouldContinueAsNew } from './continueAsNew.ts'
import { endFlow, requireResult } from './ending.ts'
import { cancelLateBookings, hasLateBookings, sweepLateBookings } from './lockers/index.ts'
import { nextAction } from './next.ts'
import { perform, toSignals } from './perform.ts'
import { planAndBookFirst, requireKnown } from './plan.ts'
import type { FlowProgress } from './progress.ts'
import type { Runtime } from './runtime.ts'
import { endAs } from './steps/advance.ts'
import { stopResolving } from './steps/windowStart.ts'
import { createTimer, type FlowTimer, moveClock } from './timer.ts'
import { undoSteps } from './undo.ts'
import { applyEarlyAnswers } from './updates/earlyAnswers.ts'
import { setHandlers } from './updates/index.ts'
import { showDetails } from './visibility/currentDetails.ts'
import { publishCase, publishSearchAttributes } from './visibility/searchAttributes.ts'

type End = 'ended' | 'continueAsNew'

/**
 * Runs any flow. The workflow type names its declaration, and the plan contains it.
 * @param continuedFrom the progress of the run that continued as new
 */
export function runFlow(runtime: Runtime, input: FlowInput, continuedFrom?: FlowProgress): Promise<FlowResult> {
  const info = runtime.info()
  const flow = createContext(runtime, info, input)
  // Accept the progress of an earlier run only after continue-as-new: a starter must not bypass validation.
  if (info.continuedFromExecutionRunId !== undefined && continuedFrom !== undefined) {
    requireKnown(continuedFrom.plan)
    restore(flow, continuedFrom)
  }
  setHandlers(flow)
  showDetails(flow)
  if (flow.progress === undefined) publishCase(flow)
  // The Web UI's cancel button must not interrupt the clean-up; the loop sees it as a request.
  return runtime.protect(() => run(flow))
}

/** From the plan to the end of the clean-up. */
async function run(flow: FlowContext): Promise<FlowResult> {
  if (flow.progress === undefined) await planAndBookFirst(flow)
  const timer = createTimer(flow.runtime)
  let end: End | undefined = flow.failure === undefined ? undefined : 'ended'
  // The only await of a waiting flow: another function around it would cost memory in each of them.
  while (end === undefined) {
    const planned = requirePlanned(flow)
    applyEarlyAnswers(planned)
    const action = nextAction(planned.progress, toSignals(planned), flow.runtime.now())
    if (action.kind === 'end') {
      endAs(planned, action.ending)
      end = 'ended'
    } else if (action.kind === 'continueAsNew') {
      // The handler of an answer returns before the next step begins.
      if (!isQuiescent(flow)) await flow.runtime.condition(() => isQuiescent(flow) || !isDueToContinue(flow))
      if (shouldContinueAsNew(flow)) end = 'continueAsNew'
    } else if (action.kind === 'wait') {
      if (action.until === undefined) timer.keep()
      else {
        publishSearchAttributes(flow)
        const moved = moveClock(planned, action.until)
        timer.delay(moved)
        if (moved > 0) continue
        timer.setFor(action.until, action.summary)
      }
      flow.needsEvaluation = false
      await flow.runtime.condition(() => needsEvaluation(flow, timer) || shouldContinueAsNew(flow))
      if (needsEvaluation(flow, timer)) noteRecordedEvent(flow)
      else end = 'continueAsNew'
    } else {
      perform(planned, action)
    }
  }
  if (end === 'ended') {
    if (hasToFinish(flow)) end = await finish(flow)
    else endFlow(flow)
  }
  if (!isQuiescent(flow)) await flow.runtime.condition(() => isQuiescent(flow))
  if (end === 'continueAsNew') return continueAsNew(requirePlanned(flow))
  return requireResult(flow)
}

function continueAsNew(flow: PlannedFlow): Promise<never> {
  const { runtime, input, progress, earlyAnswers } = flow
  const reset = isAfterReset(flow) && { reset: true as const }
  return runtime.continueAsNew(input, { ...progress, ...reset, ...(earlyAnswers && { earlyAnswers }) })
}

/** A cancellation wakes the loop once: it stops the work of the step, and its end is awaited then. */
function needsEvaluation(flow: FlowContext, timer: FlowTimer): boolean {
  if (flow.needsEvaluation || timer.fired()) return true
  if (!isCancelled(flow)) return false
  return flow.work.length === 0 ? !flow.isPolling : flow.work.some(({ stopRequested }) => !stopRequested)
}

/** False for a flow that has completed and leaves nothing behind. */
function hasToFinish({ progress }: FlowContext): boolean {
  if (progress === undefined) return false
  const { ending } = progress
  return ending?.outcome !== 'completed' || hasLateBookings(progress.lockers)
}

/** Undoes the steps of a flow that ends early, and sets the result or the failure of the flow. */
async function finish(flow: FlowContext): Promise<End> {
  if (flow.progress !== undefined) {
    const planned = requirePlanned(flow)
    const { ending = { outcome: 'cancelled' } } = planned.progress
    for (const token of planned.progress.tokens) stopResolving(planned, token)
    await cancelLateBookings(planned)
    if (ending.outcome !== 'completed') {
      if (await undoSteps(planned)) return 'continueAsNew'
    }
    await sweepLateBookings(planned)
  }
  endFlow(flow)
  return 'ended'
}
