import { type ApplicationFailure, workflowInfo } from '@temporalio/workflow'
import type { BookedShipment, Booking, BookShipmentsInput, UndoBookingInput } from '#activities/interface'
import { toIdempotencyKey } from '#flows'
import * as activities from '../activities.ts'
import { isCancelled } from '../cancellation.ts'
import { type FlowContext, type PlannedFlow, startProgress } from '../context.ts'
import { businessErrorIn, isActivityError, isOutcomeUnknown, toErrorCode } from '../failures.ts'

/** The end of an attempt to book. `outcomeUnknown`: it may have booked without a response. */
export type Attempt = { readonly bookings: Booking[] } | FailedAttempt

export type FailedAttempt =
  | { readonly refusal: ApplicationFailure; readonly outcomeUnknown: boolean }
  | { readonly fault: string; readonly outcomeUnknown: boolean }

/** Records everything that the run depends on in its history. Fails with InvalidFlowInput or UnknownFlow. */
export async function planFlow(flow: FlowContext): Promise<void> {
  const { workflowId } = workflowInfo()
  try {
    const plan = await activities.planFlow({ flow: flow.name, workflowId, input: flow.input })
    flow.progress = startProgress(plan, Date.now())
  } catch (error) {
    throw businessErrorIn(error) ?? error
  }
}

/**
 * Plans and books in one activity, since a caller waits for the booking. Undefined without an attempt to book: the flow
 * is cancelled, or the service has no idempotency keys. Any failure shows again in the activities that follow.
 */
export async function planWithFirstAttempt(flow: FlowContext): Promise<Attempt | undefined> {
  if (isCancelled(flow)) return undefined
  const { workflowId, firstExecutionRunId: firstRunId, startTime } = workflowInfo()
  const { name, input } = flow
  const request = { flow: name, workflowId, input, firstRunId, since: startTime.toISOString() }
  return activities.planAndBook(request).then(({ plan, bookings }) => {
    flow.progress = startProgress(plan, Date.now())
    return bookings === null ? undefined : { bookings }
  }, toFailedAttempt)
}

/** @throws errors that are not an activity's: defects of the workflow */
export function toFailedAttempt(error: unknown): FailedAttempt {
  if (!isActivityError(error)) throw error
  const refusal = businessErrorIn(error)
  const outcomeUnknown = isOutcomeUnknown(error)
  return refusal === undefined ? { fault: toErrorCode(error), outcomeUnknown } : { refusal, outcomeUnknown }
}

/** The argument of activities that book for this flow, or search its bookings. */
export function toBookingInput({ progress }: PlannedFlow): BookShipmentsInput {
  const { operation, request, roles, caseNo, profile, adopt } = progress.plan
  const { firstExecutionRunId, startTime } = workflowInfo()
  return {
    operation,
    request,
    roles,
    caseNo,
    profile,
    idempotencyKey: toIdempotencyKey(progress.plan, firstExecutionRunId),
    since: startTime.toISOString(),
    ...(adopt && { adopt }),
  }
}

/** The argument of activities that undo a booking of this flow. */
export function toUndoInput({ progress }: PlannedFlow, shipments: readonly BookedShipment[]): UndoBookingInput {
  const { request, roles, caseNo, profile } = progress.plan
  const { runId, firstExecutionRunId } = workflowInfo()
  const { ToUserUid: to } = request
  return {
    shipments: [...shipments],
    roles,
    caseNo,
    profile,
    toUserUid: typeof to === 'string' ? to : null,
    // A reset repeats the booking of an earlier run, which may have told its callers.
    announced: runId !== firstExecutionRunId,
  }
}

/** The end of the booking window, in milliseconds since 1970. It is counted from the start of the flow. */
export function bookingDeadline({ progress }: PlannedFlow): number {
  return workflowInfo().startTime.getTime() + progress.plan.bookingWindow
}

/** The rest of the booking window, in milliseconds: at least a second, so that one attempt is made. */
export function remainingBookingWindow(flow: PlannedFlow): number {
  return Math.max(1_000, bookingDeadline(flow) - Date.now())
}
