import type { BookedShipment, Booking, BookStepInput } from '#activities/interface'
import { businessErrors, readTime } from '#contract/terms'
import { type FlowPlan, type LeftOver, leftOverReasons, toDuplicateReason, toExistingShipmentUid } from '#flows'
import * as activities from '../activities.ts'
import { type PlannedFlow, recordRejection, toKnownUids } from '../context.ts'
import { businessErrorIn, isActivityError, toErrorCode } from '../failures.ts'
import type { LockerState } from '../progress.ts'
import { toEffectKey } from '../scopes.ts'
import { leave, leaveDuplicates } from '../undoList.ts'
import { keyReused, toBookingInput, toRequest, toUndoInput } from './bookings.ts'
import { leaveAll, toLeftOvers } from './leftOvers.ts'
import { isUndoneLater } from './neededShipments.ts'
import { booksBeside, isBooked } from './proof.ts'
import { type BookIn, bookIn } from './roles.ts'
import { addShipments, changeBooking, noteCleaned } from './shipments.ts'

/** Milliseconds before the second search for a late create, doubled each time. */
const firstPause = 5_000

/** The longest attempt of a search, in milliseconds. Its activity may end this much later than it has read. */
const maxSearch = 30_000

const pauseSummary = 'pause before the next search for a late booking'
const waitSummary = 'until no create can be late, or a callback reports one'

export interface UnacknowledgedBookings {
  readonly bookings: Booking[]
  /** The moment until which another create can still book; null when none can. */
  readonly lateUntil: number | null
  /** Shipments that may be booked or issued by a service that cannot be read. */
  readonly unknown: LeftOver[]
}

/**
 * Finds the bookings of attempts without a response. Reading comes first, unless other bookings run beside it. Then, with an
 * idempotency key, the same create is sent again, unless none can be late any more: its response is the truth even while the
 * first one is under way, and the undo cancels what it books. Issuing an item from stock cannot be undone, so these flows wait
 * for the outcome instead, as all flows do without keys.
 */
async function findUnacknowledgedBookings(flow: PlannedFlow, step: BookIn): Promise<UnacknowledgedBookings> {
  const { runtime } = flow
  const { profile, createDelay } = flow.progress.plan
  const input = toBookingInput(flow, step)
  const repeats = profile.idempotent && !step.roles.some(({ existing }) => existing)
  const repeat = async (found: readonly Booking[] = []) => {
    const bookings = await repeatBooking(flow, input, found)
    // A refusal says that nothing is booked. Shipments that a read has found in spite of it are for a person, unless another
    // booking of the flow can have made them.
    const isUnclear = bookings === undefined && !booksBeside(flow, step)
    const known = toKnownUids(flow)
    const strange = isUnclear ? found.flat().filter(({ shipmentUid }) => !known.has(shipmentUid)) : []
    const unknown = strange.map(shipment => toUncertain(step, shipment))
    return { bookings: bookings ?? [], lateUntil: null, unknown }
  }
  if (!profile.reads) {
    const waitForProof = () => runtime.conditionWithin(() => isBooked(flow, step), createDelay, waitSummary)
    if (repeats || (profile.idempotent && (await waitForProof()))) return repeat()
    return { bookings: [], lateUntil: null, unknown: toUnknown(flow, step) }
  }
  // A read could find what another booking has made.
  if (repeats && booksBeside(flow, step)) return repeat()
  const until = runtime.now() + createDelay
  for (let pause = firstPause; ; pause *= 2) {
    const searchedAt = runtime.now()
    const bookings = await activities.findUnacknowledged(runtime, input)
    const isConclusive = Math.max(searchedAt, runtime.now() - maxSearch) >= until
    // Another run of the case may have booked what was found: only the response to the key tells.
    if (repeats && !(isConclusive && bookings.length === 0)) return repeat(bookings)
    if (bookings.length > 0) return { bookings, lateUntil: profile.idempotent ? null : until, unknown: [] }
    if (isConclusive) return { bookings, lateUntil: null, unknown: [] }
    await runtime.sleep(Math.min(pause, Math.max(1, until - runtime.now())), pauseSummary)
  }
}

function toUncertain({ name }: BookIn, { shipmentUid }: BookedShipment): LeftOver {
  return { step: name, shipmentUid, reason: leftOverReasons.unknownBooking }
}

/** Undefined after a refusal by the operation, or if another request has used the key and a read has found what it booked. */
async function repeatBooking(
  { runtime }: PlannedFlow,
  input: BookStepInput,
  found: readonly Booking[],
): Promise<Booking[] | undefined> {
  try {
    return await activities.repeatBooking(runtime, input)
  } catch (error) {
    const code = businessErrorIn(error)?.type ?? ''
    if (!Object.hasOwn(businessErrors, code) && !(code === keyReused && found.length > 0)) throw error
    return undefined
  }
}

function toUnknown({ progress }: PlannedFlow, step: BookIn): LeftOver[] {
  if (!step.roles.some(({ existing }) => existing)) {
    return [{ step: step.name, shipmentUid: null, reason: leftOverReasons.mayBeBooked }]
  }
  const shipmentUid = toExistingShipmentUid({ request: toRequest(progress, step) })
  return [{ step: step.name, shipmentUid, reason: leftOverReasons.unknownBooking }]
}

/**
 * The moment until which an attempt without a response can book a second time. Null with an idempotency key, which makes
 * it the same booking, for a service that cannot be read, and for an adopted booking.
 */
export function lastDuplicate({ profile, adopt, createDelay }: FlowPlan, now: number): number | null {
  return profile.idempotent || !profile.reads || adopt ? null : now + createDelay
}

/** Finds the bookings of a step's attempts without a response, and undoes them. Never fails. */
export async function undoUnacknowledged(flow: PlannedFlow, step: BookIn): Promise<void> {
  const { progress } = flow
  try {
    const { bookings, lateUntil, unknown } = await findUnacknowledgedBookings(flow, step)
    changeBooking(progress.lockers, step, { duplicatesUntil: lateUntil })
    leave(progress, ...unknown)
    const found = bookings.flat()
    addShipments(progress.lockers, found)
    await undoShipments(flow, step, found)
  } catch (error) {
    if (!isActivityError(error)) throw error
    recordRejection(flow, `the search for bookings without a response failed: ${toErrorCode(error)}`)
    leave(progress, { step: step.name, shipmentUid: null, reason: leftOverReasons.unknownBooking })
  }
}

/** Undoes a booking that no caller has learned of, whatever its kind. Never fails. */
export async function undoShipments(flow: PlannedFlow, step: BookIn, shipments: Booking): Promise<void> {
  const { progress, runtime } = flow
  if (shipments.length === 0) return
  const leaveOwn = (left: readonly LeftOver[]) =>
    leave(progress, ...left.filter(({ shipmentUid }) => !isUndoneLater(progress, step, shipmentUid)))
  try {
    const undone = await activities.undoBooking(runtime, toUndoInput(flow, step, shipments))
    leaveOwn(toLeftOvers(step.name, noteCleaned(progress.lockers, undone)))
  } catch (error) {
    if (!isActivityError(error)) throw error
    leaveOwn(leaveAll(step.name, shipments, error))
  }
}

/** True while an attempt without a response can still book a second time. */
export function hasLateBookings({ bookings }: LockerState): boolean {
  return Object.values(bookings).some(({ duplicatesUntil }) => duplicatesUntil !== null)
}

/**
 * Finds and cancels duplicate bookings of every step while there can be any. Waits for the next poll while another step
 * books: a search would find its shipment before the flow has the response. Never fails.
 */
export async function cancelLateBookings(flow: PlannedFlow): Promise<void> {
  const { plan, lockers } = flow.progress
  if (flow.work.some(({ step }) => plan.steps[step]?.kind === 'book')) return
  for (const [key, { duplicatesUntil, token = '' }] of Object.entries(lockers.bookings)) {
    const step = plan.steps.find(({ name }) => toEffectKey(token, name) === key)
    if (step?.kind === 'book' && duplicatesUntil) await cancelLateBookingsOf(flow, bookIn(step, token), duplicatesUntil)
  }
}

async function cancelLateBookingsOf(flow: PlannedFlow, step: BookIn, until: number): Promise<void> {
  const { progress, runtime } = flow
  const isLast = runtime.now() >= until
  const knownUids = toKnownUids(flow)
  try {
    const bookings = await activities.findDuplicates(runtime, toBookingInput(flow, step))
    // A younger shipment was booked by another program that uses the same case number. An earlier search finds none, whatever
    // the clock of the service says.
    const isInTime = ({ stateStart }: BookedShipment) =>
      !isLast || (readTime(stateStart) ?? Number.POSITIVE_INFINITY) <= until
    const isDuplicate = (shipment: BookedShipment) => !knownUids.has(shipment.shipmentUid) && isInTime(shipment)
    const duplicates = bookings.flat().filter(isDuplicate)
    if (isLast) changeBooking(progress.lockers, step, { duplicatesUntil: null })
    if (duplicates.length > 0) await cancelDuplicates(flow, step, duplicates)
  } catch (error) {
    if (!isActivityError(error)) throw error
    recordRejection(flow, `the search for duplicate bookings failed: ${toErrorCode(error)}`)
  }
}

/** Cancels duplicate bookings. Those that cannot be cancelled are left over, with the reason. Never fails. */
export async function cancelDuplicates(flow: PlannedFlow, step: BookIn, duplicates: Booking): Promise<void> {
  const leftOver = await undoAll(flow, step, duplicates)
  const left = leftOver.map(each => ({ ...each, reason: toDuplicateReason(each.reason) }))
  leaveDuplicates(flow.progress, left)
}

async function undoAll(flow: PlannedFlow, step: BookIn, duplicates: Booking): Promise<LeftOver[]> {
  try {
    const undone = await activities.undoDuplicates(flow.runtime, toUndoInput(flow, step, duplicates))
    return toLeftOvers(step.name, undone)
  } catch (error) {
    if (!isActivityError(error)) throw error
    return leaveAll(step.name, duplicates, error)
  }
}
