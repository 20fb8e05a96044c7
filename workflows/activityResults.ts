// An operator can complete an activity by hand, with any result. A wrong one would fail every workflow task of the flow, which
// could then neither go on nor be cancelled. It counts as a failure of its activity instead (D-449).
import type { ApplicationFailure } from '@temporalio/common'
import type { FailedAttempt, FlowActivities } from '#activities/interface'
import { isRecord } from '#contract/terms'
import { nonRetryable } from './failures.ts'

interface Form {
  readonly is: (result: unknown) => boolean
  /** Completes the sentence "The result of the activity". */
  readonly requirement: string
}

const plan: Form = { is: isPlan, requirement: 'must be a plan' }
const booking: Form = { is: isBooking, requirement: 'must be a booking' }
const shipments: Form = { is: listOf(isShipment), requirement: 'must be shipments with their states' }

/** The forms of results that a flow reads. A field that it only hands on can be wrong. */
const forms: { readonly [Name in keyof FlowActivities]?: Form } = {
  planFlow: plan,
  planAndBook: { is: isPlannedBooking, requirement: 'must be a plan, and a booking or null' },
  bookShipments: booking,
  findBookings: { is: listOf(listOf(isBooked)), requirement: 'must be bookings' },
  undoBooking: shipments,
  cancelShipments: shipments,
  cancelKeptBooking: { is: isShipment, requirement: 'must be a shipment with its state' },
  readShipments: shipments,
  assignReceiver: { is: isShipmentOrNull, requirement: 'must be a shipment with its state, or null' },
  callOperation: { is: isRecord, requirement: 'must be an object' },
  resolveMoment: { is: isMoment, requirement: 'must have a moment' },
}

/** The activity may have taken effect in an attempt whose response is lost. */
const mayHaveEffect: FailedAttempt = { attempt: 1, outcomeUnknown: true }

/** Returns the result of an activity. @throws ApplicationFailure with InvalidActivityResult if it has another form */
export function requireForm<Result>(name: keyof FlowActivities, result: Result): Result {
  const form = forms[name]
  if (form === undefined || form.is(result)) return result
  throw invalidResult(form.requirement)
}

function invalidResult(requirement: string): ApplicationFailure {
  const message = `The result of the activity ${requirement}. It was completed by hand, or by another worker.`
  return nonRetryable({ type: 'InvalidActivityResult', message, details: [mayHaveEffect] })
}

/** Plans of another form are the subject of `requireKnown`. */
function isPlan(value: unknown): boolean {
  return isRecord(value) && typeof value.version === 'number'
}

function isPlannedBooking(value: unknown): boolean {
  return isRecord(value) && isPlan(value.plan) && (value.bookings === null || isBooking(value.bookings))
}

/** A booking has a shipment, and others come from attempts without a response. */
function isBooking(value: unknown): boolean {
  return Array.isArray(value) && value.every(listOf(isBooked)) && value.some(({ length }) => length > 0)
}

function isBooked(value: unknown): boolean {
  return isShipment(value) && typeof value.role === 'string'
}

function isShipmentOrNull(value: unknown): boolean {
  return value === null || isShipment(value)
}

function isShipment(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value) || typeof value.shipmentUid !== 'string' || typeof value.stateCode !== 'string') return false
  return [value.pupUid, value.lockerName, value.left].every(isTextOrMissing)
}

function isMoment(value: unknown): boolean {
  return isRecord(value) && typeof value.moment === 'string' && !Number.isNaN(Date.parse(value.moment))
}

function isTextOrMissing(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string'
}

function listOf(isElement: (value: unknown) => boolean): (value: unknown) => boolean {
  return value => Array.isArray(value) && value.every(isElement)
}
