import type { BookedShipment, BookStepInput, UndoBookingInput } from '#activities/interface'
import type { ErrorCode } from '#contract/terms'
import { resolve, toAdoption, toStepKey } from '#flows'
import { isAfterReset, type PlannedFlow } from '../context.ts'
import {
  businessErrorIn,
  isActivityError,
  isOutcomeUnknown,
  requestedPauseOf,
  toErrorCode,
  toFailureText,
} from '../failures.ts'
import type { FailedAttempt } from '../pending.ts'
import { type FlowProgress, toValues } from '../progress.ts'
import { toName } from '../scopes.ts'
import type { BookIn } from './roles.ts'
import { bookingOf } from './shipments.ts'

/**
 * The key of the step has booked before, with another request: the flow was reset, and something that its request reads has
 * changed.
 */
export const keyReused = 'IdempotencyKeyReused' satisfies ErrorCode

/** @throws errors that are not an activity's: defects of the workflow */
export function toFailedAttempt(error: unknown): FailedAttempt {
  if (!isActivityError(error)) throw error
  const refusal = businessErrorIn(error)
  const outcomeUnknown = isOutcomeUnknown(error) || refusal?.type === keyReused
  return refusal === undefined
    ? { fault: toErrorCode(error), outcomeUnknown, pause: requestedPauseOf(error) }
    : { refusal: toFailureText(refusal), outcomeUnknown }
}

/** The argument of activities that book for a step, or search its bookings. */
export function toBookingInput({ progress, runtime }: PlannedFlow, step: BookIn): BookStepInput {
  const { caseNo, profile, steps } = progress.plan
  const { name, operation, roles } = step
  const others = progress.lockers.shipments.filter(({ role }) => !roles.some(each => each.name === role))
  const adopt = toAdoption(
    progress.plan,
    steps.findIndex(each => each.name === toName(name)),
  )
  return {
    operation,
    request: toRequest(progress, step),
    roles,
    caseNo,
    profile,
    idempotencyKey: toStepKey({ caseNo, step: name }, runtime.info().firstExecutionRunId),
    since: new Date(bookingOf(progress.lockers, step).startedAt).toISOString(),
    ...(others.length > 0 && { others: others.map(({ shipmentUid }) => shipmentUid) }),
    ...(adopt && { adopt }),
  }
}

/** The argument of activities that undo a booking of this flow. */
export function toUndoInput(flow: PlannedFlow, step: BookIn, shipments: readonly BookedShipment[]): UndoBookingInput {
  const { progress } = flow
  const { caseNo, profile } = progress.plan
  const { ToUserUid: to } = toRequest(progress, step)
  return {
    shipments: [...shipments],
    roles: step.roles,
    caseNo,
    profile,
    toUserUid: typeof to === 'string' ? to : null,
    announced: isAfterReset(flow),
  }
}

/** The request of the step, with the values that its sources have now. */
export function toRequest(progress: FlowProgress, { request, scope }: BookIn): Record<string, unknown> {
  const resolved = resolve(request, toValues(progress, scope))
  return resolved !== null && typeof resolved === 'object' && !Array.isArray(resolved) ? { ...resolved } : {}
}

/** The end of the booking window, in milliseconds since 1970. That of a first step is counted from the start of the flow. */
export function bookingDeadline({ progress }: PlannedFlow, step: BookIn): number {
  return bookingOf(progress.lockers, step).startedAt + step.window
}

/** The rest of the booking window, in milliseconds: at least a second, so that one attempt is made. */
export function remainingWindow(flow: PlannedFlow, step: BookIn): number {
  return Math.max(1_000, bookingDeadline(flow, step) - flow.runtime.now())
}
