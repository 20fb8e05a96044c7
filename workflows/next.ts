import { isFinalState } from '#contract/terms'
import { evaluate, type PlannedAsk, type PlannedStep, type PlannedWait } from '#flows'
import { kindOf } from './kinds/index.ts'
import { isNeeded } from './lockers/index.ts'
import type { Outcome, Pending } from './pending.ts'
import { type Ending, type FlowProgress, stepOf, toValues } from './progress.ts'
import { findTimed } from './steps/windows.ts'
import { rootOf, type Token } from './tokens.ts'

/** The messages that a flow has received and not yet acted on, and the work that it has started. */
export interface Signals {
  readonly cancelled: boolean
  /** The role of the kept booking that a caller has released. */
  readonly released: string | undefined
  readonly poll: boolean
  readonly work: readonly Pending[]
  /** A poll is under way, or what comes with it. */
  readonly isPolling: boolean
  /** The history is long, and nothing would be lost. */
  readonly continueAsNew: boolean
}

/** A flow's next action. */
export type Action =
  /** The step is complete, or left out. */
  | { readonly kind: 'advance'; readonly token: Token; readonly to: number; readonly cause: 'reached' | 'skipped' }
  | { readonly kind: 'enter'; readonly token: Token; readonly step: PlannedStep }
  /** The work of the step has ended. */
  | { readonly kind: 'settle'; readonly pending: Pending; readonly outcome: Outcome }
  /** The flow ends: the work of its steps has to stop. */
  | { readonly kind: 'stop' }
  /** The window of the step has passed. */
  | { readonly kind: 'deadline'; readonly token: Token; readonly step: PlannedWait | PlannedAsk }
  /** A locker went out of service, or all of them work again. */
  | { readonly kind: ServiceChange; readonly token: Token; readonly step: PlannedWait }
  /** A poll triggered by an untrusted callback. */
  | { readonly kind: 'pollOnHint' }
  /** A poll that is due. */
  | { readonly kind: 'poll' }
  /** @property until milliseconds since 1970; null waits for a message; undefined leaves the timer as it is */
  | { readonly kind: 'wait'; readonly until: number | null | undefined; readonly summary: string }
  | { readonly kind: 'continueAsNew' }
  | { readonly kind: 'end'; readonly ending: Ending }

/** A locker of the flow does not work, and the policy of the step has not been applied; or all of them work again. */
type ServiceChange = 'outOfService' | 'inService'

/** The moment at which a step or a poll is due, and the name that its timer has in the Web UI. */
interface Due {
  readonly at: number
  readonly summary: string
}

/**
 * Decides the next action of a planned flow. A step is level-triggered, not edge-triggered: a wait is complete as soon as its
 * shipments are in their states, so callbacks may come early, twice, late or not at all. Tokens act in their order.
 * @param now milliseconds since 1970
 */
export function nextAction(progress: FlowProgress, signals: Signals, now: number): Action {
  const ended = signals.work.find(({ outcome }) => outcome !== undefined)
  if (ended?.outcome !== undefined) return { kind: 'settle', pending: ended, outcome: ended.outcome }
  if (progress.ending !== undefined) return end(signals, progress.ending)
  if (stepOf(progress, rootOf(progress)) === undefined) return end(signals, { outcome: 'completed' })
  for (const token of progress.tokens) {
    const action = leave(progress, token, now)
    if (action !== undefined) return action
  }
  if (isEndedFromOutside(progress, signals)) return end(signals, { outcome: 'cancelled' })
  if (signals.released !== undefined && isReleased(progress, signals)) {
    return end(signals, { outcome: 'completed', released: signals.released })
  }
  let due: Due | undefined
  for (const token of progress.tokens) {
    const action = actionOf(progress, token, signals, now)
    if (action !== undefined && 'kind' in action) return action
    due = earlier(due, action)
  }
  // Other steps go on while the flow polls. Its end sets the timer.
  if (signals.isPolling) return { kind: 'wait', until: undefined, summary: '' }
  const { nextPoll, unconfirmed } = progress.lockers
  if (signals.poll || (unconfirmed !== undefined && now >= unconfirmed.nextPoll)) return { kind: 'pollOnHint' }
  if (nextPoll !== null && now >= nextPoll) return { kind: 'poll' }
  for (const at of [nextPoll, unconfirmed?.nextPoll ?? null]) due = earlier(due, toPoll(progress, at))
  return { kind: 'wait', until: due?.at ?? null, summary: due?.summary ?? '' }
}

/** The action of a token whose step is complete, or left out. */
function leave(progress: FlowProgress, token: Token, now: number): Action | undefined {
  const step = stepOf(progress, token)
  if (step === undefined) return undefined
  const to = token.step + 1
  if (!token.entered && step.when !== undefined && !evaluate(step.when, toValues(progress))) {
    return { kind: 'advance', token, to, cause: 'skipped' }
  }
  return isComplete(progress, token, step, now) ? { kind: 'advance', token, to, cause: 'reached' } : undefined
}

/** The action of a token, or the moment at which it has one; undefined if only a message can bring it on. */
function actionOf(progress: FlowProgress, token: Token, signals: Signals, now: number): Action | Due | undefined {
  const step = stepOf(progress, token)
  if (step === undefined) return undefined
  if (!token.entered) {
    if (signals.continueAsNew) return { kind: 'continueAsNew' }
    // A search for late bookings would find its shipments before their response.
    return signals.isPolling && step.kind === 'book' ? undefined : { kind: 'enter', token, step }
  }
  const change = step.kind === 'wait' ? findServiceChange(progress, token) : undefined
  if (change !== undefined && step.kind === 'wait') return { kind: change, token, step }
  const { deadline } = token
  if (deadline === null || kindOf(step).work !== undefined) return undefined
  const timed = findTimed(step)
  if (timed === undefined || now < deadline) return { at: deadline, summary: toTimerSummary(step) }
  // The poll tells whether the step is complete.
  if (signals.isPolling && step.kind === 'wait') return undefined
  return { kind: 'deadline', token, step: timed }
}

/**
 * Cancelled, or a shipment that the flow needs was cancelled from outside. If a release and a cancellation both arrive,
 * the first wins.
 */
export function isEndedFromOutside(progress: FlowProgress, signals: Pick<Signals, 'cancelled' | 'released'>): boolean {
  if (signals.cancelled && !isReleased(progress, signals)) return true
  return progress.lockers.shipments.some(({ stateCode, role }) => stateCode === 'Cancelled' && isNeeded(progress, role))
}

/** True if a caller has released the booking that the current step keeps. */
export function isReleased(progress: FlowProgress, { released }: Pick<Signals, 'released'>): boolean {
  const step = stepOf(progress, rootOf(progress))
  const completedBy = step?.kind === 'wait' ? step.completedBy : undefined
  return completedBy?.update === 'release' && completedBy.role === released
}

/** True if the flow has what the step waits for. Work ends by its outcome. */
export function isComplete(progress: FlowProgress, token: Token, step: PlannedStep, now: number): boolean {
  return kindOf(step).isComplete?.(progress, step, token, now) ?? false
}

/** The end of work and of a poll that are under way is awaited: what they have done must be undone. */
function end({ work, isPolling }: Signals, ending: Ending): Action {
  if (work.some(({ stopRequested }) => !stopRequested)) return { kind: 'stop' }
  if (isPolling) return { kind: 'wait', until: undefined, summary: '' }
  return work.length > 0 ? { kind: 'wait', until: null, summary: '' } : { kind: 'end', ending }
}

/** The summary of the timer in the Web UI. Temporal limits it to 200 bytes, and names have at most 100 characters. */
function toTimerSummary(step: PlannedStep): string {
  return `${findTimed(step) === undefined ? 'end' : 'window'} of ${step.name}`
}

function toPoll(progress: FlowProgress, at: number | null): Due | undefined {
  const waiting = progress.tokens.flatMap(token => stepOf(progress, token)?.name ?? [])
  return at === null ? undefined : { at, summary: `${waiting[0] ?? ''}: next poll of the service` }
}

/** The first one of two that are due at once counts. */
function earlier(one: Due | undefined, other: Due | undefined): Due | undefined {
  return one === undefined || (other !== undefined && other.at < one.at) ? other : one
}

/** Undefined without a change. A service that reports no lockers out of service never causes one. */
function findServiceChange({ lockers }: FlowProgress, { id, step }: Token): ServiceChange | undefined {
  const { shipments, outages = [] } = lockers
  const known = outages.find(({ token }) => token === id)
  const isBroken = shipments.some(({ lockerOutOfService, stateCode }) => lockerOutOfService && !isFinalState(stateCode))
  if (isBroken) return known?.step === step ? undefined : 'outOfService'
  return known === undefined ? undefined : 'inService'
}
