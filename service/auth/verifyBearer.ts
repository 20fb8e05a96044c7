import { errors } from 'jose'
import { accessScope } from '#contract'
import { OperationError } from '../operationError.ts'
import type { Tokens } from './tokens.ts'

/** Maximum number of verified tokens in memory; each takes about half a kilobyte. */
const maxCached = 10_000

/** An authenticated API client. */
export interface Caller {
  readonly clientId: string
  readonly tenantId: string
}

interface VerifiedToken extends Caller {
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly scopes: readonly string[]
}

/**
 * Returns the caller of an Authorization header.
 * @throws OperationError Unauthorized, Forbidden
 */
export type VerifyBearer = (authorization: string | undefined) => Promise<Caller>

/** Creates a verifier that checks each signature once and caches the token until it expires. */
export function createVerifyBearer(tokens: Tokens, clock: () => number): VerifyBearer {
  const cache = new Map<string, VerifiedToken>()

  async function verify(token: string): Promise<VerifiedToken> {
    const claims = await tokens.verify(token).catch(rejectToken)
    const { client_id, tenant, scope, exp } = claims
    if (typeof client_id !== 'string' || typeof tenant !== 'string' || exp === undefined) {
      throw invalidToken()
    }
    const scopes = typeof scope === 'string' ? scope.split(' ') : []
    const verified = { clientId: client_id, tenantId: tenant, expiresAt: exp * 1_000, scopes }
    const [oldest] = cache.keys()
    if (oldest !== undefined && cache.size >= maxCached) cache.delete(oldest)
    cache.set(token, verified)
    return verified
  }

  return async authorization => {
    const [, token] = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '') ?? []
    if (token === undefined) throw missingToken()
    const { clientId, tenantId, expiresAt, scopes } = cache.get(token) ?? (await verify(token))
    if (expiresAt <= clock()) {
      cache.delete(token)
      throw expiredToken()
    }
    if (!scopes.includes(accessScope)) {
      throw new OperationError('Forbidden', `The access token lacks the scope ${accessScope}.`)
    }
    return { clientId, tenantId }
  }
}

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
