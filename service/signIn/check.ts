import { errors } from 'jose'
import { accessScope } from '#contract'
import { Refusal } from '../operations/call.ts'
import type { Tokens } from './tokens.ts'

/** Verified tokens that are remembered; each is about half a kilobyte. */
const remembered = 10_000

export interface Caller {
  readonly clientId: string
  readonly tenantId: string
}

interface Verified extends Caller {
  /** Milliseconds since 1970. */
  readonly expires: number
  readonly scopes: readonly string[]
}

/** Who sends an Authorization header; throws Unauthorized or Forbidden when nobody that may. */
export type TokenCheck = (authorization: string | undefined) => Promise<Caller>

/** A token check that verifies a signature once and remembers the token until it expires. */
export function createTokenCheck(tokens: Tokens, clock: () => number): TokenCheck {
  const verified = new Map<string, Verified>()

  async function verify(token: string): Promise<Verified> {
    const claims = await tokens.verify(token).catch(refuse)
    const { client_id, tenant, scope, exp } = claims
    if (typeof client_id !== 'string' || typeof tenant !== 'string' || exp === undefined) {
      throw new Refusal('Unauthorized', 'The access token is not valid.')
    }
    const scopes = typeof scope === 'string' ? scope.split(' ') : []
    const caller = { clientId: client_id, tenantId: tenant, expires: exp * 1_000, scopes }
    const [oldest] = verified.keys()
    if (oldest !== undefined && verified.size >= remembered) verified.delete(oldest)
    verified.set(token, caller)
    return caller
  }

  return async authorization => {
    const [, token] = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '') ?? []
    if (token === undefined) throw new Refusal('Unauthorized', 'An access token is needed: Authorization: Bearer ….')
    const caller = verified.get(token) ?? (await verify(token))
    if (caller.expires <= clock()) {
      verified.delete(token)
      throw new Refusal('Unauthorized', 'The access token has expired.')
    }
    if (!caller.scopes.includes(accessScope)) {
      throw new Refusal('Forbidden', `The access token lacks the scope ${accessScope}.`)
    }
    return { clientId: caller.clientId, tenantId: caller.tenantId }
  }
}

function refuse(error: unknown): never {
  if (error instanceof errors.JWTExpired) throw new Refusal('Unauthorized', 'The access token has expired.')
  if (error instanceof errors.JOSEError) throw new Refusal('Unauthorized', 'The access token is not valid.')
  throw error
}
