import { createRemoteJWKSet, errors, jwtVerify } from 'jose'

/** The tokens of an OpenID provider, such as those that the Web UI passes on. */
export interface TokenIssuer {
  readonly issuer: string
  readonly audience: string
  readonly keySetUrl: string
}

/** The keys of the issuer could not be read, so its tokens are neither valid nor invalid. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

/** The algorithms of OpenID providers. No symmetric one, whose key would be public. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** Errors of the token itself. Any other one is about the keys. */
const aboutToken = [
  ...[errors.JWTExpired, errors.JWTClaimValidationFailed, errors.JWTInvalid, errors.JWSInvalid],
  ...[errors.JWSSignatureVerificationFailed, errors.JOSEAlgNotAllowed, errors.JOSENotSupported],
  ...[errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys],
]

/**
 * Returns a function that verifies a token of the issuer.
 * @returns its subject, or undefined for a token that is not valid
 */
export function createVerifyToken({ issuer, audience, keySetUrl }: TokenIssuer) {
  const keySet = createRemoteJWKSet(new URL(keySetUrl))
  return async (token: string): Promise<string | undefined> => {
    try {
      const { payload } = await jwtVerify(token, keySet, { issuer, audience, algorithms, requiredClaims: ['exp'] })
      return payload.sub ?? 'token'
    } catch (error) {
      if (aboutToken.some(each => error instanceof each)) return undefined
      throw new KeysUnavailable(`the keys of ${issuer} were not read from ${keySetUrl}`, { cause: error })
    }
  }
}
