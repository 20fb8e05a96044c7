import { CodecError } from '../codecError.ts'
import { decrypt, encrypt } from '../encryptedPayload.ts'
import type { KeyRing } from '../keyRing.ts'
import type { Value } from './database.ts'
import { statements } from './statements.ts'
import type { RunStatement } from './table.ts'

/** Encrypts the keys of persons for their store: the id of the ring's key, a colon, and the ciphertext in base64. */
export interface Seal {
  /** @throws CodecError without a current key */
  seal(key: Buffer): string
  /**
   * Returns undefined for a forgotten key, whose column is null.
   * @throws CodecError if the ring lacks the key
   */
  unseal(sealed: Value | undefined): Buffer | undefined
  /** True if the first key of the ring has sealed it. */
  isCurrent(sealed: Value | undefined): boolean
}

export function createSeal(ring: KeyRing): Seal {
  return {
    seal(key) {
      if (ring.current === undefined) throw new CodecError('must have a current key, which seals personal keys')
      return `${ring.current.id}:${encrypt(ring.current.key, key).toString('base64')}`
    },
    unseal(sealed) {
      if (typeof sealed !== 'string') return undefined
      const [id = '', data = ''] = sealed.split(':')
      const key = ring.keys.get(id)
      const plain = key && decrypt(key.key, Buffer.from(data, 'base64'))
      if (plain === undefined) throw new CodecError(`must contain the key ${id}, with which a personal key is sealed`)
      return plain
    },
    isCurrent: sealed => typeof sealed === 'string' && sealed.split(':')[0] === ring.current?.id,
  }
}

/** Encrypts again the keys of persons that another key of the ring has encrypted. Returns their number. */
export async function reseal(all: RunStatement, { seal, unseal, isCurrent }: Seal): Promise<number> {
  let [count, last] = [0, '']
  for (;;) {
    const rows = await all(statements.listSealed, last)
    for (const { key_id, sealed_key } of rows) {
      const plain = isCurrent(sealed_key) ? undefined : unseal(sealed_key)
      if (plain === undefined) continue
      count += (await all(statements.reseal, seal(plain), String(key_id))).length
    }
    last = String(rows.at(-1)?.key_id ?? '')
    if (last === '') return count
  }
}
