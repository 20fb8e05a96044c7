import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ClientRow } from '../store/tables.ts'

export type KeptSecret = Pick<ClientRow, 'secret_salt' | 'secret_hash'>

/**
 * A client secret as it is kept: a keyed hash under a salt of its own. Secrets are long and random, so a slow hash
 * would protect nobody and be a door for denial of service (docs/decisions.md, Token).
 */
export function keepSecret(secret: string): KeptSecret {
  const salt = randomBytes(16).toString('hex')
  return { secret_salt: salt, secret_hash: digest(salt, secret).toString('hex') }
}

/** Whether `given` is the kept secret; takes the same time when it is not, and when there is none to compare with. */
export function secretHolds(kept: KeptSecret | undefined, given: string): boolean {
  const { secret_salt, secret_hash } = kept ?? nobody
  const equal = timingSafeEqual(digest(secret_salt, given), Buffer.from(secret_hash, 'hex'))
  return equal && kept !== undefined
}

const nobody = keepSecret(randomBytes(32).toString('hex'))

function digest(salt: string, secret: string): Buffer {
  return createHmac('sha256', salt).update(secret).digest()
}
