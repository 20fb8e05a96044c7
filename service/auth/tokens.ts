import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose'
import { accessScope } from '#contract'
import type { SigningKeys } from './keys.ts'
import { createKnownKeys } from './knownKeys.ts'

/** Who a token is for, whoever the issuer is. */
const audience = 'lockerflow'
const type = 'at+jwt'

export interface Tokens {
  /** A signed access token for a client of a tenant. */
  issue(clientId: string, tenantId: string): Promise<string>
  /**
   * The claims of a token of ours.
   * @throws errors.JOSEError when it is none, or none any more
   */
  verify(token: string): Promise<JWTPayload>
}

export interface TokenSettings {
  readonly keys: SigningKeys
  /** The public address of the service, known only when it listens. */
  readonly issuer: () => string
  /** Seconds. */
  readonly tokenLife: number
  readonly clock: () => number
}

/** Issues and verifies access tokens (docs/decisions.md, Token). */
export async function createTokens({ keys, issuer, tokenLife, clock }: TokenSettings): Promise<Tokens> {
  const known = await createKnownKeys(keys)

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
        .setExpirationTime(now + tokenLife)
        .sign(keys.key)
    },
    async verify(token) {
      try {
        return await verifyWith(known.now(), token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // The key may be a new one of another process.
        return verifyWith(await known.anew(), token)
      }
    },
  }
}
