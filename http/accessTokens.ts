// The access tokens of issuers with a key set, such as OpenID providers.
import { errors, type JWTVerifyGetKey, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose'

/** The algorithms of OpenID providers. No symmetric one, whose key would be public. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** Errors of the token itself, beside its expiry. Any other one is about the keys, which could not be fetched or read. */
const aboutToken = [
  ...[errors.JWTClaimValidationFailed, errors.JWTInvalid, errors.JWSInvalid, errors.JWSSignatureVerificationFailed],
  ...[errors.JOSEAlgNotAllowed, errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported],
]

/** The keys of an issuer could not be read, so its tokens are neither valid nor invalid. The reason is for the log. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

/** The issuer and audience of a token, and the clock by which it is valid. */
export interface ExpectedToken extends Pick<JWTVerifyOptions, 'clockTolerance' | 'currentDate'> {
  readonly issuer: string
  readonly audience: string
}

/**
 * Verifies the signature, issuer, audience and times of an access token, which must expire.
 * @param place where the keys are, for the error
 * @returns the fault of the token, or its content
 * @throws KeysUnavailable
 */
export async function verifyAccessToken(
  token: string,
  keys: JWTVerifyGetKey,
  expected: ExpectedToken,
  place?: string,
): Promise<'expired' | 'invalid' | JWTVerifyResult> {
  try {
    return await jwtVerify(token, keys, { ...expected, algorithms, requiredClaims: ['exp'] })
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'expired'
    if (aboutToken.some(each => error instanceof each)) return 'invalid'
    const from = place === undefined ? '' : ` from ${place}`
    throw new KeysUnavailable(`the keys of ${expected.issuer} were not read${from}`, { cause: error })
  }
}
