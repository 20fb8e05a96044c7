import { KeysUnavailable } from './keySet.ts'

/** The times of the question whether a token is still accepted, in milliseconds. */
export interface ConfirmationTimes {
  /** The validity of a response of the issuer. */
  readonly fresh: number
  /** The validity while the issuer does not respond. */
  readonly maxAge: number
}

/** Milliseconds that a caller with an earlier answer waits for the next one. */
const knownTimeout = 1_000

/** The issuer's confirmation of one token. */
export interface Confirmation {
  /** Asks the issuer unless its last answer is fresh. @throws KeysUnavailable */
  isAccepted(): boolean | Promise<boolean>
}

/** @param ask asks the issuer, and throws KeysUnavailable. A refusal is final: `ask` is not called again. */
export function createConfirmation(
  ask: (timeout?: number) => Promise<boolean>,
  { fresh, maxAge }: ConfirmationTimes,
): Confirmation {
  let [isRefused, confirmedAt, failedAt] = [false, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let asking: Promise<boolean> | undefined

  async function confirm(): Promise<boolean> {
    // Before the question: the token may be revoked while the answer is on its way.
    const askedAt = performance.now()
    try {
      const isAccepted = await ask(askedAt - confirmedAt < maxAge ? knownTimeout : undefined)
      if (isAccepted) confirmedAt = askedAt
      else isRefused = true
      return isAccepted
    } catch (error) {
      if (!(error instanceof KeysUnavailable) || performance.now() - confirmedAt >= maxAge) throw error
      failedAt = performance.now()
      return true
    } finally {
      asking = undefined
    }
  }

  return {
    isAccepted() {
      if (isRefused) return false
      const now = performance.now()
      const isKnown = now - confirmedAt < fresh || (now - failedAt < fresh && now - confirmedAt < maxAge)
      if (isKnown) return true
      asking ??= confirm()
      return asking
    },
  }
}
