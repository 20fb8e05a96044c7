import type { Cause, PlannedStep } from '#flows'
import { keepEnd } from '../answers.ts'
import { isCancelled, type PlannedFlow, setBooking } from '../context.ts'
import type { NewScope } from '../kinds/block.ts'
import { notify } from '../notifications/start.ts'
import { noteLeft, setEnding, setTokens } from '../position.ts'
import { type Ending, type FlowProgress, findOutput, isPastBooking, stepOf } from '../progress.ts'
import type { StepOutcome } from '../runtime.ts'
import { readScope } from '../scopes.ts'
import { isOverdue, moveTo, rootOf, startStep, type Token } from '../tokens.ts'
import { endSentences, noteLeftOver } from '../undoList.ts'
import { endScope } from './scopes.ts'
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
    endSentences(progress, progress.plan, token)
  }
  recordEdge(flow, token, step?.kind === 'ask' && cause === 'reached' ? toAnswer(flow, token, step.name) : cause, to)
  stopResolving(flow, token)
  if (step?.kind === 'wait' && step.tells && outcome !== undefined) {
    keepEnd(progress, token, step, outcome === 'timedOut' ? 'timedOut' : 'reached')
  }
  moveTo(token, to)
  if (to > progress.plan.steps.length) endAll(progress)
  else if (token.up !== null && to >= token.to) endScope(progress, token)
  // If every booking was left out, nothing else answers the callers that wait for one.
  if (isPastBooking(progress)) setBooking(flow, 'booked')
}

/** A step inside of blocks leads to the end of the flow: the blocks around it have no other list that runs. */
function endAll(progress: FlowProgress): void {
  const root = rootOf(progress)
  setTokens(progress, [root])
  moveTo(root, root.to)
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

/**
 * Ends the flow by a decision about all of it, unless its progress contains its end already: in the outermost list, or in the
 * overdue step that a person has decided about.
 */
export function endAs(flow: PlannedFlow, ending: Ending): void {
  const { progress, cancelRequested } = flow
  const overdue = cancelRequested === 'ask.cancel' ? progress.tokens.find(isOverdue) : undefined
  const token = overdue ?? rootOf(progress)
  const early = ending.outcome === 'completed' ? undefined : toEndCause(flow, token)
  endIn(flow, token, ending, early)
}

/** The cause of the end of a flow that cannot go on: its cancellation, or that of a shipment. */
function toEndCause(flow: PlannedFlow, token: Token): Cause {
  if (!isCancelled(flow)) return 'cancelledOutside'
  // The flow can have gone on since the decision.
  return isOverdue(token) ? (flow.cancelRequested ?? 'cancel') : 'cancel'
}

/** @param next the index of the next step in the plan; null if the flow ends early */
export function recordEdge({ progress, runtime }: PlannedFlow, token: Token, cause: Cause, next: number | null): void {
  const { steps } = progress.plan
  // A step that is left once has one entry, however often its window starts again.
  if (next !== token.step) {
    const scope = token.id !== '' && { token: token.id }
    noteLeft(progress, { step: token.step, ...scope, cause, next, at: runtime.now() })
  }
  runtime.record({ step: toDeclared(steps, token.step), cause, next: toNext() })

  function toNext() {
    if (next === null || next > steps.length) return null
    if (token.up !== null && next >= token.to) return 'done'
    return next === steps.length ? null : toDeclared(steps, next)
  }
}

/** A block begins a list. */
export function recordStart({ progress, runtime }: PlannedFlow, { step }: Token, scope: NewScope): void {
  const { id, cause, from, to } = scope
  const { steps } = progress.plan
  const { branch } = readScope(id)
  const next = from < to ? toDeclared(steps, from) : ('done' as const)
  runtime.record({ step: toDeclared(steps, step), cause, next, ...(branch !== undefined && { branch }) })
}

function toDeclared(steps: readonly PlannedStep[], index: number): number {
  return steps[index]?.declared ?? index
}

/** Undefined for a step that was left out. */
function toOutcome(cause: Cause): StepOutcome | undefined {
  if (cause === 'skipped') return undefined
  if (cause === 'timeout.goTo') return 'timedOut'
  return cause.startsWith('error:') ? 'error' : 'reached'
}

function toAnswer({ progress }: PlannedFlow, { id }: Token, step: string): Cause {
  const { answer } = findOutput(progress, id, step) as { readonly answer: string }
  return `answer:${answer}`
}

/** Begins a step: from now on its window runs. */
export function enterStep(flow: PlannedFlow, token: Token, step: PlannedStep): void {
  startStep(token, flow.runtime.now())
  startWindow(flow, token, step)
  if (step.kind === 'ask') notify(flow, token, 'flow.asked')
}
