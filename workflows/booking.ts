import {
  ActivityCancellationType,
  type ActivityOptions,
  type ApplicationFailure,
  CancellationScope,
  condition,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { BookedSet, BookOrder, FlowActivities } from '#activities/interface'
import { publish, show } from './board.ts'
import { codeOf, finalBehind, flowFailure, isActivityError, maybeDone } from './failures.ts'
import { hear } from './hearing.ts'
import { orderOf } from './order.ts'
import { courseOf, isCancelled, type Run, refuse, settleBooking } from './run.ts'
import { patience, whatIsLeft } from './settling.ts'
import { giveBack, surplusUntil } from './surplus.ts'

/** How an attempt to book ended; `unsure` when it may have come through without an answer. */
export type Attempt =
  | { readonly sets: BookedSet[] }
  | { readonly refusal: ApplicationFailure; readonly unsure: boolean }
  | { readonly fault: string; readonly unsure: boolean }

/**
 * Of a create that cannot be repeated: an attempt takes longer than our client waits for it, so that it is over before the
 * next one looks what there is; unless its worker is lost, which its heartbeats tell.
 */
const unrepeatable: ActivityOptions = { startToCloseTimeout: '6m', heartbeatTimeout: '30s' }

/** Milliseconds between attempts that Temporal does not repeat by itself. */
const [firstPause, longestPause] = [250, 30_000]
const again = { summary: 'until the lockers are tried to be booked again' }

/**
 * Books, when the first attempt has not, and starts the flow from the real states of its shipments. A business refusal
 * fails with the service's code; faults are retried for as long as the booking window allows, then the flow fails with
 * BookingGivenUp. When an attempt may have come through without an answer, the flow finds out before it ends.
 * @param first undefined when nothing was tried: the flow was cancelled before, or the service knows no keys
 */
export async function book(run: Run, first: Attempt | undefined): Promise<void> {
  const order = orderOf(run)
  if (isCancelled(run) && first === undefined) return endUnbooked(run)
  const attempt = first !== undefined && 'sets' in first ? first : await attempts(run, order, first)
  if (!('sets' in attempt)) return endWithout(run, order, attempt)
  const surplus = hold(run, attempt.sets)
  if (surplus.length > 0) await giveBack(run, surplus)
}

async function attempts(run: Run, order: BookOrder, first: Attempt | undefined): Promise<Attempt> {
  if (first === undefined) {
    // A booking can take as long as its window; until then nothing else is shown.
    show(run)
    const { idempotent, reads } = order.profile
    return idempotent || reads ? patientAttempt(run, order) : blindAttempts(run, order)
  }
  if (!('fault' in first) || isCancelled(run)) return first
  refuse(run, `the first attempt to book failed: ${first.fault}`)
  publish(run)
  const later = await patientAttempt(run, order)
  return 'sets' in later ? later : { ...later, unsure: later.unsure || first.unsure }
}

/**
 * Tried again for as long as the window allows. Cancelling the flow stops the retries but waits for an attempt under way:
 * dropping the answer of a create would leak a locker.
 */
async function patientAttempt(run: Run, order: BookOrder, maximumAttempts?: number): Promise<Attempt> {
  const window = workflowInfo().startTime.getTime() + courseOf(run).plan.bookingWindow - Date.now()
  const { book } = proxyActivities<Pick<FlowActivities, 'book'>>({
    ...patience,
    ...(!order.profile.idempotent && unrepeatable),
    ...(maximumAttempts && { retry: { maximumAttempts } }),
    scheduleToCloseTimeout: Math.max(1_000, window),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary: 'book the lockers',
  })
  const scope = new CancellationScope()
  let ended = false
  const watch = condition(() => isCancelled(run) || ended).then(() => {
    if (!ended) scope.cancel()
  })
  const attempt = await scope.run(() => book(order)).then(sets => ({ sets }), failedAttempt)
  ended = true
  await watch
  return attempt
}

/**
 * For a service that can neither be asked nor told a key: only what surely was not done is tried again, and an attempt
 * without an answer is the last.
 */
async function blindAttempts(run: Run, order: BookOrder): Promise<Attempt> {
  const end = workflowInfo().startTime.getTime() + courseOf(run).plan.bookingWindow
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    const attempt = await patientAttempt(run, order, 1)
    if (!('fault' in attempt)) return attempt
    if (attempt.unsure) return { refusal: uncertain(attempt.fault), unsure: true }
    if (Date.now() + pause >= end || (await condition(() => isCancelled(run), pause, again))) return attempt
  }
}

function uncertain(fault: string): ApplicationFailure {
  return flowFailure('BookingUncertain', `The answer to the booking was lost: ${fault}.`)
}

/** What an activity that failed means for the booking. A failure of another kind is a defect, and thrown. */
export function failedAttempt(error: unknown): Exclude<Attempt, { sets: unknown }> {
  if (!isActivityError(error)) throw error
  const refusal = finalBehind(error)
  const unsure = maybeDone(error)
  return refusal === undefined ? { fault: codeOf(error), unsure } : { refusal, unsure }
}

/** The flow holds the oldest booking; answers the surplus, from an attempt that came through without an answer. */
function hold(run: Run, [oldest = [], ...surplus]: BookedSet[]): BookedSet {
  const course = courseOf(run)
  course.shipments = oldest.map(shipment => ({ ...shipment }))
  course.deadline = null
  course.surplusUntil = surplusUntil(course.plan.profile, course.plan.adopt === true)
  if (isCancelled(run)) endUnbooked(run)
  else settleBooking(run, 'booked')
  for (const status of run.early) hear(run, status)
  run.early = []
  return surplus.flat()
}

/** Tells whoever waits, and then takes hold of what may have been booked all the same, so that it is cleaned up. */
async function endWithout(run: Run, order: BookOrder, attempt: Exclude<Attempt, { sets: unknown }>): Promise<void> {
  courseOf(run).deadline = null
  const failure =
    'refusal' in attempt
      ? attempt.refusal
      : flowFailure('BookingGivenUp', `No answer within the booking window: ${attempt.fault}.`)
  if (isCancelled(run) && 'fault' in attempt) endUnbooked(run)
  else settleBooking(run, { failure })
  // What was to be taken over was there before: nothing of it is this attempt's to cancel.
  if (attempt.unsure && !order.adopt) await takeHold(run, order)
}

async function takeHold(run: Run, order: BookOrder): Promise<void> {
  run.state = 'cleaningUp'
  publish(run)
  try {
    courseOf(run).shipments = (await whatIsLeft(order)).flat().map(shipment => ({ ...shipment }))
  } catch (error) {
    if (!isActivityError(error)) throw error
    refuse(run, `looking for what may have been booked ended with ${codeOf(error)}`)
  }
}

function endUnbooked(run: Run): void {
  const failure = flowFailure('BookingCancelled', 'The flow was cancelled before it was booked.')
  settleBooking(run, { failure })
}
