import { decodeJwt } from 'jose'
import type { Logger } from 'pino'
import { createLogThrottle } from '#logs'
import { createSignalBudget } from '../../signalLimit.ts'
import { DoorError } from '../problem.ts'
import type { Caller } from './caller.ts'
import type { TokenIssuer } from './issuer.ts'
import { KeysUnavailable } from './keySet.ts'
import { createVerifier, invalid, type Verifier } from './verify.ts'

/** Maximum number of verified tokens in memory; each takes about two kilobytes. */
const maxCached = 10_000

/**
 * Returns the caller of an Authorization header; a promise unless the token was verified before.
 * @throws DoorError Unauthorized, Unavailable
 */
export type Authenticate = (authorization: string | undefined) => Caller | Promise<Caller>

export interface AuthenticateParts {
  readonly issuers: readonly TokenIssuer[]
  /** Tokens per second whose signature is checked. */
  readonly checkedTokens: number
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: Pick<Logger, 'warn'>
}

/**
 * Checks each token once and remembers it until it expires. The checks are limited, because each costs processor time that
 * callbacks need: a flood of forged tokens delays callers with a new token, and no other one.
 */
export function createAuthenticate({ issuers, checkedTokens, clock, log }: AuthenticateParts): Authenticate {
  const cache = new Map<string, Caller>()
  const verifiers = issuers.map(issuer => createVerifier(issuer, clock))
  const budget = createSignalBudget({ burst: checkedTokens, interval: 1_000 / checkedTokens })
  const throttled = createLogThrottle()

  async function verify(token: string): Promise<Caller> {
    const issuer = issuerIn(token)
    const wait = budget.take(['all'])
    if (wait > 0) throw unavailable('Too many new access tokens; try again.', Math.ceil(wait / 1_000))
    try {
      const caller = await (await findVerifier(verifiers, issuer)).verify(token)
      const [oldest] = cache.keys()
      if (oldest !== undefined && cache.size >= maxCached) cache.delete(oldest)
      cache.set(token, caller)
      return caller
    } catch (error) {
      if (!(error instanceof KeysUnavailable)) throw error
      const { message: reason } = error
      throttled(reason, suppressed => {
        log.warn({ logId: 'door-keys-unavailable', reason, suppressed }, 'keys of access tokens not read')
      })
      throw unavailable('The keys of the issuer cannot be read; try again.')
    }
  }

  return authorization => {
    const [, token] = bearer.exec(authorization ?? '') ?? []
    if (token === undefined) throw new DoorError('Unauthorized', 'An access token is required.')
    const known = cache.get(token)
    if (known === undefined) return verify(token)
    if (known.expiresAt > clock()) return known
    cache.delete(token)
    throw invalid('has expired')
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

/** An issuer whose keys are away fails only the tokens that no other one explains. */
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

function unavailable(message: string, retryAfter?: number): DoorError {
  return new DoorError('Unavailable', message, retryAfter === undefined ? {} : { retryAfter })
}
