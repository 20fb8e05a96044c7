import type { JWK } from 'jose'

const byCurve: Readonly<Record<string, string>> = {
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
  Ed25519: 'EdDSA',
}

/** What keys that the service makes for itself sign with: every library knows it. */
export const madeAlgorithm = 'ES256'

/** The signature algorithm of a key; undefined when tokens cannot be signed with it so that others can check them. */
export function algorithmOf({ kty, crv, alg }: JWK): string | undefined {
  if (kty === 'RSA') return alg ?? 'RS256'
  return kty === 'EC' || kty === 'OKP' ? byCurve[crv ?? ''] : undefined
}

/** The part of a key that others may see. */
export function publicPart(jwk: JWK): JWK {
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, oth: _oth, k: _k, ...shown } = jwk
  return shown
}
