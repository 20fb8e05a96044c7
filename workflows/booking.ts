import {
  ActivityCancellationType,
  type ApplicationFailure,
  CancellationScope,
  condition,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { BookedSet, BookOrder, FlowActivities } from '#activities/interface'
import { publish } from './board.ts'
import { codeOf, finalBehind, flowFailure, isActivityError, maybeDone } from './failures.ts'
import { hear } from './hearing.ts'
import { courseOf, type Run, refuse } from './run.ts'
import { patience, whatIsLeft } from './settling.ts'

/** How an attempt to book ended; `unsure` when it may have come through without an answer. */
type Attempt =
  | { readonly sets: BookedSet[] }
  | { readonly refusal: ApplicationFailure; readonly unsure: boolean }
  | { readonly fault: string; readonly unsure: boolean }

const local = proxyLocalActivities<Pick<FlowActivities, 'book'>>({
  startToCloseTimeout: '2s',
  retry: { maximumAttempts: 1 },
  summary: 'book the lockers, first attempt',
})

const { cancelShipments } = proxyActivities<Pick<FlowActivities, 'cancelShipments'>>({
  ...patience,
  summary: 'cancel what was booked twice',
})

/**
 * Books, and starts the flow from the real states of its shipments. A business refusal fails with the service's
 * code; faults are retried for as long as the booking window allows, then the flow fails with BookingGivenUp.
 * When an attempt may have come through without an answer, the flow finds out before it ends.
 */
export async function book(run: Run): Promise<void> {
  if (run.cancelled) return endUnbooked(run)
  const order = orderOf(run)
  const attempt = await attempts(run, order)
  if ('sets' in attempt) await hold(run, attempt.sets)
  else await endWithout(run, order, attempt)
}

async function attempts(run: Run, order: BookOrder): Promise<Attempt> {
  if (!order.profile.idempotent) return patientAttempt(run, order)
  const quick = await outcome(() => local.book(order))
  if (!('fault' in quick) || run.cancelled) return quick
  refuse(run, `the first attempt to book failed: ${quick.fault}`)
  publish(run)
  const later = await patientAttempt(run, order)
  return 'sets' in later ? later : { ...later, unsure: later.unsure || quick.unsure }
}

/**
 * The ordinary activity. Cancelling the flow stops its retries but waits for an attempt under way: dropping the
 * answer of a create would leak a locker.
 */
async function patientAttempt(run: Run, order: BookOrder): Promise<Attempt> {
  const window = workflowInfo().startTime.getTime() + courseOf(run).plan.bookingWindow - Date.now()
  const { book } = proxyActivities<Pick<FlowActivities, 'book'>>({
    ...patience,
    scheduleToCloseTimeout: Math.max(1_000, window),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary: 'book the lockers',
  })
  const scope = new CancellationScope()
  let ended = false
  const watch = condition(() => run.cancelled || ended).then(() => {
    if (!ended) scope.cancel()
  })
  const attempt = await outcome(() => scope.run(() => book(order)))
  ended = true
  await watch
  return attempt
}

async function outcome(attempt: () => Promise<BookedSet[]>): Promise<Attempt> {
  try {
    return { sets: await attempt() }
  } catch (error) {
    if (!isActivityError(error)) throw error
    const refusal = finalBehind(error)
    const unsure = maybeDone(error)
    return refusal === undefined ? { fault: codeOf(error), unsure } : { refusal, unsure }
  }
}

/** The flow holds the oldest booking; a surplus, from an attempt that came through without an answer, is cancelled. */
async function hold(run: Run, [oldest = [], ...surplus]: BookedSet[]): Promise<void> {
  const course = courseOf(run)
  course.shipments = oldest.map(shipment => ({ ...shipment }))
  course.deadline = null
  if (run.cancelled) endUnbooked(run)
  else run.booking = 'booked'
  for (const status of run.early) hear(run, status)
  run.early = []
  if (surplus.length > 0) await cancelShipments({ shipments: surplus.flat(), profile: course.plan.profile })
}

/** Tells whoever waits, and then takes hold of what may have been booked all the same, so that it is cleaned up. */
async function endWithout(run: Run, order: BookOrder, attempt: Exclude<Attempt, { sets: unknown }>): Promise<void> {
  courseOf(run).deadline = null
  const failure =
    'refusal' in attempt
      ? attempt.refusal
      : flowFailure('BookingGivenUp', `No answer within the booking window: ${attempt.fault}.`)
  if (run.cancelled && 'fault' in attempt) endUnbooked(run)
  else run.booking = { failure }
  // What was to be taken over was there before: nothing of it is this attempt's to cancel.
  if (!attempt.unsure || order.adopt) return
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
  run.booking = { failure: flowFailure('BookingCancelled', 'The flow was cancelled before it was booked.') }
}

function orderOf(run: Run): BookOrder {
  const { plan } = courseOf(run)
  const { firstExecutionRunId, startTime } = workflowInfo()
  return {
    operation: plan.operation,
    request: plan.request,
    roles: plan.roles,
    caseNo: plan.caseNo,
    profile: plan.profile,
    // The API client hashes what a header cannot carry.
    idempotencyKey: `${plan.caseNo}:${firstExecutionRunId}:${plan.operation}`,
    since: startTime.toISOString(),
    ...(plan.adopt && { adopt: plan.adopt }),
  }
}
