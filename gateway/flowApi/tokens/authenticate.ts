import { decodeJwt } from 'jose'
import type { Logger } from 'pino'
import { toThrottleAddress } from '#platform/http'
import { createRateLimiter } from '#platform/limits'
import { createLogThrottle } from '#platform/logs'
import { FlowApiError } from '../problem.ts'
import type { Caller } from './caller.ts'
import { type Confirmation, type ConfirmationTimes, createConfirmation } from './confirmation.ts'
import type { TokenIssuer } from './issuer.ts'
import { KeysUnavailable } from './keySet.ts'
import { createVerifier, invalid, type Verifier } from './verify.ts'

/** Maximum number of verified tokens in memory; each takes about two kilobytes. */
const maxCached = 10_000
/** Maximum number of addresses whose checks are counted. */
const maxAddresses = 10_000

interface Verified {
  readonly caller: Caller
  /** Absent for an issuer whose tokens are valid until they expire. */
  readonly confirmation?: Confirmation
}

/**
 * Returns the caller of an Authorization header; a promise unless the token was checked a moment before.
 * @param address of the caller
 * @throws FlowApiError Unauthorized, Unavailable
 */
export type Authenticate = (authorization: string | undefined, address: string) => Caller | Promise<Caller>

export interface AuthenticateParts {
  readonly issuers: readonly TokenIssuer[]
  /** Tokens per second and address whose signature is checked. */
  readonly checkedTokens: number
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** The validity of the service's confirmation of a client's token. */
  readonly confirmation: ConfirmationTimes
  readonly log: Pick<Logger, 'warn'>
}

/**
 * Checks the signature of each token once, even for requests that arrive at once, and remembers it until it expires. The checks
 * are limited by address, because each costs processor time that callbacks need. Tokens that name another issuer, algorithm,
 * type or key are refused before, so a flood of forged tokens that name a key of an accepted issuer delays only callers with a
 * new token at its own address. The service is asked every few seconds whether it still accepts a token of one of its
 * clients.
 */
export function createAuthenticate(parts: AuthenticateParts): Authenticate {
  const { issuers, checkedTokens, clock, log, confirmation: times } = parts
  const cache = new Map<string, Verified>()
  /** The checks in progress, so that a new token of many requests at once is checked once. */
  const checks = new Map<string, Promise<Caller>>()
  const verifiers = issuers.map(issuer => createVerifier(issuer, clock))
  const limiter = createRateLimiter({ burst: checkedTokens, interval: 1_000 / checkedTokens }, undefined, maxAddresses)
  const throttled = createLogThrottle()

  async function verify(token: string, address: string): Promise<Caller> {
    const issuer = issuerIn(token)
    try {
      const { verify, isActive } = await findVerifier(verifiers, issuer)
      const caller = await verify(token, () => {
        const wait = limiter.take(toThrottleAddress(address))
        if (wait > 0) throw unavailable('Too many new access tokens; try again.', Math.ceil(wait / 1_000))
      })
      const ask = isActive && ((timeout?: number) => isActive(token, timeout))
      const verified = { caller, ...(ask && { confirmation: createConfirmation(ask, times) }) }
      const [oldest] = cache.keys()
      if (oldest !== undefined && cache.size >= maxCached) cache.delete(oldest)
      cache.set(token, verified)
      return await confirm(verified)
    } catch (error) {
      throw toUnavailable(error)
    }
  }

  function verifyOnce(token: string, address: string): Promise<Caller> {
    const running = checks.get(token)
    if (running !== undefined) return running
    const check = verify(token, address).finally(() => checks.delete(token))
    checks.set(token, check)
    return check
  }

  async function confirm({ caller, confirmation }: Verified): Promise<Caller> {
    if ((await confirmation?.isAccepted()) === false) throw invalid('was revoked')
    return caller
  }

  function toUnavailable(error: unknown): unknown {
    if (!(error instanceof KeysUnavailable)) return error
    const { message: reason } = error
    throttled(reason, suppressed => {
      log.warn({ logId: 'flow-api-keys-unavailable', reason, suppressed }, 'keys of access tokens not read')
    })
    return unavailable('The issuer of the access token does not answer; try again.')
  }

  return (authorization, address) => {
    const [, token] = bearer.exec(authorization ?? '') ?? []
    if (token === undefined) throw new FlowApiError('Unauthorized', 'An access token is required.')
    const known = cache.get(token)
    if (known === undefined) return verifyOnce(token, address)
    if (known.caller.expiresAt <= clock()) {
      cache.delete(token)
      throw invalid('has expired')
    }
    if (known.confirmation === undefined || known.confirmation.isAccepted() === true) return known.caller
    return confirm(known).catch(error => Promise.reject(toUnavailable(error)))
  }
}

const bearer = /^Bearer +([\w.~+/-]+=*) *$/i

/** The issuer that a token names, before its signature is checked. */
function issuerIn(token: string): string {
  try {
    const { iss } = decodeJwt(token)
    if (typeof iss === 'string') return iss
  } catch {
    throw invalid('is not valid')
  }
  throw invalid('names no issuer')
}

/** An issuer whose keys cannot be read affects only tokens that no other issuer matches. */
async function findVerifier(verifiers: readonly Verifier[], issuer: string): Promise<Verifier> {
  let failure: unknown
  for (const verifier of verifiers) {
    try {
      if ((await verifier.issuer()) === issuer) return verifier
    } catch (error) {
      failure = error
    }
  }
  throw failure ?? invalid('is of another issuer')
}

function unavailable(message: string, retryAfter?: number): FlowApiError {
  return new FlowApiError('Unavailable', message, retryAfter === undefined ? {} : { retryAfter })
}
