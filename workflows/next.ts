import { isFinalState } from '#contract/terms'
import { evaluate, isBlock, type PlannedBlock, type PlannedStep, type PlannedWait, siblingAfter } from '#flows'
import type { Move } from './kinds/block.ts'
import { blockKindOf, kindOf } from './kinds/index.ts'
import { findBereft, findShipment } from './lockers/index.ts'
import type { Outcome, Pending, Resolving } from './pending.ts'
import { type Ending, type FailureText, type FlowProgress, isLeft, stepOf, toValues } from './progress.ts'
import { isUnder } from './scopes.ts'
import { findTimed, type TimedStep } from './steps/windows.ts'
import { type BlockProgress, type Leaving, rootOf, type Token } from './tokens.ts'

/** The messages that a flow has received and not yet acted on, and the work that it has started. */
export interface Signals {
  readonly cancelled: boolean
  readonly poll: boolean
  readonly work: readonly Pending[]
  readonly resolving: readonly Resolving[]
  /** A poll is under way, or what comes with it. */
  readonly isPolling: boolean
  /** The history is long, and nothing would be lost. */
  readonly continueAsNew: boolean
  /** The history is so long that no step begins before the flow has continued as new. */
  readonly isFull: boolean
}

/** A flow's next action. */
export type Action =
  /** The step is complete, or left out. */
  | { readonly kind: 'advance'; readonly token: Token; readonly to: number; readonly cause: 'reached' | 'skipped' }
  | { readonly kind: 'enter'; readonly token: Token; readonly step: PlannedStep }
  /** The work of the step has ended. */
  | { readonly kind: 'settle'; readonly pending: Pending; readonly outcome: Outcome }
  /** The flow, or a scope of it, ends: the work of its steps has to stop. */
  | { readonly kind: 'stop'; readonly work: readonly Pending[] }
  /** A block begins lists, or ends. */
  | { readonly kind: 'move'; readonly token: Token; readonly step: PlannedBlock; readonly move: Move }
  /** The work in scopes has ended: they are undone. */
  | { readonly kind: 'undo'; readonly token: Token; readonly leaving: Leaving }
  /** Another program has cancelled a shipment that a block needs. */
  | { readonly kind: 'bereft'; readonly token: Token }
  /** A calendar cannot tell the end of the step. */
  | { readonly kind: 'unresolved'; readonly resolving: Resolving; readonly failure: FailureText }
  /** The window of the step has passed. */
  | { readonly kind: 'deadline'; readonly token: Token; readonly step: TimedStep }
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
  const unresolved = signals.resolving.find(({ failure }) => failure !== undefined)
  if (unresolved?.failure !== undefined) {
    return { kind: 'unresolved', resolving: unresolved, failure: unresolved.failure }
  }
  if (stepOf(progress, rootOf(progress)) === undefined) return end(signals, { outcome: 'completed' })
  for (const token of progress.tokens) {
    const action = leave(progress, token, signals, now)
    if (action !== undefined) return action
  }
  if (signals.cancelled) return end(signals, { outcome: 'cancelled' })
  const bereft = findBereft(progress)
  if (bereft?.up === null) return end(signals, { outcome: 'cancelled' })
  if (bereft !== undefined) return { kind: 'bereft', token: bereft }
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

/** The action of a token whose step is complete, or left out, or whose scopes end early. */
function leave(progress: FlowProgress, token: Token, signals: Signals, now: number): Action | undefined {
  // A scope around it that is left is undone with it.
  if (isLeft(progress, token.id, token)) return undefined
  if (token.leaving !== undefined) return leaveScopes(token, token.leaving, signals)
  const step = stepOf(progress, token)
  if (step === undefined) return undefined
  const to = siblingAfter(progress.plan.steps, token.step)
  if (!token.entered && step.when !== undefined && !evaluate(step.when, toValues(progress, token.id))) {
    return { kind: 'advance', token, to, cause: 'skipped' }
  }
  if (isBlock(step)) {
    const move = moveOf(progress, token, step, now)
    return move !== undefined && 'leave' in move ? { kind: 'move', token, step, move } : undefined
  }
  return isComplete(progress, token, step, now) ? { kind: 'advance', token, to, cause: 'reached' } : undefined
}

/** The work in the scopes ends first: what it has done is undone with them. */
function leaveScopes(token: Token, leaving: Leaving, { work }: Signals): Action | undefined {
  const isOwn = (pending: Pending) => pending.token === token && pending.undoes === true
  const inside = work.filter(
    pending => !isOwn(pending) && leaving.scopes.some(scope => isUnder(pending.token.id, scope)),
  )
  const running = inside.filter(({ stopRequested }) => !stopRequested)
  if (running.length > 0) return { kind: 'stop', work: running }
  return inside.length > 0 || work.some(isOwn) ? undefined : { kind: 'undo', token, leaving }
}

/** What a block does now; undefined before it has begun. */
function moveOf(progress: FlowProgress, token: Token, step: PlannedBlock, now: number): Move | undefined {
  return hasBegun(token) ? blockKindOf(step).move(progress, token, step, now) : undefined
}

function hasBegun(token: Token): token is Token & { readonly block: BlockProgress } {
  return token.block !== undefined
}

/** The action of a token, or the moment at which it has one; undefined if only a message can bring it on. */
function actionOf(progress: FlowProgress, token: Token, signals: Signals, now: number): Action | Due | undefined {
  const step = stepOf(progress, token)
  if (step === undefined || token.leaving !== undefined || isLeft(progress, token.id)) return undefined
  if (!token.entered) {
    if (signals.continueAsNew) return { kind: 'continueAsNew' }
    // A search for late bookings would find its shipments before their response.
    const isHeld = signals.isFull || (signals.isPolling && step.kind === 'book')
    return isHeld ? undefined : { kind: 'enter', token, step }
  }
  const move = isBlock(step) && !signals.isFull ? moveOf(progress, token, step, now) : undefined
  if (move !== undefined && isBlock(step) && !('until' in move)) return { kind: 'move', token, step, move }
  const change = step.kind === 'wait' ? findServiceChange(progress, token, step) : undefined
  if (change !== undefined && step.kind === 'wait') return { kind: change, token, step }
  const round = move !== undefined && 'until' in move ? move.until : null
  const next = round === null ? undefined : { at: round, summary: `next round of ${step.name}` }
  const { deadline } = token
  if (deadline === null || kindOf(step).work !== undefined) return next
  const timed = findTimed(step)
  if (timed === undefined || now < deadline) return earlier({ at: deadline, summary: toTimerSummary(step) }, next)
  // The poll tells whether the step is complete.
  if (signals.isPolling && step.kind !== 'ask') return undefined
  return { kind: 'deadline', token, step: timed }
}

/** True if the flow has what the step waits for. Work ends by its outcome. */
export function isComplete(progress: FlowProgress, token: Token, step: PlannedStep, now: number): boolean {
  return kindOf(step).isComplete?.(progress, step, token, now) ?? false
}

/** The end of work and of a poll that are under way is awaited: what they have done must be undone. */
function end({ work, isPolling }: Signals, ending: Ending): Action {
  const running = work.filter(({ stopRequested }) => !stopRequested)
  if (running.length > 0) return { kind: 'stop', work: running }
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

/**
 * Undefined without a change. A service that reports no lockers out of service never causes one. Inside of a block a step
 * answers for the shipments that it awaits.
 */
function findServiceChange({ lockers }: FlowProgress, { id, step }: Token, { reached }: PlannedWait) {
  const { shipments, outages = [] } = lockers
  const known = outages.find(({ token }) => token === id)
  const own = id === '' ? shipments : Object.keys(reached).flatMap(role => findShipment(lockers, id, role) ?? [])
  const isBroken = own.some(({ lockerOutOfService, stateCode }) => lockerOutOfService && !isFinalState(stateCode))
  if (isBroken) return known?.step === step ? undefined : 'outOfService'
  return known === undefined ? undefined : 'inService'
}
