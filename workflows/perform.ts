import type { PlannedStep } from '#flows'
import { isCancelled, type PlannedFlow } from './context.ts'
import { isDueToContinue } from './continueAsNew.ts'
import { onDeadline } from './deadline.ts'
import { kindOf } from './kinds/index.ts'
import { onInService, onOutOfService } from './kinds/wait.ts'
import { applyBufferedCallbacks } from './lockers/callbacks.ts'
import { cancelLateBookings } from './lockers/lateBookings.ts'
import { pollHeldHints, pollOnHint, pollOnSchedule, startPolls } from './lockers/polls.ts'
import { type Action, isReleased, type Signals } from './next.ts'
import { createPending, type Outcome, stop } from './pending.ts'
import { currentStep } from './progress.ts'
import { applyOutcome } from './settle.ts'
import { advance, endAs, endIn, enterStep, toEndCause } from './steps/advance.ts'
import { noteStarted } from './undoList.ts'

/** An action that neither waits nor leaves the loop. */
export type Performed = Exclude<Action, { kind: 'wait' | 'end' | 'continueAsNew' }>

export function toSignals(flow: PlannedFlow): Signals {
  return {
    cancelled: isCancelled(flow),
    released: flow.released,
    poll: flow.pollRequested,
    pending: flow.pending,
    continueAsNew: isDueToContinue(flow),
  }
}

/** Performs an action; a promise for one that calls activities. */
export function perform(flow: PlannedFlow, action: Performed): Promise<void> | undefined {
  switch (action.kind) {
    case 'advance':
      if (!endIfReleased(flow)) advance(flow, action.to, action.cause)
      return undefined
    case 'enter':
      enter(flow, action.step)
      return undefined
    case 'settle':
      settle(flow, action.outcome)
      return undefined
    case 'stop':
      if (flow.pending !== undefined) stop(flow.pending)
      return undefined
    case 'deadline':
      return onDeadline(flow, action.step)
    case 'outOfService':
      onOutOfService(flow, action.step)
      return undefined
    case 'inService':
      onInService(flow, action.step)
      return undefined
    case 'pollOnHint':
      return pollOnHint(flow)
    case 'poll':
      return pollOnSchedule(flow).then(() => cancelLateBookings(flow))
  }
}

/** The caller of a release waits for the end of the flow, even if the shipment was completed after the release. */
function endIfReleased(flow: PlannedFlow): boolean {
  const { progress, released } = flow
  if (released === undefined || !isReleased(progress, flow)) return false
  endAs(flow, { outcome: 'completed', released })
  return true
}

/** Begins a step. Its work, if it has any, is started and not awaited. */
export function enter(flow: PlannedFlow, step: PlannedStep): void {
  begin(flow, step)
  const kind = kindOf(step)
  if (kind.work === undefined) return
  const pending = createPending(flow.progress.step)
  flow.pending = pending
  // An error is a defect: it is not caught, and fails the workflow task.
  void kind.work(flow, step, pending).then(outcome => {
    pending.outcome = outcome
    flow.needsEvaluation = true
  })
}

/** Notes the effect of a step before it starts: no lost worker and no cancellation can forget it. */
export function begin(flow: PlannedFlow, step: PlannedStep): void {
  enterStep(flow, step)
  startPolls(flow.progress, flow.runtime.now())
  const kind = kindOf(step)
  if (kind.isUndone?.(step)) noteStarted(flow.progress)
  kind.begin?.(flow, step)
}

/** Ends the current step after its work. */
export function settle(flow: PlannedFlow, outcome: Outcome): void {
  const { progress } = flow
  flow.pending = undefined
  pollHeldHints(flow)
  const step = currentStep(progress)
  const end = applyOutcome(progress, outcome)
  if (end.kind === 'fail' && step !== undefined) flow.runtime.countStep(step.name, 'failed')
  if (end.kind === 'cancel') endIn(flow, { outcome: 'cancelled' }, toEndCause(flow))
  else if (end.kind === 'fail') endIn(flow, { outcome: 'failed', failure: end.failure }, end.cause)
  else {
    applyBufferedCallbacks(flow)
    advance(flow, end.to, end.cause)
  }
}
