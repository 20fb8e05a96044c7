import { isFinalState } from '#contract/terms'
import type { ShipmentStatus } from '#flows'
import type { PlannedFlow } from '../context.ts'
import { isHeldUp } from '../continueAsNew.ts'
import { type Claim, currentStep, type FlowProgress, type Polls } from '../progress.ts'
import type { Runtime } from '../runtime.ts'
import { isNeeded } from './neededShipments.ts'
import { pollShipments } from './readings.ts'
import { compareStates } from './states.ts'

/** A flow whose polls can be written. */
type PollingFlow = PlannedFlow & { readonly progress: Polls }

/** The longest pause after a scheduled poll without a response, in milliseconds. */
const maxRetryPause = 3_600_000

/** Milliseconds before each further poll that can confirm a hint. */
const confirmationPauses = [5_000, 20_000, 60_000, 300_000]

/**
 * Milliseconds between two polls in a long run that cannot continue as new: neither a flood of forged hints nor the
 * schedule may bring it to the 51,200 events at which Temporal terminates it.
 */
const pauseInLongRun = 3_600_000

/** A poll triggered by an untrusted hint. It leaves the schedule alone, so forged hints cannot postpone polls. */
export async function pollOnHint(flow: PollingFlow): Promise<void> {
  const { progress, claims: newer = [] } = flow
  const earlier = progress.unconfirmed?.claims ?? []
  const claims = mergeClaims(earlier, newer)
  // An earlier claim may be forged, and its polls must not use up those of another one.
  if (newer.some(claim => !earlier.some(known => isSameClaim(known, claim)))) delete progress.unconfirmed
  flow.pollRequested = false
  flow.claims = undefined
  if (hold(flow, claims)) return
  const isRead = await pollShipments(flow, { urgent: false })
  const open = claims.filter(claim => isAhead(progress, claim))
  if (isRead && open.length === 0) delete progress.unconfirmed
  else pollAgain(flow, open, isRead)
}

/** Puts a poll off that comes too early in a long run, and notes its claims. False for a poll that may begin now. */
function hold(flow: PollingFlow, claims: readonly Claim[]): boolean {
  const { progress, runtime, hintsHeldUntil = 0 } = flow
  const now = runtime.now()
  if (!isHeldUp(flow)) return false
  if (now >= hintsHeldUntil) {
    flow.hintsHeldUntil = now + pauseInLongRun
    return false
  }
  progress.unconfirmed = { claims, polls: progress.unconfirmed?.polls ?? 0, nextPoll: hintsHeldUntil }
  return true
}

/** The work that held the run up has ended, so that the next run can poll at once. */
export function pollHeldHints(flow: PollingFlow): void {
  if (flow.hintsHeldUntil === undefined) return
  flow.hintsHeldUntil = undefined
  const { progress, runtime } = flow
  const { unconfirmed } = progress
  if (unconfirmed !== undefined) progress.unconfirmed = { ...unconfirmed, nextPoll: runtime.now() }
}

/**
 * A replica of the service may show a change seconds after its callback, so the hint is confirmed by one of a few further
 * polls, or was forged. A service that does not respond is asked until it does.
 */
function pollAgain({ progress, runtime }: PollingFlow, claims: readonly Claim[], isRead: boolean): void {
  const polls = progress.unconfirmed?.polls ?? 0
  const pause = confirmationPauses[polls] ?? (isRead ? undefined : confirmationPauses.at(-1))
  if (pause === undefined) delete progress.unconfirmed
  else progress.unconfirmed = { claims, polls: polls + 1, nextPoll: runtime.now() + pause }
}

/** The newest claim about each shipment. */
function mergeClaims(earlier: readonly Claim[], newer: readonly Claim[]): readonly Claim[] {
  return [...earlier.filter(({ shipmentUid }) => !newer.some(claim => claim.shipmentUid === shipmentUid)), ...newer]
}

function isSameClaim(one: Claim, other: Claim): boolean {
  return one.shipmentUid === other.shipmentUid && one.stateCode === other.stateCode
}

function isAhead({ plan, shipments }: FlowProgress, claim: Claim): boolean {
  return shipments.some(
    held =>
      held.shipmentUid === claim.shipmentUid && compareStates(plan, held, { ...claim, stateStart: '' }) === 'newer',
  )
}

/** A poll that is due. One without a response does not make the intervals grow: callbacks may be lost meanwhile. */
export async function pollOnSchedule(flow: PollingFlow): Promise<void> {
  const { progress, runtime } = flow
  const isRead = await pollShipments(flow, { urgent: false })
  if (isRead) progress.pollCount++
  const now = runtime.now()
  const next = toNextPoll(progress, now)
  if (next === null) progress.nextPoll = null
  else if (isHeldUp(flow)) progress.nextPoll = Math.max(next, now + pauseInLongRun)
  else progress.nextPoll = isRead ? next : Math.min(next, now + maxRetryPause)
}

/**
 * Ends the early polls of the flow, and tells the worker that the service calls back. The timer of an early poll stays:
 * replacing it would cost more events. A callback with the uid signature alone may be forged and changes no schedule.
 */
export function noteFirstCallback(runtime: Runtime, progress: FlowProgress & Polls, status: ShipmentStatus): void {
  const { plan, shipments, calledBack } = progress
  if (plan.polls.untilCallback === undefined || calledBack || !plan.profile.standardWebhooks) return
  if (!shipments.some(({ shipmentUid }) => shipmentUid === status?.shipmentUid)) return
  progress.calledBack = true
  if (progress.nextPoll !== null) progress.nextPoll = toNextPoll(progress, runtime.now())
  runtime.noteCallback()
}

/** Begins the schedule of a step. */
export function startPolls(progress: FlowProgress & Polls, now: number): void {
  progress.pollCount = 0
  progress.nextPoll = toNextPoll(progress, now)
}

/**
 * Intervals double from the initial to the maximum one. Until the first callback they begin early, and grow faster, so
 * that a flow without callbacks has few polls more. Null for a service that cannot be read, and in a step that awaits no
 * shipment while the flow needs none.
 */
export function toNextPoll(progress: FlowProgress, now: number): number | null {
  const { plan, pollCount, calledBack } = progress
  if (!plan.profile.reads || !(currentStep(progress)?.kind === 'wait' || needsShipments(progress))) return null
  const { initial, maximum, untilCallback } = plan.polls
  const count = Math.min(pollCount, 30)
  const early = untilCallback === undefined || calledBack ? Number.POSITIVE_INFINITY : untilCallback * 5 ** count
  return now + Math.min(early, initial * 2 ** count, maximum)
}

function needsShipments(progress: FlowProgress): boolean {
  return progress.shipments.some(({ role, stateCode }) => !isFinalState(stateCode) && isNeeded(progress, role))
}
