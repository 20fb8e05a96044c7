// An operator can complete an activity by hand, with any result. A wrong one would fail every workflow task of the flow, which
// could then neither go on nor be cancelled. It counts as a failure of its activity instead (D-449).
import type { ApplicationFailure } from '@temporalio/common'
import type { Booking, CleanedShipment, FailedAttempt, ShipmentSnapshot } from '#activities/interface'
import { isRecord } from '#contract/terms'
import { nonRetryable } from './failures.ts'

/** The activity may have taken effect in an attempt whose response is lost. */
const mayHaveEffect: FailedAttempt = { attempt: 1, outcomeUnknown: true }

/** The bookings that an activity has made. @throws ApplicationFailure with InvalidActivityResult, also without any */
export function requireBooked(result: unknown): Booking[] {
  const bookings = requireBookings(result)
  if (bookings.some(({ length }) => length > 0)) return bookings
  throw invalidResult('must have a booking')
}

/** The bookings that a search has found. @throws ApplicationFailure with InvalidActivityResult */
export function requireBookings(result: unknown): Booking[] {
  return requireList(result, booking => Array.isArray(booking) && booking.every(isBooked), 'must be bookings')
}

/** @throws ApplicationFailure with InvalidActivityResult */
export function requireCleaned(result: unknown): CleanedShipment[] {
  return requireList(
    result,
    each => isShipment(each) && isTextOrMissing(each.left),
    'must be shipments with their states',
  )
}

/** @throws ApplicationFailure with InvalidActivityResult */
export function requireSnapshots(result: unknown): ShipmentSnapshot[] {
  return requireList(result, isSnapshot, 'must be shipments with their states')
}

/** The moment that a calendar has, in milliseconds since 1970; the failure of a result that has none. */
export function readMoment(result: unknown): number | ApplicationFailure {
  const moment = isRecord(result) && typeof result.moment === 'string' ? Date.parse(result.moment) : Number.NaN
  return Number.isNaN(moment) ? invalidResult('must have a moment') : moment
}

/** @throws ApplicationFailure with InvalidActivityResult */
export function requireOutputs<Output>(result: Output): Output {
  if (isRecord(result)) return result
  throw invalidResult('must be an object')
}

function requireList<Element>(
  result: unknown,
  isElement: (element: unknown) => boolean,
  requirement: string,
): Element[] {
  if (Array.isArray(result) && result.every(isElement)) return result
  throw invalidResult(requirement)
}

function isShipment(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && typeof value.shipmentUid === 'string' && typeof value.stateCode === 'string'
}

function isSnapshot(value: unknown): value is Record<string, unknown> {
  return isShipment(value) && [value.pupUid, value.lockerName].every(isTextOrMissing)
}

function isBooked(value: unknown): boolean {
  return isSnapshot(value) && typeof value.role === 'string'
}

function isTextOrMissing(value: unknown): boolean {
  return (value ?? '') === String(value ?? '')
}

function invalidResult(requirement: string): ApplicationFailure {
  const message = `The result of the activity ${requirement}. It was completed by hand, or by another worker.`
  return nonRetryable({ type: 'InvalidActivityResult', message, details: [mayHaveEffect] })
}
