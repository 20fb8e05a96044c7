import { z } from 'zod'
import { accessScope, normalizeKeys, tokenPath, tokenResponse } from '#contract'
import { type ApiFault, type FaultDetails, fault } from './failures.ts'
import { requestIdOf, retryAfter } from './post.ts'
import { type ApiSettings, type ApiTimeouts, joinUrl } from './settings.ts'
import type { Transport } from './transport.ts'

/** A token with times of `performance.now()`, which is independent of the system clock. */
export interface Token {
  readonly text: string
  readonly renewAt: number
  readonly expiresAt: number
}

/**
 * Seconds that a token is used if its response names no lifetime, which RFC 6749 section 5.1 allows. One that expires
 * earlier is rejected by the API, and renewed then.
 */
const assumedLifetime = 300

/** Services also write the lifetime as a text. A token has the characters of RFC 6749 appendix A.12, as a header needs. */
const lenientTokenResponse = tokenResponse.extend({
  access_token: z.string().regex(/^[\x20-\x7e]+$/),
  expires_in: z.coerce.number().positive().catch(assumedLifetime),
})

/** Lead of a renewal before the expiry, in milliseconds; at most a fifth of the token's lifetime. */
const maxRenewalLead = 60_000

/**
 * Requests a token once (specification, Authentication).
 * @throws ApiFault `SignInFailed`, always retryable: secrets are rotated and endpoints repaired while flows wait
 */
export async function requestToken(
  transport: Pick<Transport, 'post'>,
  settings: ApiSettings,
  timeouts: ApiTimeouts,
): Promise<Token> {
  const requestedAt = performance.now()
  const response = await transport.post(toTokenRequest(settings), timeouts.token).catch((cause: Error) => {
    throw signInFailed(cause.message, {}, cause)
  })
  const body = parseJson(response.text)
  const requestId = requestIdOf(response)
  if (response.status !== 200) {
    throw signInFailed(`HTTP ${response.status} ${readOAuthError(body)}`, {
      status: response.status,
      retryAfter: retryAfter(response),
      requestId,
    })
  }
  const token = lenientTokenResponse.safeParse(normalizeKeys(lenientTokenResponse, body, () => {}))
  if (!token.success) throw signInFailed('malformed token response', { status: response.status, requestId })
  const lifetime = token.data.expires_in * 1_000
  return {
    text: token.data.access_token,
    renewAt: requestedAt + lifetime - Math.min(maxRenewalLead, lifetime / 5),
    expiresAt: requestedAt + lifetime,
  }
}

function toTokenRequest({ authUrl, clientId, clientSecret }: ApiSettings) {
  return {
    url: joinUrl(authUrl, tokenPath),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'client_credentials',
      scope: accessScope,
    }).toString(),
  }
}

function signInFailed(
  detail: string,
  details: Pick<FaultDetails, 'status' | 'retryAfter' | 'requestId'>,
  cause?: Error,
): ApiFault {
  return fault(
    { code: 'SignInFailed', retryable: true, outcomeUnknown: false, reason: detail, ...details },
    detail,
    cause,
  )
}

/** The code of RFC 6749 section 5.2. Any other text is left out. */
function readOAuthError(body: unknown): string {
  const code = body !== null && typeof body === 'object' && 'error' in body ? body.error : undefined
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : 'without a code'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
