import type { ErrorCode } from '#contract/terms'

interface StatusMeaning {
  /** The code to use when the body has none. */
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly outcomeUnknown: boolean
}

/** Failing HTTP statuses (D-004). */
const statuses: Readonly<Record<number, StatusMeaning>> = {
  400: { code: 'InvalidRequest', retryable: false, outcomeUnknown: false },
  401: { code: 'Unauthorized', retryable: true, outcomeUnknown: false },
  // An operator can grant a missing scope while the flow waits.
  403: { code: 'Forbidden', retryable: true, outcomeUnknown: false },
  404: { code: 'UnknownOperation', retryable: false, outcomeUnknown: false },
  405: { code: 'MethodNotAllowed', retryable: false, outcomeUnknown: false },
  408: { code: 'Unavailable', retryable: true, outcomeUnknown: false },
  // The first request with the key is still running and may take effect.
  409: { code: 'IdempotencyKeyInUse', retryable: true, outcomeUnknown: true },
  413: { code: 'RequestTooLarge', retryable: false, outcomeUnknown: false },
  415: { code: 'UnsupportedMediaType', retryable: false, outcomeUnknown: false },
  422: { code: 'IdempotencyKeyReused', retryable: false, outcomeUnknown: false },
  429: { code: 'RateLimited', retryable: true, outcomeUnknown: false },
  503: { code: 'Unavailable', retryable: true, outcomeUnknown: true },
}

/** Maps a failing HTTP status to its code and its consequences. */
export function toStatusMeaning(status: number): StatusMeaning {
  const meaning = statuses[status]
  if (meaning !== undefined) return meaning
  if (status >= 500) return { code: 'InternalError', retryable: true, outcomeUnknown: true }
  if (status >= 400) return { code: 'InvalidRequest', retryable: false, outcomeUnknown: false }
  // Redirects are not followed: the token would go to another host.
  return { code: 'MalformedResponse', retryable: true, outcomeUnknown: true }
}
