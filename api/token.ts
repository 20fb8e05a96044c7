import type { Agent } from 'undici'
import { accessScope, tokenPath, tokenResponse } from '#contract'
import { exchange, retryAfter } from './exchange.ts'
import { type ApiFault, fault } from './failures.ts'
import { type ApiSettings, type ApiTimeouts, urlBelow } from './settings.ts'

/** A token with moments of `performance.now`, which no change of the clock moves. */
export interface Token {
  readonly text: string
  readonly renewAt: number
  readonly expiresAt: number
}

/** A token is renewed this long before it expires, in milliseconds, or a fifth of its life if that is shorter. */
const longestLead = 60_000

/**
 * Asks the token endpoint once (specification, Authentication). Fails with an ApiFault `SignInFailed`: always
 * retryable, since secrets are rotated and endpoints mended while flows wait.
 */
export async function requestToken(agent: Agent, settings: ApiSettings, timeouts: ApiTimeouts): Promise<Token> {
  const asked = performance.now()
  const answer = await exchange(agent, tokenQuestion(settings), timeouts.token).catch((cause: Error) => {
    throw failed(cause.message, {}, cause)
  })
  const body = json(answer.text)
  if (answer.status !== 200) {
    throw failed(`HTTP ${answer.status} ${oauthError(body)}`, { status: answer.status, retryAfter: retryAfter(answer) })
  }
  const token = tokenResponse.safeParse(body)
  if (!token.success) throw failed('its answer is no token response', { status: answer.status })
  const life = token.data.expires_in * 1_000
  return {
    text: token.data.access_token,
    renewAt: asked + life - Math.min(longestLead, life / 5),
    expiresAt: asked + life,
  }
}

function tokenQuestion({ authUrl, clientId, clientSecret }: ApiSettings) {
  return {
    url: urlBelow(authUrl, tokenPath),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'client_credentials',
      scope: accessScope,
    }).toString(),
  }
}

function failed(detail: string, facts: { status?: number; retryAfter?: number | undefined }, cause?: Error): ApiFault {
  return fault({ code: 'SignInFailed', retryable: true, maybeDone: false, ...facts }, detail, cause)
}

/** The code of RFC 6749 section 5.2; anything else in that place is not repeated. */
function oauthError(body: unknown): string {
  const code = body !== null && typeof body === 'object' && 'error' in body ? body.error : undefined
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : 'without a code'
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
