import { ApplicationFailure, activityInfo } from '@temporalio/activity'
import { ApplicationFailureCategory } from '@temporalio/common'
import { ApiFault, ApiRefusal } from '#api'
import { type ErrorCode, errors, isErrorCode } from '#contract/terms'
import type { FailedAttempt } from './interface.ts'

/** A refusal is an answer: nothing for the worker's error log or its alarms. */
const expected = ApplicationFailureCategory.BENIGN

/** A service may ask for a day of patience; a clean-up or a booking has not got that long. Milliseconds. */
const longestPause = 60_000

/** A failure that no retry can mend; its type is the code that callers and the Web UI see. */
export function finalFailure(code: ErrorCode, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: code, message, nonRetryable: true, category: expected })
}

/** A failure that Temporal retries; its type is the code that is seen when that does not help. */
export function faultFailure(code: ErrorCode, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: code, message, nonRetryable: false })
}

/**
 * Runs calls of the service and translates what they throw, once and here: a refusal ends the activity, a fault is
 * retried by Temporal, not before the moment that the service asked for.
 */
export async function translated<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    throw asFailure(error)
  }
}

/** What a service writes may name people, and failure texts are kept and shown: the table's own sentence it is. */
function meaningOf(code: string): string {
  return isErrorCode(code) ? errors[code].meaning : `The service answered ${code}.`
}

function asFailure(error: unknown): unknown {
  if (error instanceof ApiRefusal) {
    return ApplicationFailure.create({
      type: error.code,
      message: meaningOf(error.code),
      nonRetryable: true,
      category: expected,
    })
  }
  if (error instanceof ApiFault) {
    const { code, retryable, retryAfter, maybeDone } = error
    return ApplicationFailure.create({
      type: code,
      message: meaningOf(code),
      nonRetryable: !retryable,
      details: [{ attempt: activityInfo().attempt, maybeDone } satisfies FailedAttempt],
      ...(retryAfter !== undefined && { nextRetryDelay: Math.min(retryAfter * 1_000, longestPause) }),
    })
  }
  return error
}
