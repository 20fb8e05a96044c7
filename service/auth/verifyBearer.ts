import { errors } from 'jose'
import { accessScope } from '#contract'
import { OperationError } from '../operationError.ts'
import type { AcceptedTokens } from './acceptedTokens.ts'
import type { Tokens } from './tokens.ts'

/** Maximum number of verified tokens in memory; each takes about half a kilobyte. */
const maxCached = 10_000

/** An authenticated API client. */
export interface Caller {
  readonly clientId: string
  readonly tenantId: string
}

interface VerifiedToken {
  readonly caller: Caller
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly scopes: readonly string[]
  readonly kid: string
  readonly generation: number
}

/**
 * Returns the caller of an Authorization header; a promise unless the token was verified before.
 * @throws OperationError Unauthorized, Forbidden
 */
export type VerifyBearer = (authorization: string | undefined) => Caller | Promise<Caller>

export interface VerifyBearerParts {
  readonly tokens: Tokens
  readonly accepted: AcceptedTokens
  readonly clock: () => number
}

/**
 * Creates a verifier that checks each signature once and caches the token until it expires. Every request checks for a
 * revocation, in memory.
 */
export function createVerifyBearer({ tokens, accepted, clock }: VerifyBearerParts): VerifyBearer {
  /** Verified tokens by the header in its usual spelling, which then need not be parsed again. */
  const cache = new Map<string, VerifiedToken>()

  async function verify(token: string): Promise<VerifiedToken> {
    const { payload, kid } = await tokens.verify(token).catch(rejectToken)
    const { client_id, tenant, scope, exp, gen } = payload
    if (typeof client_id !== 'string' || typeof tenant !== 'string' || typeof gen !== 'number' || exp === undefined) {
      throw invalidToken()
    }
    const scopes = typeof scope === 'string' ? scope.split(' ') : []
    const caller = { clientId: client_id, tenantId: tenant }
    const verified = { caller, expiresAt: exp * 1_000, scopes, kid, generation: gen }
    const [oldest] = cache.keys()
    if (oldest !== undefined && cache.size >= maxCached) cache.delete(oldest)
    cache.set(toHeader(token), verified)
    return verified
  }

  async function assertAccepted({ caller: { clientId }, generation, kid }: VerifiedToken): Promise<void> {
    // A token of an earlier generation stays revoked. Any other may belong to a client or key that another process added.
    if (generation < (accepted.current.generations.get(clientId) ?? 0)) throw revokedToken()
    const { generations, kids } = await accepted.refresh()
    if (generations.get(clientId) !== generation || !kids.has(kid)) throw revokedToken()
  }

  function isAccepted({ caller: { clientId }, generation, kid }: VerifiedToken): boolean {
    const { generations, kids, usableUntil } = accepted.current
    return generations.get(clientId) === generation && kids.has(kid) && performance.now() <= usableUntil
  }

  function assertUsable(header: string, { expiresAt, scopes }: VerifiedToken): void {
    if (expiresAt <= clock()) {
      cache.delete(header)
      throw expiredToken()
    }
    if (!scopes.includes(accessScope)) {
      throw new OperationError('Forbidden', `The access token lacks the scope ${accessScope}.`)
    }
  }

  async function verifyAnew(authorization: string): Promise<Caller> {
    const [, token] = bearer.exec(authorization) ?? []
    if (token === undefined) throw missingToken()
    const header = toHeader(token)
    const verified = cache.get(header) ?? (await verify(token))
    // An expired or revoked token is rejected as such, whatever its scopes.
    if (verified.expiresAt > clock() && !isAccepted(verified)) await assertAccepted(verified)
    assertUsable(header, verified)
    return verified.caller
  }

  return authorization => {
    if (authorization === undefined) throw missingToken()
    const known = cache.get(authorization)
    if (known === undefined || !isAccepted(known)) return verifyAnew(authorization)
    assertUsable(authorization, known)
    return known.caller
  }
}

const toHeader = (token: string) => `Bearer ${token}`

const bearer = /^Bearer +([\w.~+/-]+=*) *$/i

function rejectToken(error: unknown): never {
  if (error instanceof errors.JWTExpired) throw expiredToken()
  if (error instanceof errors.JOSEError) throw invalidToken()
  throw error
}

export function missingToken(): OperationError {
  return new OperationError('Unauthorized', 'An access token is required.')
}

function invalidToken(): OperationError {
  return new OperationError('Unauthorized', 'The access token is not valid.')
}

function expiredToken(): OperationError {
  return new OperationError('Unauthorized', 'The access token has expired.')
}

function revokedToken(): OperationError {
  return new OperationError('Unauthorized', 'The access token was revoked.')
}
