import { type Decision, type FlowStatus, mustBeDuration, parseDuration } from '#flows'
import { type FlowContext, isCancelled, type PlannedFlow, requirePlanned } from '../context.ts'
import { flowFailure } from '../failures.ts'
import { answerOutage } from '../lockers/index.ts'
import { isComplete } from '../next.ts'
import { stepOf } from '../progress.ts'
import { toEffectKey, toValueKey } from '../scopes.ts'
import { toStatus } from '../status.ts'
import { recordEdge } from '../steps/advance.ts'
import { startWindow, stopResolving } from '../steps/windowStart.ts'
import { canRestart, findTimed, toLength } from '../steps/windows.ts'
import { endOverdue, isOverdue, setDeadline, type Token } from '../tokens.ts'
import { toAnswerKey } from './answers.ts'
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
  const token = requireDecided(flow, decision)
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
  const [token] = findDecided(flow, decision)
  if (token !== undefined) delete token.overdueNotice
  if (decision.decision === 'cancel') flow.cancelRequested ??= 'ask.cancel'
  else if (token !== undefined) extend(requirePlanned(flow), token, decision.decision, decision.by)
  return toStatus(flow)
}

/** The tokens that a decision can mean. Only `extend` can come before a window has passed, and has to name the step then. */
function findDecided({ progress }: FlowContext, { decision, step, item, notification }: Decision): Token[] {
  if (progress === undefined) return []
  const key = isMissing(step) ? undefined : toAnswerKey({ step, item: item ?? null })
  const isNamed = (token: Token) => {
    const name = stepOf(progress, token)?.name
    return (
      name !== undefined && [name, toValueKey(token.id, name), toEffectKey(token.id, name)].some(each => each === key)
    )
  }
  const overdue = progress.tokens.filter(isOverdue)
  if (!isMissing(notification) && overdue.length > 1) return overdue.filter(each => each.overdueNotice === notification)
  if (key === undefined) return overdue
  const named = overdue.filter(isNamed)
  if (named.length > 0 || decision !== 'extend') return named
  return progress.tokens.filter(token => token.entered && token.deadline !== null && isNamed(token))
}

/** @throws ApplicationFailure with NothingToDecide or SeveralOverdue */
function requireDecided(flow: FlowContext, decision: Decision): Token {
  const [token, ...others] = findDecided(flow, decision)
  if (token !== undefined && others.length === 0) return token
  if (token === undefined) {
    const what = isMissing(decision.step) ? 'No window has passed' : `No window of ${decision.step} has passed`
    throw flowFailure('NothingToDecide', `${what}, so there is nothing to decide.`)
  }
  const { progress } = requirePlanned(flow)
  const names = [token, ...others].map(each => toEffectKey(each.id, stepOf(progress, each)?.name ?? '')).join(', ')
  throw flowFailure('SeveralOverdue', `step: must be given, since several are overdue: ${names}.`)
}

function extend(flow: PlannedFlow, token: Token, decision: 'extend' | 'keepWaiting', by: Decision['by']): void {
  const { progress } = flow
  const step = stepOf(progress, token)
  // The end of a window that has not passed moves on.
  const left = isOverdue(token) ? null : token.deadline
  if (left === null) recordEdge(flow, token, `ask.${decision}`, token.step)
  // This question is answered. One that the window asks later must stay when the locker works again.
  answerOutage(progress.lockers, token)
  endOverdue(token)
  stopResolving(flow, token)
  setDeadline(token, null)
  if (decision === 'extend') {
    const extension = isMissing(by) ? undefined : parseDuration(by)
    if (left !== null) setDeadline(token, left + (extension ?? toLength(step) ?? 0))
    else if (extension !== undefined) setDeadline(token, flow.runtime.now() + extension)
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
