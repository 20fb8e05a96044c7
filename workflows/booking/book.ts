import { type ApplicationFailure, condition } from '@temporalio/workflow'
import type { Booking, BookShipmentsInput } from '#activities/interface'
import { bookShipments } from '../activities.ts'
import { cancelledWithFlow, isCancelled } from '../cancellation.ts'
import { type PlannedFlow, recordRejection, setBooking, setState } from '../context.ts'
import { bookingCancelled, bookingGivenUp, flowFailure, isActivityError, toErrorCode } from '../failures.ts'
import { applyBufferedCallbacks } from '../stages/callbacks.ts'
import { publishVisibility, updateCurrentDetails } from '../visibility/currentDetails.ts'
import { cancelDuplicates, findUnacknowledgedBookings, lastDuplicate } from './lateBookings.ts'
import {
  type Attempt,
  bookingDeadline,
  type FailedAttempt,
  remainingBookingWindow,
  toBookingInput,
  toFailedAttempt,
} from './plan.ts'

/** Backoff of attempts that Temporal must not retry by itself, in milliseconds. */
const backoff = { initial: 250, maximum: 30_000, summary: 'backoff before the next booking attempt' }

/**
 * Books, unless the first attempt has, and starts the flow with the current states of its shipments. A business refusal
 * fails with the service's code. Faults are retried within the booking window, then the booking fails with
 * BookingGivenUp. After an attempt without a response the flow finds out whether it has booked.
 * @param first undefined without an attempt so far
 */
export async function book(flow: PlannedFlow, first: Attempt | undefined): Promise<void> {
  if (isCancelled(flow) && first === undefined) {
    setBooking(flow, { failure: bookingCancelled() })
    return
  }
  const attempt = await bookAfter(flow, first)
  if ('bookings' in attempt) await startWith(flow, attempt.bookings)
  else await failBooking(flow, attempt)
}

async function bookAfter(flow: PlannedFlow, first: Attempt | undefined): Promise<Attempt> {
  const input = toBookingInput(flow)
  if (first === undefined) {
    // Booking can take as long as its window.
    updateCurrentDetails(flow)
    const { idempotent, reads } = input.profile
    return idempotent || reads ? bookWithRetries(flow, input) : bookWithoutRetry(flow, input)
  }
  if (!('fault' in first) || isCancelled(flow)) return first
  recordRejection(flow, `the first attempt to book failed: ${first.fault}`)
  publishVisibility(flow)
  const later = await bookWithRetries(flow, input)
  return 'bookings' in later ? later : { ...later, outcomeUnknown: later.outcomeUnknown || first.outcomeUnknown }
}

/** Cancelling the flow stops the retries and waits for the running attempt, whose response must not be lost. */
function bookWithRetries(flow: PlannedFlow, input: BookShipmentsInput, maximumAttempts?: number): Promise<Attempt> {
  const { idempotent } = input.profile
  const window = remainingBookingWindow(flow)
  const run = bookShipments({ idempotent, window, ...(maximumAttempts !== undefined && { maximumAttempts }) })
  return cancelledWithFlow(flow, () => run(input)).then(bookings => ({ bookings }), toFailedAttempt)
}

/**
 * For a service that has neither reads nor idempotency keys: retries only attempts that certainly had no effect. An
 * attempt without a response is the last one.
 */
async function bookWithoutRetry(flow: PlannedFlow, input: BookShipmentsInput): Promise<Attempt> {
  const end = bookingDeadline(flow)
  for (let pause = backoff.initial; ; pause = Math.min(2 * pause, backoff.maximum)) {
    const attempt = await bookWithRetries(flow, input, 1)
    if (!('fault' in attempt)) return attempt
    if (attempt.outcomeUnknown) return { refusal: bookingUncertain(attempt.fault), outcomeUnknown: true }
    if (Date.now() + pause >= end) return attempt
    if (await condition(() => isCancelled(flow), pause, { summary: backoff.summary })) return attempt
  }
}

/** Keeps the oldest booking and cancels the others, which come from attempts without a response. */
async function startWith(flow: PlannedFlow, [oldest = [], ...duplicates]: Booking[]): Promise<void> {
  const { progress } = flow
  const { plan } = progress
  progress.shipments = oldest.map(shipment => ({ ...shipment }))
  progress.deadline = null
  progress.duplicatesUntil = lastDuplicate(plan)
  setBooking(flow, isCancelled(flow) ? { failure: bookingCancelled() } : 'booked')
  applyBufferedCallbacks(flow)
  if (duplicates.length > 0) await cancelDuplicates(flow, duplicates.flat())
}

/** Answers the waiting callers first, and then finds bookings of attempts without a response for the clean-up. */
async function failBooking(flow: PlannedFlow, attempt: FailedAttempt): Promise<void> {
  flow.progress.deadline = null
  setBooking(flow, { failure: toFailure(flow, attempt) })
  // An adopted booking existed before this flow; never cancel it.
  if (attempt.outcomeUnknown && !flow.progress.plan.adopt) await findForCleanUp(flow)
}

function toFailure(flow: PlannedFlow, attempt: FailedAttempt): ApplicationFailure {
  if ('refusal' in attempt) return attempt.refusal
  if (isCancelled(flow)) return bookingCancelled()
  return bookingGivenUp(attempt.fault)
}

async function findForCleanUp(flow: PlannedFlow): Promise<void> {
  const { progress } = flow
  setState(flow, 'cleaningUp')
  publishVisibility(flow)
  try {
    const { bookings, lateUntil, unknown } = await findUnacknowledgedBookings(flow)
    progress.shipments = bookings.flat().map(shipment => ({ ...shipment }))
    progress.duplicatesUntil = lateUntil
    flow.leftOver = unknown
  } catch (error) {
    if (!isActivityError(error)) throw error
    recordRejection(flow, `the search for bookings without a response failed: ${toErrorCode(error)}`)
  }
}

function bookingUncertain(fault: string): ApplicationFailure {
  return flowFailure('BookingUncertain', `The response to the booking was lost: ${fault}.`)
}
