import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import { ApiFault, ApiRefusal } from '#api'
import type { ErrorCode } from '#contract/terms'

/** A refusal is an answer: nothing for the worker's error log or its alarms. */
const expected = ApplicationFailureCategory.BENIGN

/** A failure that no retry can mend; its type is the code that callers and the Web UI see. */
export function finalFailure(code: ErrorCode, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: code, message, nonRetryable: true, category: expected })
}

/**
 * Runs a call of the service and translates what it throws, once and here: a refusal ends the activity,
 * a fault is retried by Temporal, not before the moment that the service asked for.
 */
export async function translated<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    throw asFailure(error)
  }
}

function asFailure(error: unknown): unknown {
  if (error instanceof ApiRefusal) {
    return ApplicationFailure.create({
      type: error.code,
      message: error.message,
      nonRetryable: true,
      category: expected,
    })
  }
  if (error instanceof ApiFault) {
    return ApplicationFailure.create({
      type: error.code,
      message: error.message,
      nonRetryable: !error.retryable,
      ...(error.retryAfter !== undefined && { nextRetryDelay: error.retryAfter * 1_000 }),
    })
  }
  return error
}
