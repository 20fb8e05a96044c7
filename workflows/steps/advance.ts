import type { Cause, PlannedStep } from '#flows'
import { isCancelled, type PlannedFlow, setBooking, setState } from '../context.ts'
import { notify } from '../notifications/start.ts'
import { moveTo, noteLeft, setEnding, startStep } from '../position.ts'
import { currentStep, type Ending, isPastBooking } from '../progress.ts'
import type { StepOutcome } from '../runtime.ts'
import { noteLeftOver } from '../undoList.ts'
import { startWindow, stopResolving } from './windowStart.ts'

/** Goes on to another step, which is entered next. */
export function advance(flow: PlannedFlow, to: number, cause: Cause): void {
  const { progress } = flow
  const step = currentStep(progress)
  const outcome = toOutcome(cause)
  if (outcome !== undefined && step !== undefined) flow.runtime.countStep(step.name, outcome)
  if (outcome === 'reached') {
    if (step?.kind === 'wait') notify(flow, 'flow.stageReached')
    if (step !== undefined) noteLeftOver(progress, step)
  }
  recordEdge(flow, step?.kind === 'ask' && cause === 'reached' ? toAnswer(flow, step.name) : cause, to)
  stopResolving(flow)
  moveTo(progress, to)
  // If every booking was left out, nothing else answers the callers that wait for one.
  if (isPastBooking(progress)) setBooking(flow, 'booked')
}

/**
 * Ends the flow in its current step.
 * @param cause absent for an error whose policy the step does not declare
 */
export function endIn(flow: PlannedFlow, ending: Ending, cause?: Cause): void {
  setEnding(flow.progress, ending)
  if (cause !== undefined) recordEdge(flow, cause, null)
}

/** Ends the flow by the decision of the loop, unless its progress contains its end already. */
export function endAs(flow: PlannedFlow, ending: Ending): void {
  if (flow.progress.ending !== undefined) return
  const early = ending.outcome === 'completed' ? undefined : toEndCause(flow)
  endIn(flow, ending, ending.released === undefined ? early : 'release')
}

/** The cause of the end of a flow that cannot go on: its cancellation, or that of a shipment. */
export function toEndCause(flow: PlannedFlow): Cause {
  if (!isCancelled(flow)) return 'cancelledOutside'
  // The flow can have gone on since the decision.
  return flow.state === 'overdue' && flow.progress.entered ? (flow.cancelRequested ?? 'cancel') : 'cancel'
}

/** @param next the index of the next step in the plan; null if the flow ends early */
export function recordEdge({ progress, runtime }: PlannedFlow, cause: Cause, next: number | null): void {
  const { steps } = progress.plan
  // A step that is left once has one entry, however often its window starts again.
  if (next !== progress.step) {
    noteLeft(progress, { step: progress.step, cause, next, at: runtime.now() })
  }
  const toDeclared = (index: number) => steps[index]?.declared ?? index
  const to = next === null || next >= steps.length ? null : toDeclared(next)
  runtime.record({ step: toDeclared(progress.step), cause, next: to })
}

/** Undefined for a step that was left out. */
function toOutcome(cause: Cause): StepOutcome | undefined {
  if (cause === 'skipped') return undefined
  if (cause === 'timeout.goTo') return 'timedOut'
  return cause.startsWith('error:') ? 'error' : 'reached'
}

function toAnswer({ progress }: PlannedFlow, step: string): Cause {
  const { answer } = progress.outputs[step] as { readonly answer: string }
  return `answer:${answer}`
}

/** Begins a step: from now on its window runs. */
export function enterStep(flow: PlannedFlow, step: PlannedStep): void {
  const { progress, runtime } = flow
  if (step.kind !== 'book' || progress.step > 0) setState(flow, 'waiting')
  startStep(progress, runtime.now())
  startWindow(flow, step)
  if (step.kind === 'ask') notify(flow, 'flow.asked')
}
