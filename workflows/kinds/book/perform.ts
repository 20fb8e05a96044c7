import type { Booking, BookStepInput } from '#activities/interface'
import type { PlannedBook } from '#flows'
import { bookShipments } from '../../activities.ts'
import { isCancelled, isEnding, isFirstBooking, type PlannedFlow, recordRejection, setBooking } from '../../context.ts'
import { bookingCancelled, bookingGivenUp, flowFailure, toFailureText, toFlowFailure } from '../../failures.ts'
import { bookingDeadline, remainingWindow, toBookingInput, toFailedAttempt } from '../../lockers/bookings.ts'
import { applyBufferedCallbacks } from '../../lockers/callbacks.ts'
import { cancelDuplicates, lastDuplicate, undoUnacknowledged } from '../../lockers/lateBookings.ts'
import { type BookIn, bookIn } from '../../lockers/roles.ts'
import {
  addShipments,
  changeBooking,
  dropShipments,
  noteBookingFailure,
  startBooking,
} from '../../lockers/shipments.ts'
import { type Attempt, type FailedAttempt, type Pending, track, type WorkOutcome } from '../../pending.ts'
import { type FailureText, isLeft } from '../../progress.ts'
import { policyFor } from '../../steps/windows.ts'
import type { Token } from '../../tokens.ts'
import { noteDone } from '../../undoList.ts'

/** Backoff of attempts that Temporal must not retry by itself, in milliseconds. */
const backoff = { initial: 250, maximum: 30_000, summary: 'backoff before the next booking attempt' }

/** Notes the booking before its first attempt. The window of a first step is counted from the start of the flow. */
export function beginBooking({ progress, runtime }: PlannedFlow, step: PlannedBook, token: Token): void {
  const start = runtime.info().startTime.getTime() + (progress.plan.clock?.ahead ?? 0)
  const startedAt = isFirstBooking(progress, token) ? start : runtime.now()
  startBooking(progress.lockers, bookIn(step, token.id), startedAt)
}

/**
 * Books, unless the first attempt has. A business refusal fails with the service's code. Faults are retried within the
 * booking window, then the booking fails with BookingGivenUp. An attempt without a response is left to the undo of the
 * step, or undone at once if the flow goes on without the booking.
 */
export async function work(flow: PlannedFlow, planned: PlannedBook, pending: Pending): Promise<WorkOutcome> {
  const step = bookIn(planned, pending.token.id)
  const { firstAttempt: first } = flow
  flow.firstAttempt = undefined
  if (isCancelled(flow) && first === undefined) return fail(flow, cancelled(true))
  const attempt = await bookAfter(flow, step, pending, first)
  if ('bookings' in attempt) return startWith(flow, pending.token, planned, attempt.bookings)
  const failed = fail(flow, toOutcome(flow, pending, attempt))
  // An adopted booking existed before this flow; never cancel it.
  if (failed.kind !== 'failed' || failed.certain || flow.progress.plan.adopt) return failed
  if (!isTolerated(step, failed.failure)) return failed
  await undoUnacknowledged(flow, step)
  // A cancelled shipment of a step that the flow goes on without must not end the flow.
  dropShipments(flow.progress.lockers, step)
  return { ...failed, certain: true }
}

async function bookAfter(
  flow: PlannedFlow,
  step: BookIn,
  pending: Pending,
  first: Attempt | undefined,
): Promise<Attempt> {
  const input = toBookingInput(flow, step)
  const { idempotent, reads } = input.profile
  const books = idempotent || reads ? bookWithRetries : bookWithoutRetry
  if (first === undefined) return books(flow, step, pending, input)
  if (!('fault' in first) || isCancelled(flow)) return first
  recordRejection(flow, `the first attempt to book failed: ${first.fault}`)
  if (await isStoppedInPause(flow, step, pending, first)) return first
  const later = await books(flow, step, pending, input)
  return 'bookings' in later ? later : { ...later, outcomeUnknown: later.outcomeUnknown || first.outcomeUnknown }
}

/** Waits as long as the service has asked for after the first attempt. True if the work is stopped meanwhile. */
async function isStoppedInPause(
  flow: PlannedFlow,
  step: BookIn,
  pending: Pending,
  { pause = 0 }: { readonly pause?: number | undefined },
): Promise<boolean> {
  const { runtime } = flow
  // A token endpoint that fails asks for less than a second, which is not worth a timer.
  if (pause < 1_000) return false
  const left = Math.max(1, bookingDeadline(flow, step) - runtime.now())
  return runtime.conditionWithin(() => pending.stopRequested, Math.min(pause, left), backoff.summary)
}

/** Stopping the work stops the retries and waits for the running attempt, whose response must not be lost. */
function bookWithRetries(
  flow: PlannedFlow,
  step: BookIn,
  pending: Pending,
  input: BookStepInput,
  maximumAttempts?: number,
): Promise<Attempt> {
  const { idempotent } = input.profile
  const window = remainingWindow(flow, step)
  const activity = bookShipments({ idempotent, window, ...(maximumAttempts !== undefined && { maximumAttempts }) })
  return track(pending, activity.start(flow.runtime, input)).then(bookings => ({ bookings }), toFailedAttempt)
}

/**
 * For a service that has neither reads nor idempotency keys: retries only attempts that certainly had no effect. An
 * attempt without a response is the last one.
 */
async function bookWithoutRetry(
  flow: PlannedFlow,
  step: BookIn,
  pending: Pending,
  input: BookStepInput,
): Promise<Attempt> {
  const end = bookingDeadline(flow, step)
  const { runtime } = flow
  for (let pause = backoff.initial; ; pause = Math.min(2 * pause, backoff.maximum)) {
    const attempt = await bookWithRetries(flow, step, pending, input, 1)
    if (!('fault' in attempt)) return attempt
    if (attempt.outcomeUnknown) return { refusal: bookingUncertain(attempt.fault), outcomeUnknown: true }
    if (runtime.now() + pause >= end) return attempt
    recordRejection(flow, `an attempt to book failed: ${attempt.fault}`)
    const wait = Math.min(Math.max(pause, attempt.pause ?? 0), end - runtime.now())
    if (await runtime.conditionWithin(() => pending.stopRequested, wait, backoff.summary)) return attempt
  }
}

/**
 * Takes over a booking with the current states of its shipments. Keeps the oldest one and cancels the others, which come
 * from attempts without a response. A promise only if there are others.
 */
export function startWith(
  flow: PlannedFlow,
  token: Token,
  planned: PlannedBook,
  [oldest = [], ...duplicates]: Booking[],
): WorkOutcome | Promise<WorkOutcome> {
  const { progress } = flow
  const step = bookIn(planned, token.id)
  changeBooking(progress.lockers, step, {
    booked: true,
    duplicatesUntil: lastDuplicate(progress.plan, flow.runtime.now()),
  })
  addShipments(progress.lockers, oldest)
  // No caller has learned of a booking that comes after the cancellation, or after another branch has ended its scope, so it is
  // undone whatever its kind.
  const isLate = progress.ending !== undefined || isLeft(progress, token.id)
  const stopped = isCancelled(flow) ? fail(flow, cancelled(false)) : isLate ? cancelled(false) : undefined
  const outcome: WorkOutcome = stopped ?? { kind: 'done', output: null }
  if (outcome.kind === 'done') {
    noteDone(progress, token)
    setBooking(flow, 'booked')
  }
  applyBufferedCallbacks(flow)
  if (duplicates.length === 0) return outcome
  return cancelDuplicates(flow, step, duplicates.flat()).then(() => outcome)
}

/** Answers the waiting callers first, before bookings of attempts without a response are searched. */
function fail(flow: PlannedFlow, outcome: WorkOutcome): WorkOutcome {
  // An earlier booking has answered them.
  if (flow.booking !== 'open') return outcome
  const failure = outcome.kind === 'failed' ? toFlowFailure(outcome.failure) : bookingCancelled()
  noteBookingFailure(flow.progress.lockers, toFailureText(failure))
  setBooking(flow, { failure })
  return outcome
}

function toOutcome(flow: PlannedFlow, pending: Pending, attempt: FailedAttempt): WorkOutcome {
  const certain = !attempt.outcomeUnknown
  if ('refusal' in attempt) return { kind: 'failed', failure: attempt.refusal, refused: true, certain }
  if (isEnding(flow, pending)) return cancelled(certain)
  return { kind: 'failed', failure: toFailureText(bookingGivenUp(attempt.fault)), refused: false, certain }
}

function cancelled(certain: boolean): WorkOutcome {
  return { kind: 'stopped', certain }
}

/** A declaration can name the refusals of the operation only, so a fault is never tolerated. */
function isTolerated(step: PlannedBook, { type }: FailureText): boolean {
  return (policyFor(step, type) ?? 'fail') !== 'fail'
}

function bookingUncertain(fault: string): FailureText {
  return toFailureText(flowFailure('BookingUncertain', `The response to the booking was lost: ${fault}.`))
}
