import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ClientSecretRow } from '../store/tables.ts'

export type SecretHash = Pick<ClientSecretRow, 'secret_salt' | 'secret_hash'>

/** Compared with when a client has no secrets, or is unknown. */
const unknownClient = hashSecret(randomBytes(32).toString('hex'))

/**
 * Hashes a client secret under a salt of its own. Secrets are long and random, so a slow hash would protect nothing and
 * open a door to denial of service.
 */
export function hashSecret(secret: string): SecretHash {
  const salt = randomBytes(16).toString('hex')
  return { secret_salt: salt, secret_hash: digest(salt, secret).toString('hex') }
}

/** Finds the hash of a secret. Each comparison takes constant time, and an unknown client takes one too. */
export function findSecret<Row extends SecretHash>(rows: readonly Row[], secret: string): Row | undefined {
  if (rows.length === 0) matchesSecret(unknownClient, secret)
  return rows.filter(row => matchesSecret(row, secret))[0]
}

function matchesSecret({ secret_salt, secret_hash }: SecretHash, secret: string): boolean {
  return timingSafeEqual(digest(secret_salt, secret), Buffer.from(secret_hash, 'hex'))
}

function digest(salt: string, secret: string): Buffer {
  return createHmac('sha256', salt).update(secret).digest()
}
