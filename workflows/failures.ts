import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow'
import type { ErrorCode } from '#contract/terms'

/** A failure of the flow itself, with a code out of the error table as its type. */
export function flowFailure(code: ErrorCode, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: code, message, nonRetryable: true })
}

/** The refusal behind a failed activity, as the flow's own failure; undefined when it was a fault. */
export function refusalBehind(error: unknown): ApplicationFailure | undefined {
  if (!(error instanceof ActivityFailure) || !(error.cause instanceof ApplicationFailure)) return undefined
  const { type, message, nonRetryable } = error.cause
  return nonRetryable ? ApplicationFailure.create({ message, nonRetryable, ...(type && { type }) }) : undefined
}

/** What went wrong in a failed activity, for people. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : undefined
  const text = cause instanceof ApplicationFailure && cause.type ? `${cause.type}: ${cause.message}` : cause?.message
  return text ?? (error instanceof Error ? error.message : String(error))
}
