import type { ErrorCode } from '#contract/terms'

interface StatusMeaning {
  /** The code to use when the body has none. */
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly outcomeUnknown: boolean
}

/** Failing HTTP statuses. */
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

/**
 * Codes of technical faults in a body with `success: false`, in lower case, and the status that each stands for. The
 * specification lists no generic codes, so these are those of the error table and the reason phrases of HTTP.
 */
const faultCodes: ReadonlyMap<string, number> = new Map([
  ['internalerror', 500],
  ['internalservererror', 500],
  ['badgateway', 502],
  ['unavailable', 503],
  ['serviceunavailable', 503],
  ['gatewaytimeout', 504],
  ['timeout', 504],
  ['ratelimited', 429],
  ['toomanyrequests', 429],
  ['unauthorized', 401],
  ['forbidden', 403],
])

/** True for the code of a technical fault, in contrast to a refusal. */
export function isFaultCode(code: string): boolean {
  return faultCodes.has(code.toLowerCase())
}

/** True for the code of a rejected token. */
export function isTokenCode(code: string): boolean {
  return faultCodes.get(code.toLowerCase()) === 401
}

/** Codes of HTTP 409, in lower case, that leave open whether a later attempt succeeds. */
const conflictCodes: readonly string[] = ['idempotencykeyinuse', 'conflict']

/**
 * Maps a failing HTTP status to its code and its consequences.
 * @param code of the body: that of a technical fault decides if the status is not of one
 * @param refusesKeyless the body has `success: false`, and the request had no Idempotency-Key to which 409 could refer
 */
export function toStatusMeaning(status: number, code = '', refusesKeyless = false): StatusMeaning {
  const isGeneric = code === '' || isFaultCode(code) || conflictCodes.includes(code.toLowerCase())
  if (status === 409 && refusesKeyless && !isGeneric) return meaningOf(400)
  const meaning = meaningOf(status)
  const standsFor = status >= 400 && meaning.retryable ? undefined : faultCodes.get(code.toLowerCase())
  return standsFor === undefined ? meaning : meaningOf(standsFor)
}

function meaningOf(status: number): StatusMeaning {
  const meaning = statuses[status]
  if (meaning !== undefined) return meaning
  if (status >= 500) return { code: 'InternalError', retryable: true, outcomeUnknown: true }
  if (status >= 400) return { code: 'InvalidRequest', retryable: false, outcomeUnknown: false }
  // Redirects are not followed: the token would go to another host.
  return { code: 'MalformedResponse', retryable: true, outcomeUnknown: true }
}
