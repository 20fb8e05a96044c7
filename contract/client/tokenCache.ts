import { ApiFault } from './failures.ts'
import type { Token } from './tokenRequest.ts'

/** Milliseconds without a request after a failure, doubled each time. */
const backoff = { initial: 250, maximum: 5_000 } as const

/** Minimum interval of renewals, in milliseconds: an API that rejects every token would cost a request per call. */
const renewalInterval = 1_000

/** The token that all calls share. */
export interface TokenCache {
  /**
   * Returns a valid token.
   * @throws ApiFault `SignInFailed`
   */
  get(): Promise<string>
  /** Returns a new token after this one was rejected, or the same one within the renewal interval. */
  renew(rejected: string): Promise<string>
}

/** Caches the token of `request`. Concurrent calls share one request. */
export function createTokenCache(request: () => Promise<Token>): TokenCache {
  let cached: Token | undefined
  let pending: Promise<Token> | undefined
  let failures = 0
  let pause: { until: number; fault: ApiFault } | undefined
  let renewed = Number.NEGATIVE_INFINITY

  function refresh(): Promise<Token> {
    const now = performance.now()
    if (pause !== undefined && now < pause.until) {
      const { message, cause } = pause.fault
      return Promise.reject(new ApiFault({ ...pause.fault, retryAfter: (pause.until - now) / 1_000 }, message, cause))
    }
    pending ??= request()
      .then(token => {
        cached = token
        failures = 0
        pause = undefined
        return token
      })
      .catch((cause: ApiFault) => {
        const doubled = Math.min(backoff.maximum, backoff.initial * 2 ** failures++)
        // Jitter: the processes of a deployment must not return at the same moment.
        const length = Math.max(doubled * (0.5 + Math.random() / 2), Math.min(30, cause.retryAfter ?? 0) * 1_000)
        pause = { until: performance.now() + length, fault: cause }
        throw cause
      })
      .finally(() => {
        pending = undefined
      })
    return pending
  }

  async function get(): Promise<string> {
    const now = performance.now()
    if (cached === undefined || now >= cached.expiresAt) return (await refresh()).text
    // The cached token is still valid, so the call does not wait. A failed renewal surfaces after the expiry.
    if (now >= cached.renewAt) refresh().catch(() => {})
    return cached.text
  }

  return {
    get,
    async renew(rejected) {
      if (cached?.text === rejected) {
        const now = performance.now()
        if (now < renewed + renewalInterval) return rejected
        renewed = now
        cached = undefined
      }
      return get()
    },
  }
}
