import type { Cause, PlannedStep } from '#flows'
import { isCancelled, type PlannedFlow, setBooking } from '../context.ts'
import { notify } from '../notifications/start.ts'
import { noteLeft, setEnding } from '../position.ts'
import { type Ending, isPastBooking, stepOf } from '../progress.ts'
import type { StepOutcome } from '../runtime.ts'
import { isOverdue, moveTo, rootOf, startStep, type Token } from '../tokens.ts'
import { noteLeftOver } from '../undoList.ts'
import { startWindow, stopResolving } from './windowStart.ts'

/** The token goes on to another step, which is entered next. */
export function advance(flow: PlannedFlow, token: Token, to: number, cause: Cause): void {
  const { progress } = flow
  const step = stepOf(progress, token)
  const outcome = toOutcome(cause)
  if (outcome !== undefined && step !== undefined) flow.runtime.countStep(step.name, outcome)
  if (outcome === 'reached') {
    if (step?.kind === 'wait') notify(flow, token, 'flow.stageReached')
    if (step !== undefined) noteLeftOver(progress, token, step)
  }
  recordEdge(flow, token, step?.kind === 'ask' && cause === 'reached' ? toAnswer(flow, step.name) : cause, to)
  stopResolving(flow, token)
  moveTo(token, to)
  // If every booking was left out, nothing else answers the callers that wait for one.
  if (isPastBooking(progress)) setBooking(flow, 'booked')
}

/**
 * Ends the flow in the step of a token.
 * @param cause absent for an error whose policy the step does not declare
 */
export function endIn(flow: PlannedFlow, token: Token, ending: Ending, cause?: Cause): void {
  if (flow.progress.ending !== undefined) return
  setEnding(flow.progress, ending)
  if (cause !== undefined) recordEdge(flow, token, cause, null)
}

/** Ends the flow by the decision of the loop, unless its progress contains its end already. */
export function endAs(flow: PlannedFlow, ending: Ending): void {
  const token = rootOf(flow.progress)
  const early = ending.outcome === 'completed' ? undefined : toEndCause(flow, token)
  endIn(flow, token, ending, ending.released === undefined ? early : 'release')
}

/** The cause of the end of a flow that cannot go on: its cancellation, or that of a shipment. */
export function toEndCause(flow: PlannedFlow, token: Token): Cause {
  if (!isCancelled(flow)) return 'cancelledOutside'
  // The flow can have gone on since the decision.
  return isOverdue(token) ? (flow.cancelRequested ?? 'cancel') : 'cancel'
}

/** @param next the index of the next step in the plan; null if the flow ends early */
export function recordEdge({ progress, runtime }: PlannedFlow, token: Token, cause: Cause, next: number | null): void {
  const { steps } = progress.plan
  // A step that is left once has one entry, however often its window starts again.
  if (next !== token.step) {
    noteLeft(progress, { step: token.step, cause, next, at: runtime.now() })
  }
  const toDeclared = (index: number) => steps[index]?.declared ?? index
  const to = next === null || next >= steps.length ? null : toDeclared(next)
  runtime.record({ step: toDeclared(token.step), cause, next: to })
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
export function enterStep(flow: PlannedFlow, token: Token, step: PlannedStep): void {
  startStep(token, flow.runtime.now())
  startWindow(flow, token, step)
  if (step.kind === 'ask') notify(flow, token, 'flow.asked')
}
