import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  RetryState,
  ServerFailure,
  TemporalFailure,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common'
import type { AnsweredRequest, FailedAttempt } from '#activities/interface'
import { type ErrorCode, withReference } from '#contract/terms'
import type { FailureText } from './progress.ts'

const timedOut: ErrorCode = 'NoResponse'
const givenUp: ErrorCode = 'RunGivenUp'

/**
 * Characters. An activity can fail with a text of any length, and a list can have thousands of faults. Every caller that waits
 * gets the failure in one response, and Temporal repeats the workflow task forever if it has more than four megabytes.
 */
const longest = { message: 4_000, code: 200 } as const

interface FailureDetails {
  readonly message: string
  readonly type?: string
  readonly details?: unknown[]
}

/** A failure of the flow itself. Its type is a code of the error table. */
export function flowFailure(code: ErrorCode, message: string): ApplicationFailure {
  return nonRetryable({ type: code, message })
}

/** The failure of a flow that was cancelled before its booking. */
export function bookingCancelled(): ApplicationFailure {
  return flowFailure('BookingCancelled', 'The flow was cancelled before it was booked.')
}

/** The failure of a flow whose booking window has passed. */
export function bookingGivenUp(fault: string): ApplicationFailure {
  return flowFailure('BookingGivenUp', `No response within the booking window: ${fault}.`)
}

/** The failure of a flow whose call step had no response within its window. */
export function callGivenUp(fault: string): ApplicationFailure {
  return flowFailure('CallGivenUp', `No response within the window of the step: ${fault}.`)
}

/**
 * The failure of a flow whose run step had no successful attempt: within its window, in the attempts of its retry policy, or
 * because a failure without a type is not retryable.
 */
export function runGivenUp(error: unknown, taskQueue = 'of the flows'): ApplicationFailure {
  return flowFailure('RunGivenUp', `No successful attempt ${endOfAttempts(error)}: ${lastAttempt(error, taskQueue)}.`)
}

function endOfAttempts(error: unknown): string {
  const cause = toCause(error)
  if (cause instanceof ApplicationFailure && cause.nonRetryable)
    return 'before a failure that is not retryable and has no type'
  if (cause instanceof ServerFailure) return 'before one whose result or heartbeat Temporal refused'
  if (error instanceof ActivityFailure && error.cause instanceof ServerFailure)
    return 'before a failure of over two megabytes'
  const isLast = error instanceof ActivityFailure && error.retryState === RetryState.MAXIMUM_ATTEMPTS_REACHED
  return isLast ? 'in the attempts that its retry policy allows' : 'within the window of the step'
}

/** The reason in a sentence without its stop. The activity of a team writes its own message, which may be shown. */
function lastAttempt(error: unknown, taskQueue: string): string {
  const cause = toCause(error)
  if (!(cause instanceof TimeoutFailure)) {
    const isSaid = cause instanceof ApplicationFailure || cause instanceof ServerFailure
    if (!isSaid || !cause.message) return toErrorCode(error)
    const text = cause.message.replace(/\.$/, '')
    return 'type' in cause && cause.type ? `${cause.type}: ${text}` : text
  }
  if (cause.timeoutType === TimeoutType.SCHEDULE_TO_START) return `no worker took it from the task queue ${taskQueue}`
  if (cause.timeoutType === TimeoutType.HEARTBEAT) return 'the last attempt sent no heartbeat in time'
  if (cause.timeoutType === TimeoutType.START_TO_CLOSE) return 'the last attempt exceeded the timeout of the step'
  return cause.cause === undefined ? 'the last attempt had not ended' : lastAttempt(cause.cause, taskQueue)
}

/** The failure as data, for the progress of the flow. */
export function toFailureText(failure: ApplicationFailure): FailureText {
  return { type: failure.type ?? 'InternalError', message: failure.message, ...requestOf(failure) }
}

/** The failure of the flow from its progress. */
export function toFlowFailure({ type, message, requestId }: FailureText): ApplicationFailure {
  return nonRetryable({ type, message, ...(requestId !== undefined && { details: [{ requestId }] }) })
}

/** The request of the service in the details of a failure. Own activities choose other details. */
export function requestOf({ details }: ApplicationFailure): AnsweredRequest {
  const [first] = (details ?? []) as [AnsweredRequest?]
  return typeof first?.requestId === 'string' ? { requestId: first.requestId } : {}
}

/** An expected failure: it stays out of the worker's error log, and its stack is dropped because it tells callers nothing. */
export function nonRetryable(details: FailureDetails): ApplicationFailure {
  const type = cut(details.type ?? '', longest.code)
  const message = withReference(type, cut(details.message, longest.message))
  const options = { message, nonRetryable: true, category: 'BENIGN' } as const
  const failure = ApplicationFailure.create({ ...details, ...options, ...(type && { type }) })
  failure.stack = ''
  return failure
}

/** The business error of a failed activity, as the flow's own failure; undefined for a fault, which is retried. */
export function businessErrorIn(error: unknown): ApplicationFailure | undefined {
  const cause = toCause(error)
  if (!(cause instanceof ApplicationFailure) || !cause.nonRetryable) return undefined
  const { type, message } = cause
  const request = requestOf(cause)
  const details = request.requestId === undefined ? {} : { details: [request] }
  return nonRetryable({ message, ...details, ...(type && { type }) })
}

/**
 * True if the failed attempt, or an earlier one of the same activity, may have taken effect without a response, and
 * for failures that do not tell, such as a timeout or one by hand.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  const cause = toCause(error)
  // Each failure of our activities has a type. An operator who fails one by hand gives none, and knows of no earlier attempt.
  if (!(cause instanceof ApplicationFailure) || !cause.type) return true
  const [details] = (cause.details ?? []) as [Partial<FailedAttempt>?]
  if (details === undefined) return !cause.nonRetryable
  return details.outcomeUnknown === true || ((details.attempt ?? 1) > 1 && details.earlierCertain !== true)
}

/** The pause that the service asked for, in milliseconds; undefined if it asked for none. */
export function requestedPauseOf(error: unknown): number | undefined {
  const cause = toCause(error)
  if (!(cause instanceof ApplicationFailure)) return undefined
  const [details] = (cause.details ?? []) as [Partial<FailedAttempt>?]
  return details?.pause
}

/**
 * The code of a failed activity. Only the code may be shown: the service's message can name people. Activities of teams in
 * other languages can fail without a type.
 */
export function toErrorCode(error: unknown): string {
  const cause = toCause(error)
  if (cause instanceof ApplicationFailure) return cut(cause.type || givenUp, longest.code)
  if (cause instanceof TimeoutFailure) return timedOut
  return cause instanceof CancelledFailure ? 'CallAborted' : 'InternalError'
}

/** The failure of an update whose activity ran out of time. Its type is the code of the fault. */
export function noResponse(error: unknown): ApplicationFailure {
  const message = 'The service gave no usable response in time. The request may have taken effect.'
  return nonRetryable({ type: toErrorCode(error), message })
}

/** True for the error of an activity. Any other error is a defect of the workflow. */
export function isActivityError(error: unknown): error is TemporalFailure {
  return error instanceof TemporalFailure
}

/** True for the cancellation of the run. An activity that was under way fails with it as its cause. */
export function isCancellation(error: unknown): boolean {
  return toCause(error) instanceof CancelledFailure
}

/** The SDK wraps the failure of an ordinary activity, but not that of a local one. */
function toCause(error: unknown): unknown {
  return withoutServer(error instanceof ActivityFailure ? (error.cause ?? error) : error)
}

/** Temporal wraps a failure that it has cut: one of over two megabytes, and one of over four kilobytes between two attempts. */
function withoutServer(error: unknown): unknown {
  return error instanceof ServerFailure ? (error.cause ?? error) : error
}

/** A text that is cut again stays unchanged. Half of a surrogate pair at its end would end the worker. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF.]+$/, '')}...`
}
