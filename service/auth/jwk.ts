import type { JWK } from 'jose'
import type { SigningKeyRow } from '../store/tables.ts'

const algorithmByCurve: Readonly<Record<string, string>> = {
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
  Ed25519: 'EdDSA',
}

/** The signature algorithm of a key, or undefined when no public key can verify its signatures. */
export function findAlgorithm({ kty, crv, alg }: JWK): string | undefined {
  if (kty === 'RSA') return alg ?? 'RS256'
  return kty === 'EC' || kty === 'OKP' ? algorithmByCurve[crv ?? ''] : undefined
}

/** The public part of a key of the store, as an entry of the key set. */
export function toPublicJwk(row: SigningKeyRow): JWK {
  const jwk = removePrivatePart(parseJwk(row))
  const alg = findAlgorithm(jwk)
  return { ...jwk, kid: row.kid, use: 'sig', ...(alg !== undefined && { alg }) }
}

export function removePrivatePart(jwk: JWK): JWK {
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, oth: _oth, k: _k, ...publicPart } = jwk
  return publicPart
}

export function parseJwk({ jwk }: SigningKeyRow): JWK {
  return JSON.parse(jwk)
}
