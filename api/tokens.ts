import { ApiFault } from './failures.ts'
import type { Token } from './token.ts'

/** Milliseconds for which nobody asks after a failure; doubled by each further one. */
const backOff = { first: 250, longest: 5_000 } as const

/** A rejected token is renewed at most this often, in milliseconds: an API that rejects all would cost one each call. */
const renewalPause = 1_000

/** The one token that all calls share. */
export interface Tokens {
  /** A token that should be accepted. Fails with ApiFault `SignInFailed`. */
  get(): Promise<string>
  /** Another token after this one was rejected; the same one when it was renewed a moment ago. */
  renew(rejected: string): Promise<string>
}

/** Shares what `request` brings: one request at a time, however many calls wait for it. */
export function createTokens(request: () => Promise<Token>): Tokens {
  let held: Token | undefined
  let coming: Promise<Token> | undefined
  let failures = 0
  let pause: { until: number; fault: ApiFault } | undefined
  let renewed = Number.NEGATIVE_INFINITY

  function ask(): Promise<Token> {
    const now = performance.now()
    if (pause !== undefined && now < pause.until) {
      return Promise.reject(
        new ApiFault({ ...pause.fault, retryAfter: (pause.until - now) / 1_000 }, pause.fault.message),
      )
    }
    coming ??= request()
      .then(token => {
        held = token
        failures = 0
        pause = undefined
        return token
      })
      .catch((cause: ApiFault) => {
        const doubled = Math.min(backOff.longest, backOff.first * 2 ** failures++)
        // Not all processes of a deployment should come back at the same moment.
        const length = Math.max(doubled * (0.5 + Math.random() / 2), Math.min(30, cause.retryAfter ?? 0) * 1_000)
        pause = { until: performance.now() + length, fault: cause }
        throw cause
      })
      .finally(() => {
        coming = undefined
      })
    return coming
  }

  async function get(): Promise<string> {
    const now = performance.now()
    if (held === undefined || now >= held.expiresAt) return (await ask()).text
    // The old one is still good: nobody has to wait, and a failure shows when it has expired.
    if (now >= held.renewAt) ask().catch(() => {})
    return held.text
  }

  return {
    get,
    async renew(rejected) {
      if (held?.text === rejected) {
        const now = performance.now()
        if (now < renewed + renewalPause) return rejected
        renewed = now
        held = undefined
      }
      return get()
    },
  }
}
