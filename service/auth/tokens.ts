import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose'
import { accessScope } from '#contract'
import type { AcceptedTokens } from './acceptedTokens.ts'
import type { SigningKeys } from './signingKeys.ts'

/** The audience of all tokens, for any issuer. */
const audience = 'lockerflow'
const type = 'at+jwt'

/** The client that a token is issued to. */
export interface TokenSubject {
  readonly clientId: string
  readonly tenantId: string
  /** `clients.token_generation`. */
  readonly generation: number
}

export interface VerifiedClaims {
  readonly payload: JWTPayload
  /** The id of the key that signed the token. */
  readonly kid: string
}

export interface Tokens {
  /** Signs an access token for a client of a tenant. */
  issue(subject: TokenSubject): Promise<string>
  /**
   * Verifies a token and returns its claims, those of a revoked token too.
   * @throws errors.JOSEError when the token is invalid or expired
   */
  verify(token: string): Promise<VerifiedClaims>
}

export interface TokenSettings {
  readonly keys: SigningKeys
  readonly accepted: AcceptedTokens
  /** The public address of the service, known only when it listens. */
  readonly issuer: () => string
  /** Seconds. */
  readonly tokenLifetime: number
  readonly clock: () => number
}

/** Issues and verifies access tokens. */
export function createTokens({ keys, accepted, issuer, tokenLifetime, clock }: TokenSettings): Tokens {
  async function verifyWith(key: JWTVerifyGetKey, token: string): Promise<VerifiedClaims> {
    const { payload, protectedHeader } = await jwtVerify(token, key, {
      issuer: issuer(),
      audience,
      typ: type,
      currentDate: new Date(clock()),
    })
    return { payload, kid: protectedHeader.kid ?? '' }
  }

  return {
    async issue({ clientId, tenantId, generation }) {
      const now = Math.floor(clock() / 1_000)
      const { kid, algorithm, key } = keys.current()
      return new SignJWT({ client_id: clientId, tenant: tenantId, scope: accessScope, gen: generation })
        .setProtectedHeader({ alg: algorithm, kid, typ: type })
        .setIssuer(issuer())
        .setAudience(audience)
        .setSubject(clientId)
        .setIssuedAt(now)
        .setExpirationTime(now + tokenLifetime)
        .sign(key)
    },
    async verify(token) {
      try {
        return await verifyWith(accepted.current.keys, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // Another process may have added the key.
        return verifyWith((await accepted.refresh()).keys, token)
      }
    },
  }
}
