import { type Decision, type FlowStatus, mustBeDuration, parseDuration } from '#flows'
import { type FlowContext, isCancelled, type PlannedFlow, requirePlanned } from '../context.ts'
import { flowFailure } from '../failures.ts'
import { answerOutage } from '../lockers/index.ts'
import { isComplete } from '../next.ts'
import { stepOf } from '../progress.ts'
import { toStatus } from '../status.ts'
import { recordEdge } from '../steps/advance.ts'
import { startWindow, stopResolving } from '../steps/windowStart.ts'
import { canRestart, findTimed } from '../steps/windows.ts'
import { endOverdue, isOverdue, setDeadline, type Token } from '../tokens.ts'
import { validateNotEnded } from './cancel.ts'

const decisions = ['extend', 'cancel', 'keepWaiting'] as const satisfies Decision['decision'][]

/** Rejects an invalid decision, and any decision while no window has passed, or after the end of the step or of the flow. */
export function validate(flow: FlowContext, decision: Decision): void {
  validateNotEnded(flow)
  if (!decisions.includes(decision?.decision)) {
    throw flowFailure('InvalidFlowInput', `decision: must be one of ${decisions.join(', ')}.`)
  }
  // A list with one duration would be read as its text.
  const hasLength = typeof decision.by === 'string' && parseDuration(decision.by) !== undefined
  if (!isMissing(decision.by) && !hasLength) {
    throw flowFailure('InvalidFlowInput', `by: ${mustBeDuration}.`)
  }
  if (hasLength && decision.decision !== 'extend') {
    throw flowFailure('InvalidFlowInput', 'by: must be given with the decision extend only.')
  }
  const token = findOverdue(flow)
  if (token === undefined) {
    throw flowFailure('NothingToDecide', 'No window has passed, so there is nothing to decide.')
  }
  // A poll or a search for late bookings can hold up the clean-up, and the flow stays overdue meanwhile.
  if (isCancelled(flow) || flow.progress?.ending !== undefined) {
    throw flowFailure('NothingToDecide', 'The flow is being ended, so there is nothing to decide.')
  }
  // A poll can also delay the next step. A flow that continues as new in between is still overdue.
  if (!isOpen(requirePlanned(flow), token)) {
    throw flowFailure('NothingToDecide', 'The step is complete, so there is nothing to decide.')
  }
  requireAnswered(token, decision)
  if (decision.decision === 'extend' && isMissing(decision.by) && endsAtMoment(requirePlanned(flow), token)) {
    throw flowFailure('InvalidFlowInput', 'by: must be given, since the window of the step ended at a moment.')
  }
}

export function handle(flow: FlowContext, decision: Decision): FlowStatus {
  const token = findOverdue(flow)
  if (token !== undefined) delete token.overdueNotice
  if (decision.decision === 'cancel') flow.cancelRequested ??= 'ask.cancel'
  else if (token !== undefined) extend(requirePlanned(flow), token, decision.decision, decision.by)
  return toStatus(flow)
}

/** The token whose step is overdue. */
function findOverdue({ progress }: FlowContext): Token | undefined {
  return progress?.tokens.find(isOverdue)
}

function extend(flow: PlannedFlow, token: Token, decision: 'extend' | 'keepWaiting', by: Decision['by']): void {
  const { progress } = flow
  const step = stepOf(progress, token)
  recordEdge(flow, token, `ask.${decision}`, token.step)
  // This question is answered. One that the window asks later must stay when the locker works again.
  answerOutage(progress.lockers, token)
  endOverdue(token)
  stopResolving(flow, token)
  setDeadline(token, null)
  if (decision === 'extend') {
    const extension = isMissing(by) ? undefined : parseDuration(by)
    if (extension !== undefined) setDeadline(token, flow.runtime.now() + extension)
    // Temporal's cancellation would cancel the activity that reads the calendar, whose failure would be that of the flow.
    else if (step !== undefined && canRestart(step))
      void flow.runtime.protect(async () => startWindow(flow, token, step))
  }
  flow.needsEvaluation = true
}

/** False for a step that the flow has left, or is about to leave. */
function isOpen({ progress, runtime }: PlannedFlow, token: Token): boolean {
  const step = stepOf(progress, token)
  return step !== undefined && token.entered && !isComplete(progress, token, step, runtime.now())
}

/** Rejects the answer to a notification that is not the last one, or that was answered before. */
function requireAnswered({ overdueNotice }: Token, { notification }: Decision): void {
  if (isMissing(notification) || notification === overdueNotice) return
  throw flowFailure('NothingToDecide', 'The notification was answered before, or the flow has sent a later one.')
}

/** True for a step whose window has no length that could start again. */
function endsAtMoment({ progress }: PlannedFlow, token: Token): boolean {
  const step = stepOf(progress, token)
  return (findTimed(step)?.window ?? null) !== null && !canRestart(step)
}

/** Clients in many languages send null for an unset field. */
function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}
