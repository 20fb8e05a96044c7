import { isFinalState } from '#contract/terms'
import type { ShipmentStatus } from '#flows'
import type { PlannedFlow } from '../context.ts'
import { isHeldUp } from '../continueAsNew.ts'
import { type Claim, type FlowProgress, type Polls, stepOf } from '../progress.ts'
import type { Runtime } from '../runtime.ts'
import type { Token } from '../tokens.ts'
import { cancelLateBookings } from './lateBookings.ts'
import { isNeeded } from './neededShipments.ts'
import { pollShipments } from './readings.ts'
import { compareStates } from './states.ts'

/** A flow whose polls can be written. */
type PollingFlow = PlannedFlow & { readonly progress: { readonly lockers: Polls } }

/** The longest pause after a scheduled poll without a response, in milliseconds. */
const maxRetryPause = 3_600_000

/** Milliseconds before each further poll that can confirm a hint. */
const confirmationPauses = [5_000, 20_000, 60_000, 300_000]

/**
 * Milliseconds between two polls in a long run that cannot continue as new: neither a flood of forged hints nor the
 * schedule may bring it to the 51,200 events at which Temporal terminates it.
 */
const pauseInLongRun = 3_600_000

/** Starts a poll. Other steps go on meanwhile, and its end wakes the flow. An error is a defect, and fails the workflow task. */
function startPoll(flow: PlannedFlow, poll: () => Promise<unknown>): void {
  flow.isPolling = true
  void poll().then(() => {
    flow.isPolling = false
    flow.needsEvaluation = true
  })
}

/** Reads the shipments. False when the service did not respond. */
async function read(flow: PollingFlow, urgency: { urgent: boolean }): Promise<boolean> {
  const startedAt = flow.runtime.now()
  const isRead = await pollShipments(flow, urgency)
  if (isRead) flow.progress.lockers.polledAt = startedAt
  return isRead
}

/**
 * True if the flow has polled since the window of the step has passed, or cannot. Else it polls, which is worth a minute of
 * retries; false if such a poll had no response.
 */
export function confirmByPoll(flow: PlannedFlow, { since, deadline }: Token): boolean | 'later' {
  const { plan, lockers } = flow.progress
  const passed = Math.max(since, deadline ?? since)
  if (!plan.profile.reads || (lockers.polledAt ?? -1) >= passed) return true
  if ((flow.unreadAt ?? -1) >= passed) return false
  startPoll(flow, async () => {
    if (!(await read(flow, { urgent: true }))) flow.unreadAt = flow.runtime.now()
  })
  return 'later'
}

/** A poll triggered by an untrusted hint. It leaves the schedule alone, so forged hints cannot postpone polls. */
export function pollOnHint(flow: PollingFlow): void {
  const { progress, claims: newer = [] } = flow
  const { lockers } = progress
  const earlier = lockers.unconfirmed?.claims ?? []
  const claims = mergeClaims(earlier, newer)
  // An earlier claim may be forged, and its polls must not use up those of another one.
  if (newer.some(claim => !earlier.some(known => isSameClaim(known, claim)))) delete lockers.unconfirmed
  flow.pollRequested = false
  flow.claims = undefined
  if (hold(flow, claims)) return
  startPoll(flow, async () => {
    const isRead = await read(flow, { urgent: false })
    const open = claims.filter(claim => isNews(progress, claim))
    if (isRead && open.length === 0) delete lockers.unconfirmed
    else pollAgain(flow, open, isRead)
  })
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
  const { lockers } = progress
  lockers.unconfirmed = { claims, polls: lockers.unconfirmed?.polls ?? 0, nextPoll: hintsHeldUntil }
  return true
}

/** The work that held the run up has ended, so that the next run can poll at once. */
export function pollHeldHints(flow: PollingFlow): void {
  if (flow.hintsHeldUntil === undefined) return
  flow.hintsHeldUntil = undefined
  const { lockers } = flow.progress
  const { unconfirmed } = lockers
  if (unconfirmed !== undefined) lockers.unconfirmed = { ...unconfirmed, nextPoll: flow.runtime.now() }
}

/**
 * A replica of the service may show a change seconds after its callback, so the hint is confirmed by one of a few further
 * polls, or was forged. A service that does not respond is asked until it does.
 */
function pollAgain({ progress, runtime }: PollingFlow, claims: readonly Claim[], isRead: boolean): void {
  const { lockers } = progress
  const polls = lockers.unconfirmed?.polls ?? 0
  const pause = confirmationPauses[polls] ?? (isRead ? undefined : confirmationPauses.at(-1))
  if (pause === undefined) delete lockers.unconfirmed
  else lockers.unconfirmed = { claims, polls: polls + 1, nextPoll: runtime.now() + pause }
}

/** The newest claim about each shipment. */
function mergeClaims(earlier: readonly Claim[], newer: readonly Claim[]): readonly Claim[] {
  return [...earlier.filter(({ shipmentUid }) => !newer.some(claim => claim.shipmentUid === shipmentUid)), ...newer]
}

function isSameClaim(one: Claim, other: Claim): boolean {
  return one.shipmentUid === other.shipmentUid && one.stateCode === other.stateCode
}

/** True for a claim that would change what the flow knows. */
function isNews({ plan, lockers }: FlowProgress, claim: Claim): boolean {
  return lockers.shipments.some(
    held =>
      held.shipmentUid === claim.shipmentUid && compareStates(plan, held, { ...claim, stateStart: '' }) === 'newer',
  )
}

/**
 * A poll that is due, and a search for late bookings. One without a response does not make the intervals grow: callbacks may
 * be lost meanwhile.
 */
export function pollOnSchedule(flow: PollingFlow): void {
  const { lockers } = flow.progress
  const due = lockers.nextPoll
  startPoll(flow, async () => {
    const isRead = await read(flow, { urgent: false })
    // A step that began meanwhile, or the first callback, has begun the schedule anew.
    if (lockers.nextPoll === due) setNextPoll(flow, isRead)
    await cancelLateBookings(flow)
  })
}

function setNextPoll(flow: PollingFlow, isRead: boolean): void {
  const { progress, runtime } = flow
  const { lockers } = progress
  if (isRead) lockers.pollCount++
  const now = runtime.now()
  const next = toNextPoll(progress, now)
  if (next === null) lockers.nextPoll = null
  else if (isHeldUp(flow)) lockers.nextPoll = Math.max(next, now + pauseInLongRun)
  else lockers.nextPoll = isRead ? next : Math.min(next, now + maxRetryPause)
}

/**
 * Ends the early polls of the flow, and tells the worker that the service calls back. The timer of an early poll stays:
 * replacing it would cost more events. A callback with the uid signature alone may be forged and changes no schedule.
 */
export function noteFirstCallback(runtime: Runtime, progress: PollingFlow['progress'], status: ShipmentStatus): void {
  const { plan, lockers } = progress
  if (plan.polls.untilCallback === undefined || lockers.calledBack || !plan.profile.standardWebhooks) return
  if (!lockers.shipments.some(({ shipmentUid }) => shipmentUid === status?.shipmentUid)) return
  lockers.calledBack = true
  if (lockers.nextPoll !== null) lockers.nextPoll = toNextPoll(progress, runtime.now())
  runtime.noteCallback()
}

/** Begins the schedule of a step. */
export function startPolls(progress: PollingFlow['progress'], now: number): void {
  progress.lockers.pollCount = 0
  progress.lockers.nextPoll = toNextPoll(progress, now)
}

/**
 * Intervals double from the initial to the maximum one. Until the first callback they begin early, and grow faster, so
 * that a flow without callbacks has few polls more. Null for a service that cannot be read, and in steps that await no
 * shipment while the flow needs none.
 */
export function toNextPoll(progress: FlowProgress, now: number): number | null {
  const { plan, lockers } = progress
  if (!plan.profile.reads || !(awaitsShipments(progress) || needsShipments(progress))) return null
  const { initial, maximum, untilCallback } = plan.polls
  const count = Math.min(lockers.pollCount, 30)
  const early =
    untilCallback === undefined || lockers.calledBack ? Number.POSITIVE_INFINITY : untilCallback * 5 ** count
  return now + Math.min(early, initial * 2 ** count, maximum)
}

function awaitsShipments(progress: FlowProgress): boolean {
  return progress.tokens.some(token => stepOf(progress, token)?.kind === 'wait')
}

function needsShipments(progress: FlowProgress): boolean {
  return progress.lockers.shipments.some(held => !isFinalState(held.stateCode) && isNeeded(progress, held))
}
