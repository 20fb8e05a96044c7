import {
  ActivityCancellationType,
  CancellationScope,
  condition,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { BookedShipment, BookOrder, FlowActivities } from '#activities/interface'
import { flowFailure, isActivityError, reasonOf, refusalBehind } from './failures.ts'
import { hear } from './hearing.ts'
import { courseOf, type Run, refuse } from './run.ts'

/** A create whose answer is late may commit after the first look; so there is a second one, this much later. */
const lateAnswer = '5s'

type Attempt = { readonly booked: BookedShipment[] } | { readonly fault: unknown }

const local = proxyLocalActivities<Pick<FlowActivities, 'book'>>({
  startToCloseTimeout: '2s',
  retry: { maximumAttempts: 1 },
  summary: 'book the lockers, first attempt',
})

const { findBooked } = proxyActivities<Pick<FlowActivities, 'findBooked'>>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '250ms', maximumInterval: '1m' },
  summary: 'look for what the booking left behind',
})

/**
 * Books, and starts the flow from the real states of its shipments. A business refusal fails with the service's
 * code; faults are retried for as long as the booking window allows, then the flow fails with BookingGivenUp.
 * A flow that is cancelled or gives up without an answer first looks for what may have been booked all the same.
 */
export async function book(run: Run): Promise<void> {
  if (run.cancelled) {
    run.booking = { failure: notBooked() }
    return
  }
  const order = orderOf(run)
  const attempt = await attempts(run, order)
  const shipments = 'booked' in attempt ? attempt.booked : await whatIsLeft(order)
  const course = courseOf(run)
  course.shipments = shipments.map(shipment => ({ ...shipment }))
  course.deadline = null
  if ('fault' in attempt && !run.cancelled) {
    throw flowFailure('BookingGivenUp', `No answer within the booking window. ${reasonOf(attempt.fault)}`)
  }
  if (shipments.length === 0) {
    run.booking = { failure: notBooked() }
    return
  }
  run.booking = 'booked'
  for (const status of run.early) hear(run, status)
  run.early = []
}

function notBooked() {
  return flowFailure('BookingCancelled', 'The flow was cancelled before it was booked.')
}

async function attempts(run: Run, order: BookOrder): Promise<Attempt> {
  if (order.profile.idempotent) {
    const quick = await outcome(local.book(order))
    if ('booked' in quick || run.cancelled) return quick
    refuse(run, `the first attempt to book failed: ${reasonOf(quick.fault)}`)
  }
  return patientAttempt(run, order)
}

/**
 * The ordinary activity. Cancelling the flow stops its retries but waits for an attempt under way: dropping the
 * answer of a create would leak a locker.
 */
async function patientAttempt(run: Run, order: BookOrder): Promise<Attempt> {
  const { plan } = courseOf(run)
  const window = workflowInfo().startTime.getTime() + plan.bookingWindow - Date.now()
  const { book } = proxyActivities<Pick<FlowActivities, 'book'>>({
    startToCloseTimeout: '30s',
    scheduleToCloseTimeout: Math.max(1_000, window),
    retry: { initialInterval: '250ms', maximumInterval: '30s' },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary: 'book the lockers',
  })
  const scope = new CancellationScope()
  let ended = false
  const watch = condition(() => run.cancelled || ended).then(() => {
    if (!ended) scope.cancel()
  })
  const attempt = await outcome(scope.run(() => book(order)))
  ended = true
  await watch
  return attempt
}

/** A refusal is thrown; a fault, or an end without an answer, is told. */
async function outcome(booking: Promise<BookedShipment[]>): Promise<Attempt> {
  try {
    return { booked: await booking }
  } catch (error) {
    const refusal = refusalBehind(error)
    if (refusal !== undefined) throw refusal
    if (!isActivityError(error)) throw error
    return { fault: error }
  }
}

async function whatIsLeft(order: BookOrder): Promise<BookedShipment[]> {
  if (!order.profile.reads) return []
  const found = await findBooked(order)
  if (found.length > 0) return found
  await sleep(lateAnswer, { summary: 'wait for a late answer to the booking' })
  return findBooked(order)
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
    // A header takes ASCII only; the run id is what makes the key unique.
    idempotencyKey: `${encodeURIComponent(plan.caseNo).slice(0, 100)}:${firstExecutionRunId}:${plan.operation}`,
    since: startTime.toISOString(),
  }
}
