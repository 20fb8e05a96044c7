import type { ErrorCode } from '#contract/terms'

interface StatusMeaning {
  /** What the status means when the body has no code. */
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly maybeDone: boolean
}

/** Failing HTTP statuses (docs/decisions.md, Protocol). */
const statuses: Readonly<Record<number, StatusMeaning>> = {
  400: { code: 'InvalidRequest', retryable: false, maybeDone: false },
  401: { code: 'Unauthorized', retryable: true, maybeDone: false },
  // A missing scope is granted by a person, while the flow waits.
  403: { code: 'Forbidden', retryable: true, maybeDone: false },
  404: { code: 'UnknownOperation', retryable: false, maybeDone: false },
  405: { code: 'MethodNotAllowed', retryable: false, maybeDone: false },
  408: { code: 'Unavailable', retryable: true, maybeDone: false },
  // The key's first request is still running, and may yet have its effect.
  409: { code: 'IdempotencyKeyInUse', retryable: true, maybeDone: true },
  413: { code: 'RequestTooLarge', retryable: false, maybeDone: false },
  415: { code: 'UnsupportedMediaType', retryable: false, maybeDone: false },
  422: { code: 'IdempotencyKeyReused', retryable: false, maybeDone: false },
  429: { code: 'RateLimited', retryable: true, maybeDone: false },
  503: { code: 'Unavailable', retryable: true, maybeDone: true },
}

/** What a failing status means for the call. */
export function meaningOf(status: number): StatusMeaning {
  const known = statuses[status]
  if (known !== undefined) return known
  if (status >= 500) return { code: 'InternalError', retryable: true, maybeDone: true }
  if (status >= 400) return { code: 'InvalidRequest', retryable: false, maybeDone: false }
  // A redirect is not followed: the token would travel along.
  return { code: 'StrangeAnswer', retryable: true, maybeDone: true }
}
