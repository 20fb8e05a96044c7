/** The realm of the bearer tokens, as a challenge begins. */
export const bearerRealm = 'Bearer realm="lockerflow"'

/**
 * Returns the challenge of a 401. An error code would be wrong for a request without a token, even if it uses another scheme
 * (RFC 6750 section 3.1).
 */
export function toChallenge(authorization: string | undefined): string {
  return /^Bearer /i.test(authorization ?? '') ? `${bearerRealm}, error="invalid_token"` : bearerRealm
}
