import type { PlannedStage } from '#flows'
import type { FlowProgress } from '../context.ts'
import { findServiceChange, type ServiceChange } from './outOfService.ts'
import { isReached } from './shipments.ts'

/** The messages that a flow has received and not yet acted on. */
export interface Requests {
  readonly cancelled: boolean
  readonly released: boolean
  readonly poll: boolean
}

/** A waiting flow's next step. */
export type Action =
  /** The stage is complete; go on to the following one. */
  | { readonly kind: 'advance' }
  | { readonly kind: 'enterStage'; readonly stage: PlannedStage }
  /** The window of the stage has passed. */
  | { readonly kind: 'deadline'; readonly stage: PlannedStage }
  /** A locker went out of service, or all of them work again. */
  | { readonly kind: ServiceChange; readonly stage: PlannedStage }
  /** A poll triggered by an untrusted callback. */
  | { readonly kind: 'pollOnHint' }
  /** A poll that is due. */
  | { readonly kind: 'poll' }
  /** @property until milliseconds since 1970; null waits for a message */
  | { readonly kind: 'wait'; readonly until: number | null; readonly summary: string }
  | { readonly kind: 'end'; readonly outcome: 'completed' | 'cancelled' }

/**
 * Decides the next step through the stages. A stage is a level and not an edge: it is complete as soon as its shipments
 * are in their states, so callbacks may come early, twice, late or not at all.
 * @param now milliseconds since 1970
 */
export function nextAction(progress: FlowProgress, requests: Requests, now: number): Action {
  const { plan, deadline, nextPoll } = progress
  const stage = plan.stages[progress.stage]
  if (stage === undefined) return { kind: 'end', outcome: 'completed' }
  if (isReached(progress)) return { kind: 'advance' }
  if (isEndedFromOutside(progress, requests)) return { kind: 'end', outcome: 'cancelled' }
  if (requests.released) return { kind: 'end', outcome: 'completed' }
  if (!progress.stageEntered) return { kind: 'enterStage', stage }
  const change = findServiceChange(progress)
  if (change !== undefined) return { kind: change, stage }
  if (deadline !== null && now >= deadline) return { kind: 'deadline', stage }
  if (requests.poll) return { kind: 'pollOnHint' }
  if (nextPoll !== null && now >= nextPoll) return { kind: 'poll' }
  return { kind: 'wait', until: earlier(deadline, nextPoll), summary: toTimerSummary(progress, stage) }
}

/** Cancelled, or one of the shipments was cancelled from outside. If a release and a cancellation both arrive, the first wins. */
export function isEndedFromOutside({ shipments }: FlowProgress, { cancelled, released }: Requests): boolean {
  return (cancelled && !released) || shipments.some(({ stateCode }) => stateCode === 'Cancelled')
}

/** The summary of the timer in the Web UI. */
function toTimerSummary({ deadline, nextPoll }: FlowProgress, { name }: PlannedStage): string {
  const isDeadline = deadline !== null && (nextPoll === null || deadline <= nextPoll)
  return isDeadline ? `window of ${name}` : `${name}: next poll of the service`
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}
