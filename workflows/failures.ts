import { ActivityFailure, ApplicationFailure, TemporalFailure } from '@temporalio/workflow'
import type { ErrorCode } from '#contract/terms'

/** A failure of the flow itself, with a code out of the error table as its type. */
export function flowFailure(code: ErrorCode, message: string): ApplicationFailure {
  // Benign: it is an answer to the caller and nothing for the worker's error log.
  return ApplicationFailure.create({ type: code, message, nonRetryable: true, category: 'BENIGN' })
}

/** The refusal behind a failed activity, as the flow's own failure; undefined when it was a fault. */
export function refusalBehind(error: unknown): ApplicationFailure | undefined {
  const cause = causeOf(error)
  if (!(cause instanceof ApplicationFailure) || !cause.nonRetryable) return undefined
  const { type, message, nonRetryable } = cause
  return ApplicationFailure.create({ message, nonRetryable, category: 'BENIGN', ...(type && { type }) })
}

/** What went wrong in a failed activity, for people. */
export function reasonOf(error: unknown): string {
  const cause = causeOf(error)
  if (cause instanceof ApplicationFailure && cause.type) return `${cause.type}: ${cause.message}`
  return cause instanceof Error ? cause.message : String(cause)
}

/** Whether an error is an activity's and not a defect of the workflow's own. */
export function isActivityError(error: unknown): boolean {
  return error instanceof TemporalFailure
}

/** An ordinary activity's failure comes wrapped, a local one's as it is. */
function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? (error.cause ?? error) : error
}
