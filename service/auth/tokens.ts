import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose'
import { accessScope } from '#contract'
import { createJwksCache } from './jwksCache.ts'
import type { SigningKeys } from './signingKeys.ts'

/** The audience of all tokens, for any issuer. */
const audience = 'lockerflow'
const type = 'at+jwt'

export interface Tokens {
  /** Signs an access token for a client of a tenant. */
  issue(clientId: string, tenantId: string): Promise<string>
  /**
   * Verifies a token and returns its claims.
   * @throws errors.JOSEError when the token is invalid or expired
   */
  verify(token: string): Promise<JWTPayload>
}

export interface TokenSettings {
  readonly keys: SigningKeys
  /** The public address of the service, known only when it listens. */
  readonly issuer: () => string
  /** Seconds. */
  readonly tokenLifetime: number
  readonly clock: () => number
}

/** Issues and verifies access tokens (D-008). */
export async function createTokens({ keys, issuer, tokenLifetime, clock }: TokenSettings): Promise<Tokens> {
  const cache = await createJwksCache(keys)

  async function verifyWith(key: JWTVerifyGetKey, token: string): Promise<JWTPayload> {
    const { payload } = await jwtVerify(token, key, {
      issuer: issuer(),
      audience,
      typ: type,
      currentDate: new Date(clock()),
    })
    return payload
  }

  return {
    async issue(clientId, tenantId) {
      const now = Math.floor(clock() / 1_000)
      return new SignJWT({ client_id: clientId, tenant: tenantId, scope: accessScope })
        .setProtectedHeader({ alg: keys.algorithm, kid: keys.kid, typ: type })
        .setIssuer(issuer())
        .setAudience(audience)
        .setSubject(clientId)
        .setIssuedAt(now)
        .setExpirationTime(now + tokenLifetime)
        .sign(keys.key)
    },
    async verify(token) {
      try {
        return await verifyWith(cache.cached(), token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // Another process may have added the key.
        return verifyWith(await cache.refresh(), token)
      }
    },
  }
}
