import { isFinalState } from '#contract/terms'
import { evaluate, type PlannedAsk, type PlannedStep, type PlannedWait } from '#flows'
import { kindOf } from './kinds/index.ts'
import { isNeeded } from './lockers/neededShipments.ts'
import type { Outcome, Pending } from './pending.ts'
import { currentStep, type Ending, type FlowProgress, toValues } from './progress.ts'
import { findTimed } from './steps/windows.ts'

/** The messages that a flow has received and not yet acted on, and the work that it has started. */
export interface Signals {
  readonly cancelled: boolean
  /** The role of the kept booking that a caller has released. */
  readonly released: string | undefined
  readonly poll: boolean
  readonly pending: Pending | undefined
  /** The history is long, and nothing would be lost. */
  readonly continueAsNew: boolean
}

/** A flow's next action. */
export type Action =
  /** The step is complete, or left out. */
  | { readonly kind: 'advance'; readonly to: number; readonly cause: 'reached' | 'skipped' }
  | { readonly kind: 'enter'; readonly step: PlannedStep }
  /** The work of the step has ended. */
  | { readonly kind: 'settle'; readonly outcome: Outcome }
  /** The flow ends: the work of the step has to stop. */
  | { readonly kind: 'stop' }
  /** The window of the step has passed. */
  | { readonly kind: 'deadline'; readonly step: PlannedWait | PlannedAsk }
  /** A locker went out of service, or all of them work again. */
  | { readonly kind: ServiceChange; readonly step: PlannedWait }
  /** A poll triggered by an untrusted callback. */
  | { readonly kind: 'pollOnHint' }
  /** A poll that is due. */
  | { readonly kind: 'poll' }
  /** @property until milliseconds since 1970; null waits for a message */
  | { readonly kind: 'wait'; readonly until: number | null; readonly summary: string }
  | { readonly kind: 'continueAsNew' }
  | { readonly kind: 'end'; readonly ending: Ending }

/** A locker of the flow does not work, and the policy of the step has not been applied; or all of them work again. */
type ServiceChange = 'outOfService' | 'inService'

/**
 * Decides the next action of a planned flow. A step is level-triggered, not edge-triggered: a wait is complete as soon as its
 * shipments are in their states, so callbacks may come early, twice, late or not at all.
 * @param now milliseconds since 1970
 */
export function nextAction(progress: FlowProgress, signals: Signals, now: number): Action {
  const { entered, deadline, unconfirmed } = progress
  const { pending } = signals
  if (progress.ending !== undefined) return { kind: 'end', ending: progress.ending }
  if (pending?.outcome !== undefined) return { kind: 'settle', outcome: pending.outcome }
  const step = currentStep(progress)
  if (step === undefined) return { kind: 'end', ending: { outcome: 'completed' } }
  if (!entered && step.when !== undefined && !evaluate(step.when, toValues(progress))) {
    return { kind: 'advance', to: progress.step + 1, cause: 'skipped' }
  }
  if (isComplete(progress, step, now)) return { kind: 'advance', to: progress.step + 1, cause: 'reached' }
  if (isEndedFromOutside(progress, signals)) return end(pending)
  if (signals.released !== undefined && isReleased(progress, signals)) {
    return { kind: 'end', ending: { outcome: 'completed', released: signals.released } }
  }
  if (!entered) return signals.continueAsNew ? { kind: 'continueAsNew' } : { kind: 'enter', step }
  const change = step.kind === 'wait' ? findServiceChange(progress) : undefined
  if (change !== undefined && step.kind === 'wait') return { kind: change, step }
  const timed = findTimed(step)
  if (timed !== undefined && deadline !== null && now >= deadline) return { kind: 'deadline', step: timed }
  if (signals.poll || (unconfirmed !== undefined && now >= unconfirmed.nextPoll)) return { kind: 'pollOnHint' }
  if (progress.nextPoll !== null && now >= progress.nextPoll) return { kind: 'poll' }
  const nextPoll = earlier(progress.nextPoll, unconfirmed?.nextPoll ?? null)
  const until = kindOf(step).work === undefined ? deadline : null
  return { kind: 'wait', until: earlier(until, nextPoll), summary: toTimerSummary(until, nextPoll, step) }
}

/**
 * Cancelled, or a shipment that the flow needs was cancelled from outside. If a release and a cancellation both arrive,
 * the first wins.
 */
export function isEndedFromOutside(progress: FlowProgress, signals: Pick<Signals, 'cancelled' | 'released'>): boolean {
  if (signals.cancelled && !isReleased(progress, signals)) return true
  return progress.shipments.some(({ stateCode, role }) => stateCode === 'Cancelled' && isNeeded(progress, role))
}

/** True if a caller has released the booking that the current step keeps. */
export function isReleased(progress: FlowProgress, { released }: Pick<Signals, 'released'>): boolean {
  const step = currentStep(progress)
  const completedBy = step?.kind === 'wait' ? step.completedBy : undefined
  return completedBy?.update === 'release' && completedBy.role === released
}

/** True if the flow has what the step waits for. Work ends by its outcome. */
export function isComplete(progress: FlowProgress, step: PlannedStep, now: number): boolean {
  return kindOf(step).isComplete?.(progress, step, now) ?? false
}

/** The end of work that is under way is awaited: what it has done must be undone. */
function end(pending: Pending | undefined): Action {
  if (pending === undefined) return { kind: 'end', ending: { outcome: 'cancelled' } }
  if (!pending.stopRequested) return { kind: 'stop' }
  return { kind: 'wait', until: null, summary: '' }
}

/** The summary of the timer in the Web UI. Temporal limits it to 200 bytes, and names have at most 100 characters. */
function toTimerSummary(deadline: number | null, nextPoll: number | null, step: PlannedStep): string {
  const isDeadline = deadline !== null && (nextPoll === null || deadline <= nextPoll)
  if (!isDeadline) return `${step.name}: next poll of the service`
  return `${findTimed(step) === undefined ? 'end' : 'window'} of ${step.name}`
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

/** Undefined without a change. A service that reports no lockers out of service never causes one. */
function findServiceChange({ shipments, step, outOfService: known }: FlowProgress): ServiceChange | undefined {
  const isBroken = shipments.some(({ lockerOutOfService, stateCode }) => lockerOutOfService && !isFinalState(stateCode))
  if (isBroken) return known?.step === step ? undefined : 'outOfService'
  return known === undefined ? undefined : 'inService'
}
