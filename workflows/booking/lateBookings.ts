import {
  ChildWorkflowCancellationType,
  condition,
  ParentClosePolicy,
  sleep,
  startChild,
  uuid4,
} from '@temporalio/workflow'
import type { BookedShipment, Booking } from '#activities/interface'
import { readTime } from '#contract/terms'
import { type LeftOver, leftOverReasons, type Plan, toDuplicateReason, toExistingShipmentUid } from '#flows'
import * as activities from '../activities.ts'
import { type PlannedFlow, recordRejection } from '../context.ts'
import { isActivityError, toErrorCode } from '../failures.ts'
import { leaveAll, toLeftOvers } from '../leftOvers.ts'
import type { sweep } from '../sweep.ts'
import { toBookingInput, toUndoInput } from './plan.ts'

/** For plans of earlier builds; milliseconds. */
const defaultCreateDelay = 6 * 60_000

/** Milliseconds before the second search for a late create, doubled each time. */
const firstPause = 5_000

/** The longest attempt of a search, in milliseconds. Its activity may end this much later than it has read. */
const longestSearch = 30_000

const pauseSummary = 'pause before the next search for a late booking'
const waitSummary = 'until no create can be late, or a callback reports one'

export interface UnacknowledgedBookings {
  readonly bookings: Booking[]
  /** The moment until which another create can still book; null when none can. */
  readonly lateUntil: number | null
  /** A stock shipment that may have been issued, at a service that cannot be read. */
  readonly unknown: LeftOver[]
}

/**
 * Finds the bookings of attempts without a response. Reading comes first. Then, with an idempotency key, the same create
 * is sent again, unless none can be late any more: its response is the truth even while the first one is under way, and
 * the clean-up undoes what it books. Issuing an item from stock cannot be undone, so these flows wait for the outcome
 * instead, as all flows do without keys.
 */
export async function findUnacknowledgedBookings(flow: PlannedFlow): Promise<UnacknowledgedBookings> {
  const { plan } = flow.progress
  const { profile, roles } = plan
  const input = toBookingInput(flow)
  const repeats = profile.idempotent && !roles.some(({ existing }) => existing)
  const repeat = async () => ({ bookings: await activities.repeatBooking(input), lateUntil: null, unknown: [] })
  if (!profile.reads) {
    // A callback of the case proves that the create took effect.
    const isBooked = () =>
      condition(() => flow.bufferedCallbacks.length > 0, toCreateDelay(plan), { summary: waitSummary })
    if (repeats || (profile.idempotent && (await isBooked()))) return repeat()
    return { bookings: [], lateUntil: null, unknown: toUnknown(plan) }
  }
  const until = Date.now() + toCreateDelay(plan)
  for (let pause = firstPause; ; pause *= 2) {
    const searchedAt = Date.now()
    const bookings = await activities.findUnacknowledged(input)
    const isConclusive = Math.max(searchedAt, Date.now() - longestSearch) >= until
    // Another run of the case may have booked what was found: only the response to the key tells.
    if (repeats && !(isConclusive && bookings.length === 0)) return repeat()
    if (bookings.length > 0) return { bookings, lateUntil: profile.idempotent ? null : until, unknown: [] }
    if (isConclusive) return { bookings, lateUntil: null, unknown: [] }
    await sleep(Math.min(pause, Math.max(1, until - Date.now())), { summary: pauseSummary })
  }
}

function toUnknown({ roles, request }: Plan): LeftOver[] {
  if (!roles.some(({ existing }) => existing)) return []
  return [{ shipmentUid: toExistingShipmentUid({ request }), reason: leftOverReasons.unknownBooking }]
}

function toCreateDelay({ createDelay = defaultCreateDelay }: Plan): number {
  return createDelay
}

/**
 * The moment until which an attempt without a response can book a second time. Null with an idempotency key, which makes
 * it the same booking, for a service that cannot be read, and for an adopted booking.
 */
export function lastDuplicate(plan: Plan): number | null {
  const { idempotent, reads } = plan.profile
  return idempotent || !reads || plan.adopt ? null : Date.now() + toCreateDelay(plan)
}

/** Finds and cancels duplicate bookings while there can be any. Never fails. */
export async function cancelLateBookings(flow: PlannedFlow): Promise<void> {
  const { progress } = flow
  const until = progress.duplicatesUntil
  if (!until) return
  if (Date.now() >= until) progress.duplicatesUntil = null
  const knownUids = new Set(
    [...progress.shipments, ...(progress.duplicatesLeft ?? [])].map(({ shipmentUid }) => shipmentUid),
  )
  try {
    const bookings = await activities.findDuplicates(toBookingInput(flow))
    // A younger shipment was booked by another program that uses the same case number.
    const isDuplicate = (shipment: BookedShipment) =>
      !knownUids.has(shipment.shipmentUid) && (readTime(shipment.stateStart) ?? Number.POSITIVE_INFINITY) <= until
    const duplicates = bookings.flat().filter(isDuplicate)
    if (duplicates.length > 0) await cancelDuplicates(flow, duplicates)
  } catch (error) {
    if (!isActivityError(error)) throw error
    recordRejection(flow, `the search for duplicate bookings failed: ${toErrorCode(error)}`)
  }
}

/**
 * Leaves a sweep of the case behind while a create can still be late: the flow itself does not wait for it. Never fails.
 */
export async function sweepLateBookings(flow: PlannedFlow): Promise<void> {
  const { plan, duplicatesUntil, duplicatesLeft = [], shipments } = flow.progress
  const delay = (duplicatesUntil ?? 0) - Date.now()
  if (delay <= 0) return
  const { caseNo } = plan
  const known = [...shipments, ...duplicatesLeft].map(({ shipmentUid }) => shipmentUid)
  try {
    await startChild<typeof sweep>('sweep', {
      workflowId: `late-bookings:${caseNo}:${uuid4()}`,
      args: [{ act: 'cancel', olderThan: 0, caseNo, late: { delay, known } }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
      staticSummary: `late bookings of ${caseNo}`,
    })
  } catch (error) {
    if (!isActivityError(error)) throw error
    recordRejection(flow, `the sweep for late bookings could not be started: ${toErrorCode(error)}`)
  }
}

/** Cancels duplicate bookings. Those that cannot be cancelled are left over, with the reason. Never fails. */
export async function cancelDuplicates(flow: PlannedFlow, duplicates: Booking): Promise<void> {
  const { progress } = flow
  const leftOver = await undoAll(flow, duplicates)
  progress.duplicatesLeft = [
    ...(progress.duplicatesLeft ?? []),
    ...leftOver.map(({ shipmentUid, reason }) => ({ shipmentUid, reason: toDuplicateReason(reason) })),
  ]
}

async function undoAll(flow: PlannedFlow, duplicates: Booking): Promise<LeftOver[]> {
  try {
    return toLeftOvers(await activities.undoDuplicates(toUndoInput(flow, duplicates)))
  } catch (error) {
    if (!isActivityError(error)) throw error
    return leaveAll(duplicates, error)
  }
}
