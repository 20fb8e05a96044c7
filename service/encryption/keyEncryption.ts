import { seal, unseal } from './secrets.ts'

/**
 * Encrypts the data keys of a store. `LOCKERFLOW_STORE_KEYS` makes one with keys in memory; code that embeds the
 * service can give one of a key management service. It is called at the start and after a rotation, never in a
 * transaction.
 */
export interface KeyEncryption {
  /** The keys that decrypt. The first one encrypts. */
  readonly keyIds: readonly [string, ...string[]]
  /** Path of the file that the keys were read from, for messages; absent for those of the setting. */
  readonly file?: string
  /**
   * Encrypts a data key under the first key.
   * @param dataKeyId is authenticated: the result decrypts for this id only
   */
  encrypt(dataKey: Uint8Array, dataKeyId: string): Promise<string>
  /**
   * Decrypts the result of `encrypt`.
   * @param keyId one of `keyIds`
   * @throws Error when the text was changed, or belongs to another key or data key
   */
  decrypt(encrypted: string, keyId: string, dataKeyId: string): Promise<Uint8Array>
}

/** A key-encryption key of 32 bytes. */
export interface EncryptionKey {
  readonly id: string
  readonly key: Uint8Array
}

/** Key encryption with keys in memory: AES-256-GCM, with the ids of key and data key as additional data. */
export function createKeyRing(first: EncryptionKey, ...others: readonly EncryptionKey[]): KeyEncryption {
  const keys = new Map([first, ...others].map(({ id, key }) => [id, key]))
  const additional = (keyId: string, dataKeyId: string) => JSON.stringify(['data key', keyId, dataKeyId])
  return {
    keyIds: [first.id, ...others.map(({ id }) => id)],
    async encrypt(dataKey, dataKeyId) {
      return seal(first.key, dataKey, additional(first.id, dataKeyId)).toString('base64url')
    },
    async decrypt(encrypted, keyId, dataKeyId) {
      const key = keys.get(keyId)
      if (key === undefined) throw new Error(`the key ${keyId} is missing`)
      return unseal(key, Buffer.from(encrypted, 'base64url'), additional(keyId, dataKeyId))
    },
  }
}

/** The sentence about a wrong value, without the value. */
export const keyRingRule = 'must list keys as id:key, each key 32 bytes in Base64, the newest first, each id once'

/** Reads `id:key,id:key` into a key ring, or returns undefined when it breaks `keyRingRule`. */
export function readKeyRing(text: string): KeyEncryption | undefined {
  const keys: EncryptionKey[] = []
  for (const entry of text.split(/[\s,]+/).filter(part => part !== '')) {
    const [, id, encoded] = /^([\w-]{1,40}):([A-Za-z0-9+/_-]{43}=?)$/.exec(entry) ?? []
    if (id === undefined || encoded === undefined || keys.some(key => key.id === id)) return undefined
    keys.push({ id, key: Buffer.from(encoded, 'base64') })
  }
  const [first, ...others] = keys
  return first === undefined ? undefined : createKeyRing(first, ...others)
}

/** Not a key, so that no process accepts it. */
export const encryptionKeysExample = '2026-11:the-output-of-openssl-rand-base64-32'
