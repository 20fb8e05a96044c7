import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  TemporalFailure,
  TimeoutFailure,
} from '@temporalio/workflow'
import type { FailedAttempt } from '#activities/interface'
import type { ErrorCode } from '#contract/terms'

interface Words {
  readonly message: string
  readonly type?: string
  readonly details?: unknown[]
}

/** A failure of the flow itself, with a code out of the error table as its type. */
export function flowFailure(code: ErrorCode, message: string): ApplicationFailure {
  return answer({ type: code, message })
}

/** A failure that is an answer: it is nothing for the worker's error log, and where it was made says nothing to anybody. */
export function answer(words: Words): ApplicationFailure {
  const failure = ApplicationFailure.create({ ...words, nonRetryable: true, category: 'BENIGN' })
  failure.stack = ''
  return failure
}

/** A failed activity that no retry mends, as the flow's own failure; undefined when it was a fault that passes. */
export function finalBehind(error: unknown): ApplicationFailure | undefined {
  const cause = causeOf(error)
  if (!(cause instanceof ApplicationFailure) || !cause.nonRetryable) return undefined
  const { type, message } = cause
  return answer({ message, ...(type && { type }) })
}

/**
 * Whether the failed attempt, or an earlier one of the same activity, may have taken effect without an answer.
 * What did not say so, a time-out for instance, may have.
 */
export function maybeDone(error: unknown): boolean {
  const cause = causeOf(error)
  if (!(cause instanceof ApplicationFailure)) return true
  const [details] = (cause.details ?? []) as [FailedAttempt?]
  if (details === undefined) return !cause.nonRetryable
  return details.maybeDone || details.attempt > 1
}

/** The code of what went wrong in a failed activity: what may be shown, since a service's own words may name people. */
export function codeOf(error: unknown): string {
  const cause = causeOf(error)
  if (cause instanceof ApplicationFailure && cause.type) return cause.type
  if (cause instanceof TimeoutFailure) return 'NoAnswer'
  return cause instanceof CancelledFailure ? 'CallAborted' : 'InternalError'
}

/** A failed activity that nobody waits for any longer, as the failure of an update: the code of the fault. */
export function unanswered(error: unknown): ApplicationFailure {
  const message = 'The service gave no usable answer in time; it may have done what was asked all the same.'
  return answer({ type: codeOf(error), message })
}

/** Whether an error is an activity's and not a defect of the workflow's own. */
export function isActivityError(error: unknown): error is TemporalFailure {
  return error instanceof TemporalFailure
}

/** An ordinary activity's failure comes wrapped, a local one's as it is. */
function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? (error.cause ?? error) : error
}
