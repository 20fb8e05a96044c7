import { type CipherKey, createCipheriv, createDecipheriv, hash, type KeyObject, randomFillSync } from 'node:crypto'

/** The columns that are encrypted. */
export type SecretColumn =
  | 'signing_keys.private_jwk'
  | 'tenants.callback_key'
  | 'tenants.callback_key_previous'
  | 'shipments.pick_up_code'
  | 'shipments.delivery_code'

/** A data key that no key-encryption key of this process decrypts. */
export interface UnreadableDataKey {
  readonly id: string
  /** `performance.now()` from which on it encrypts. */
  readonly usedFrom: number
  /** True while a rotation waits until all processes have read it. */
  readonly announced: boolean
}

/** A data key in memory. As key objects: Node.js would make one of the bytes for each value, which takes ten microseconds. */
export interface ReadableDataKey extends UnreadableDataKey {
  readonly encryptionKey: KeyObject
  readonly hashKey: HashKey
}

/** The data keys of the store, as of the last read. */
export interface DataKeys {
  /** The data keys of the store, in the order in which they begin to encrypt. At least one. */
  readonly current: readonly (ReadableDataKey | UnreadableDataKey)[]
  /** Removed ones too, for transactions that read a row before. */
  readonly known: ReadonlyMap<string, ReadableDataKey>
}

/** A keyed hash of an access code. */
export interface CodeHash {
  readonly code: string
  readonly data_key_id: string
  readonly code_hash: string
}

/** Encrypts and decrypts columns of the store. Synchronous, since it runs inside of transactions. */
export interface Secrets {
  /**
   * @param rowId the key of the row; the result decrypts for this row and column only
   * @throws UnknownDataKey when this process cannot read the data key that encrypts now
   */
  encrypt(column: SecretColumn, rowId: string, text: string): string
  /**
   * @throws UnknownDataKey when another process has created the data key since the last `refresh`
   * @throws Error when the value was changed, or belongs to another row or column
   */
  decrypt(column: SecretColumn, rowId: string, encrypted: string): string
  /**
   * Hashes access codes, so that they are unique at their pick up point: under each data key, which are two while one
   * replaces the other. Codes are short, so without the data key a hash would reveal them.
   */
  hashCodes(pupUid: string, codes: readonly string[]): readonly CodeHash[]
  /**
   * Hashes access codes that are released, under announced data keys too: another process may allocate codes with one
   * already, and its hashes must not stay.
   * @throws UnknownDataKey when this process cannot read a data key that codes are allocated with
   */
  hashReleasedCodes(pupUid: string, codes: readonly string[]): readonly CodeHash[]
  /** Reads the data keys again. Never in a transaction, since it may call a key management service. */
  refresh(): Promise<void>
}

/** This process has not read the data key of a value, or cannot decrypt it. */
export class UnknownDataKey extends Error {
  override readonly name = 'UnknownDataKey'
}

function isReadable(key: ReadableDataKey | UnreadableDataKey): key is ReadableDataKey {
  return 'encryptionKey' in key
}

const unreadable = 'the data key must be one that this process can read.'

/** Beginning of every encrypted value. Another algorithm would have another one. */
const version = 'v1'

/** The beginning of the values that a data key has encrypted. */
export function valuePrefix(dataKeyId: string): string {
  return `${version}.${dataKeyId}.`
}

/** Characters of a hash of an access code: the first 132 bits of HMAC-SHA256. */
const hashLength = 22

/** @param state has the data keys of the last read */
export function createSecrets(state: { readonly keys: DataKeys }, refresh: () => Promise<void>): Secrets {
  const additional = (dataKeyId: string, column: SecretColumn, rowId: string) =>
    JSON.stringify([version, dataKeyId, column, rowId])
  return {
    encrypt(column, rowId, text) {
      const { current } = state.keys
      const now = performance.now()
      const key = current.findLast(({ usedFrom }) => usedFrom <= now) ?? current[0]
      if (key === undefined || !isReadable(key)) {
        throw new UnknownDataKey(`${column} of ${rowId}: ${unreadable}`)
      }
      const sealed = seal(key.encryptionKey, Buffer.from(text), additional(key.id, column, rowId))
      return valuePrefix(key.id) + sealed.toString('base64url')
    },
    decrypt(column, rowId, encrypted) {
      const [found, id = '', sealed = ''] = encrypted.split('.')
      if (found !== version) throw new Error(`${column} of ${rowId} must be encrypted`)
      const key = state.keys.known.get(id)
      if (key === undefined) throw new UnknownDataKey(`${column} of ${rowId}: ${unreadable}`)
      return unseal(key.encryptionKey, Buffer.from(sealed, 'base64url'), additional(id, column, rowId)).toString()
    },
    hashCodes(pupUid, codes) {
      const used = state.keys.current.filter(({ announced }) => !announced)
      return hashUnder(used.filter(isReadable), pupUid, codes)
    },
    hashReleasedCodes(pupUid, codes) {
      const { current } = state.keys
      if (!current.every(key => key.announced || isReadable(key))) {
        throw new UnknownDataKey(`access codes at ${pupUid}: ${unreadable}`)
      }
      return hashUnder(current.filter(isReadable), pupUid, codes)
    },
    refresh,
  }
}

function hashUnder(keys: readonly ReadableDataKey[], pupUid: string, codes: readonly string[]): readonly CodeHash[] {
  if (keys.length === 0) throw new UnknownDataKey(`access codes at ${pupUid}: ${unreadable}`)
  return codes.flatMap(code =>
    keys.map(({ id, hashKey }) => ({
      code,
      data_key_id: id,
      code_hash: hmac(hashKey, JSON.stringify([pupUid, code])).slice(0, hashLength),
    })),
  )
}

/** A key of HMAC-SHA256, with the paddings of RFC 2104. */
export interface HashKey {
  readonly inner: Buffer
  /** With room for the inner hash. */
  readonly outer: Buffer
}

/** Bytes of a block and of a hash of SHA-256. */
const [blockLength, digestLength] = [64, 32]

/** @param key at most 64 bytes */
export function toHashKey(key: Uint8Array): HashKey {
  const padded = new Uint8Array(blockLength)
  padded.set(key)
  const outer = Buffer.alloc(blockLength + digestLength)
  outer.set(padded.map(byte => byte ^ 0x5c))
  return { inner: Buffer.from(padded.map(byte => byte ^ 0x36)), outer }
}

/**
 * HMAC-SHA256 in base64url. Two hashes in one call each: Node.js takes several times longer for an object of `createHmac`,
 * and a booking needs two.
 */
export function hmac({ inner, outer }: HashKey, text: string): string {
  const message = Buffer.allocUnsafe(blockLength + 3 * text.length)
  inner.copy(message)
  const length = blockLength + message.write(text, blockLength)
  // As texts of bytes: a buffer for each result takes longer than the hash.
  outer.write(hash('sha256', message.subarray(0, length), 'binary'), blockLength, 'latin1')
  return hash('sha256', outer, 'base64url')
}

const algorithm = 'aes-256-gcm'
const [ivLength, tagLength] = [12, 16]

/** Random bytes for the next nonces: one call for each nonce takes several microseconds. */
const nonces = Buffer.alloc(512 * ivLength)
let nonceOffset = nonces.length

function nextNonce(): Buffer {
  if (nonceOffset === nonces.length) {
    randomFillSync(nonces)
    nonceOffset = 0
  }
  nonceOffset += ivLength
  return nonces.subarray(nonceOffset - ivLength, nonceOffset)
}

/** AES-256-GCM under a key. The result is a random nonce, the tag, and the encrypted bytes. */
export function seal(key: CipherKey, bytes: Uint8Array, additional: string): Buffer {
  const iv = nextNonce()
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(additional))
  const encrypted = cipher.update(bytes)
  // Computes the tag. This mode leaves no bytes for the end.
  cipher.final()
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted])
}

/** @throws Error when the bytes, the key or the additional data differ from those of `seal` */
export function unseal(key: CipherKey, sealed: Uint8Array, additional: string): Buffer {
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivLength), { authTagLength: tagLength })
    .setAAD(Buffer.from(additional))
    .setAuthTag(sealed.subarray(ivLength, ivLength + tagLength))
  return Buffer.concat([decipher.update(sealed.subarray(ivLength + tagLength)), decipher.final()])
}
