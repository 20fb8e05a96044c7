import type { PlannedStep } from '#flows'
import { addWork, endWork, isCancelled, type PlannedFlow } from './context.ts'
import { isDueToContinue, isFull } from './continueAsNew.ts'
import { onDeadline } from './deadline.ts'
import { kindOf } from './kinds/index.ts'
import { onInService, onOutOfService } from './kinds/wait.ts'
import { applyBufferedCallbacks, pollHeldHints, pollOnHint, pollOnSchedule, startPolls } from './lockers/index.ts'
import { move } from './moves.ts'
import type { Action, Signals } from './next.ts'
import { createPending, type Outcome, type Pending, type Resolving, stop, type WorkOutcome } from './pending.ts'
import { type FailureText, isLeft, stepOf } from './progress.ts'
import { applyOutcome } from './settle.ts'
import { advance, endAs, enterStep } from './steps/advance.ts'
import { climb, finishLeaving } from './steps/climb.ts'
import { leaveShipments } from './steps/scopes.ts'
import { endResolving } from './steps/windowStart.ts'
import type { Leaving, Token } from './tokens.ts'
import { undoScopes } from './undo.ts'
import { noteStarted } from './undoList.ts'

/** An action that neither waits nor leaves the loop. */
export type Performed = Exclude<Action, { kind: 'wait' | 'end' | 'continueAsNew' }>

export function toSignals(flow: PlannedFlow): Signals {
  return {
    cancelled: isCancelled(flow),
    poll: flow.pollRequested,
    work: flow.work,
    resolving: flow.resolving,
    isPolling: flow.isPolling,
    continueAsNew: isDueToContinue(flow),
    isFull: isFull(flow),
  }
}

/** Performs an action. What calls activities is started, and its end wakes the loop. */
export function perform(flow: PlannedFlow, action: Performed): void {
  switch (action.kind) {
    case 'advance':
      advance(flow, action.token, action.to, action.cause)
      return
    case 'enter':
      enter(flow, action.token, action.step)
      return
    case 'settle':
      settle(flow, action.pending, action.outcome)
      return
    case 'stop':
      for (const pending of action.work) stop(pending)
      return
    case 'move':
      move(flow, action.token, action.step, action.move)
      return
    case 'undo':
      undo(flow, action.token, action.leaving)
      return
    case 'unresolved':
      failUnresolved(flow, action.resolving, action.failure)
      return
    case 'bereft':
      climb(flow, action.token, 'ShipmentCancelled', { outcome: 'cancelled' }, 'cancelledOutside')
      return
    case 'deadline':
      onDeadline(flow, action.token, action.step)
      return
    case 'outOfService':
      onOutOfService(flow, action.token, action.step)
      return
    case 'inService':
      onInService(flow, action.token, action.step)
      return
    case 'pollOnHint':
      pollOnHint(flow)
      return
    case 'poll':
      pollOnSchedule(flow)
  }
}

/** Begins a step. Its work, if it has any, is started and not awaited. */
export function enter(flow: PlannedFlow, token: Token, step: PlannedStep): void {
  begin(flow, token, step)
  const kind = kindOf(step)
  if (kind.work === undefined) return
  const pending = createPending(token)
  addWork(flow, pending)
  // An error is a defect: it is not caught, and fails the workflow task.
  void kind.work(flow, step, pending).then(outcome => {
    pending.outcome = outcome
    flow.needsEvaluation = true
  })
}

/** Notes the effect of a step before it starts: no lost worker and no cancellation can forget it. */
export function begin(flow: PlannedFlow, token: Token, step: PlannedStep): void {
  enterStep(flow, token, step)
  startPolls(flow.progress, flow.runtime.now())
  const kind = kindOf(step)
  if (kind.isUndone?.(step)) noteStarted(flow.progress, token)
  kind.begin?.(flow, step, token)
}

/** Undoes scopes that end early, as work of their token: other steps go on. */
function undo(flow: PlannedFlow, token: Token, { scopes }: Leaving): void {
  // Work that was under way can have booked since.
  leaveShipments(flow, scopes)
  const pending = createPending(token, true)
  addWork(flow, pending)
  void undoScopes(flow, scopes).then(() => {
    pending.outcome = { kind: 'undone' }
    flow.needsEvaluation = true
  })
}

function failUnresolved(flow: PlannedFlow, resolving: Resolving, failure: FailureText): void {
  const { token } = resolving
  const { name = '' } = stepOf(flow.progress, token) ?? {}
  endResolving(flow, resolving)
  flow.runtime.countStep(name, 'failed')
  climb(flow, token, failure.type, { outcome: 'failed', failure })
}

/** Ends a step after its work. */
export function settle(flow: PlannedFlow, pending: Pending, outcome: Outcome): void {
  endWork(flow, pending)
  if (outcome.kind === 'undone') finishLeaving(flow, pending.token)
  else settleAt(flow, pending.token, outcome)
}

/** Ends the step of a token by its outcome. */
export function settleAt(flow: PlannedFlow, token: Token, outcome: WorkOutcome): void {
  const { progress } = flow
  pollHeldHints(flow)
  const step = stepOf(progress, token)
  const end = applyOutcome(progress, token, outcome)
  if (end.kind === 'fail' && step !== undefined) flow.runtime.countStep(step.name, 'failed')
  // What the work has done is noted. Its scope is left, and goes nowhere.
  const isOver = progress.ending !== undefined || token.leaving !== undefined || isLeft(progress, token.id)
  if (end.kind === 'advance') applyBufferedCallbacks(flow)
  if (isOver) return
  if (end.kind === 'cancel') endAs(flow, { outcome: 'cancelled' })
  else if (end.kind === 'advance') advance(flow, token, end.to, end.cause)
  else climb(flow, token, end.failure.type, { outcome: 'failed', failure: end.failure }, end.cause)
}
