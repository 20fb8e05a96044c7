// The access tokens of issuers with a key set, such as OpenID providers.
import {
  decodeProtectedHeader,
  errors,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose'

/** The algorithms of OpenID providers. No symmetric one, whose key would be public. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** Seconds by which the clock of an issuer may differ. A token is accepted for that much longer than its claim `exp` says. */
export const clockTolerance = 5

/** Many providers give access tokens the type JWT or none, so only another type is refused (D-414). The service has RFC 9068's. */
const types = {
  openid: ['at+jwt', 'jwt', undefined],
  service: ['at+jwt'],
}

/** The realm of the bearer tokens, as a challenge begins. */
export const bearerRealm = 'Bearer realm="lockerflow"'

/**
 * Returns the challenge of a 401. An error code would be wrong for a request without a token, even if it uses another scheme
 * (RFC 6750 section 3.1).
 */
export function toChallenge(authorization: string | undefined): string {
  return /^Bearer /i.test(authorization ?? '') ? `${bearerRealm}, error="invalid_token"` : bearerRealm
}

/** Errors of the token itself, apart from its expiry. Any other one is about the keys, which could not be fetched or read. */
const aboutToken = [
  ...[errors.JWTClaimValidationFailed, errors.JWTInvalid, errors.JWSInvalid, errors.JWSSignatureVerificationFailed],
  ...[errors.JOSEAlgNotAllowed, errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported],
]

/** The keys of an issuer could not be read, so its tokens are neither valid nor invalid. The reason is for the log. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

/** The issuer and audience of a token, and the clock by which it is valid. */
export interface ExpectedToken extends Pick<JWTVerifyOptions, 'currentDate'> {
  readonly kind: keyof typeof types
  readonly issuer: string
  readonly audience: string
}

export type TokenFault = 'expired' | 'invalid' | 'otherType'

/**
 * Finds a fault in the header of a token: its algorithm, its type, or a key id that no key has. It costs little, because no
 * signature is checked.
 * @throws KeysUnavailable
 */
export async function findTokenHeaderFault(
  token: string,
  keys: JWTVerifyGetKey,
  { kind, issuer }: Pick<ExpectedToken, 'kind' | 'issuer'>,
): Promise<TokenFault | undefined> {
  const { alg, typ, ...others } = readHeader(token)
  if (alg === undefined || !algorithms.includes(alg)) return 'invalid'
  const accepted: readonly (string | undefined)[] = types[kind]
  if (!accepted.includes(typ?.toLowerCase().replace(/^application\//, ''))) return 'otherType'
  try {
    await keys({ ...others, alg }, { payload: '', signature: '' })
    return undefined
  } catch (error) {
    return toFault(error, issuer)
  }
}

/**
 * Verifies the type, signature, issuer, audience and times of an access token, which must expire.
 * @returns the fault of the token, or its content
 * @throws KeysUnavailable
 */
export async function verifyAccessToken(
  token: string,
  keys: JWTVerifyGetKey,
  { kind, ...expected }: ExpectedToken,
): Promise<TokenFault | JWTVerifyResult> {
  const { issuer } = expected
  const fault = await findTokenHeaderFault(token, keys, { kind, issuer })
  if (fault !== undefined) return fault
  try {
    return await jwtVerify(token, keys, { ...expected, algorithms, clockTolerance, requiredClaims: ['exp'] })
  } catch (error) {
    return toFault(error, issuer)
  }
}

function readHeader(token: string): ReturnType<typeof decodeProtectedHeader> {
  try {
    return decodeProtectedHeader(token)
  } catch {
    return {}
  }
}

function toFault(error: unknown, issuer: string): TokenFault {
  if (error instanceof errors.JWTExpired) return 'expired'
  if (aboutToken.some(each => error instanceof each)) return 'invalid'
  throw new KeysUnavailable(`the keys of ${issuer} were not read`, { cause: error })
}
