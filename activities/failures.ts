import { ApplicationFailure } from '@temporalio/activity'
import { ApplicationFailureCategory } from '@temporalio/common'
import type { RefusalCode } from '#client'
import { ApiFault, ApiRefusal, requestedPause } from '#contract/client'
import { type ErrorCode, errors, isErrorCode, withReference } from '#contract/terms'
import { attemptNumber } from './attempt.ts'
import type { FailedAttempt } from './interface.ts'

/** Business refusals are expected: they stay out of the worker's error log and its alarms. */
const expected = ApplicationFailureCategory.BENIGN

/** A failure that a retry cannot change. Its type is the code that callers and the Web UI see. */
export function nonRetryable(code: RefusalCode, message: string, details?: FailedAttempt): ApplicationFailure {
  return ApplicationFailure.create({
    type: code,
    message: withReference(code, message),
    nonRetryable: true,
    category: expected,
    ...(details && { details: [details] }),
  })
}

/** A failure that Temporal retries. Its type is the code that callers see when retries do not help. */
export function retryable(code: ErrorCode, message: string, details?: FailedAttempt): ApplicationFailure {
  return ApplicationFailure.create({
    type: code,
    message: withReference(code, message),
    nonRetryable: false,
    ...(details && { details: [details] }),
  })
}

/** True if the same call fails again, so that a retry makes no sense. */
export function isPermanent(error: unknown): error is ApiRefusal | ApiFault {
  return error instanceof ApiRefusal || (error instanceof ApiFault && !error.retryable)
}

/**
 * Runs calls of the service and translates their errors: a refusal ends the activity, and a fault is retried by
 * Temporal, no earlier than the service asked for.
 */
export async function withApplicationFailures<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw toFailure(error)
  }
}

/** Failure texts are stored and shown, and the service's own can name people, so only the error table's is used. */
function toMeaning(code: string, reason?: string): string {
  const details = reason === undefined ? '' : ` (${reason})`
  if (!isErrorCode(code)) return `The service returned the code ${code}.${details}`
  return withReference(code, `${errors[code].meaning}${details}`)
}

function toFailure(error: unknown): unknown {
  if (error instanceof ApiRefusal) {
    return ApplicationFailure.create({
      type: error.code,
      message: toMeaning(error.code),
      nonRetryable: true,
      category: expected,
      details: [toFailedAttempt(error, false)],
    })
  }
  if (error instanceof ApiFault) {
    const { code, retryable, outcomeUnknown, reason } = error
    const pause = requestedPause(error)
    return ApplicationFailure.create({
      type: code,
      message: toMeaning(code, reason),
      nonRetryable: !retryable,
      details: [{ ...toFailedAttempt(error, outcomeUnknown), ...(pause > 0 && { pause }) }],
      // Temporal takes a delay of zero for the end of the retries.
      ...(pause > 0 && { nextRetryDelay: pause }),
    })
  }
  return error
}

/** A refusal has its attempt too: an earlier one may have had no response, and take effect later. */
export function toFailedAttempt(
  { requestId }: Partial<Pick<ApiRefusal | ApiFault, 'requestId'>>,
  outcomeUnknown: boolean,
): FailedAttempt {
  return { attempt: attemptNumber(), outcomeUnknown, ...(requestId !== undefined && { requestId }) }
}
