import { createRemoteJWKSet } from 'jose'
import { verifyAccessToken } from '#http'

/** The tokens of an OpenID provider, such as those that the Web UI passes on. */
export interface TokenIssuer {
  readonly issuer: string
  readonly audience: string
  readonly keySetUrl: string
}

/**
 * Returns a function that verifies a token of the issuer.
 * @returns its subject, or undefined for a token that is not valid. Throws KeysUnavailable.
 */
export function createVerifyToken({ issuer, audience, keySetUrl }: TokenIssuer) {
  const keySet = createRemoteJWKSet(new URL(keySetUrl))
  return async (token: string): Promise<string | undefined> => {
    const expected = { kind: 'openid', issuer, audience } as const
    const verified = await verifyAccessToken(token, keySet, expected, keySetUrl)
    return typeof verified === 'string' ? undefined : (verified.payload.sub ?? 'token')
  }
}
