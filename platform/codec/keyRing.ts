import { createSecretKey, type KeyObject } from 'node:crypto'

/** A key of 256 bits with the id that payloads name. */
export interface CodecKey {
  readonly id: string
  readonly key: KeyObject
}

/** The keys of the payload codec. */
export interface KeyRing {
  /** Encrypts. Undefined: payloads are written as they are, and encrypted ones stay readable. */
  readonly current: CodecKey | undefined
  /** Decrypt, by id; the current key is among them. */
  readonly keys: ReadonlyMap<string, CodecKey>
}

/** A ring that reads and writes unencrypted payloads only. */
export const emptyKeyRing: KeyRing = { current: undefined, keys: new Map() }

const entry = /^([A-Za-z0-9._-]{1,40}):([A-Za-z0-9+/_-]{43}=?)$/

/**
 * Reads a ring: `id:key` separated by commas, blanks or lines, the current key first. A key is 32 bytes in base64.
 * @returns the ring, or the problem without a full stop, which quotes no key
 */
export function readKeyRing(text: string): KeyRing | string {
  const parts = text.split(/[\s,]+/).filter(part => part !== '')
  const keys = new Map<string, CodecKey>()
  for (const [index, part] of parts.entries()) {
    const [, id, encoded] = entry.exec(part) ?? []
    if (id === undefined || encoded === undefined) {
      return `must list keys as id:key, each key 32 bytes in base64, unlike entry ${index + 1}`
    }
    if (keys.has(id)) return `must name each key once, but ${id} is there twice`
    keys.set(id, { id, key: createSecretKey(Buffer.from(encoded, 'base64')) })
  }
  const [current] = keys.values()
  return current === undefined ? 'must contain at least one key' : { current, keys }
}
