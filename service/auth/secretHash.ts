import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ClientRow } from '../store/tables.ts'

export type SecretHash = Pick<ClientRow, 'secret_salt' | 'secret_hash'>

/** Compared with when a client is unknown. */
const unknownClient = hashSecret(randomBytes(32).toString('hex'))

/**
 * Hashes a client secret under a salt of its own. Secrets are long and random, so a slow hash would protect nothing and
 * open a door to denial of service (D-008).
 */
export function hashSecret(secret: string): SecretHash {
  const salt = randomBytes(16).toString('hex')
  return { secret_salt: salt, secret_hash: digest(salt, secret).toString('hex') }
}

/** Compares a secret in constant time, for unknown clients too. */
export function matchesSecret(hash: SecretHash | undefined, secret: string): boolean {
  const { secret_salt, secret_hash } = hash ?? unknownClient
  const isEqual = timingSafeEqual(digest(secret_salt, secret), Buffer.from(secret_hash, 'hex'))
  return isEqual && hash !== undefined
}

function digest(salt: string, secret: string): Buffer {
  return createHmac('sha256', salt).update(secret).digest()
}
