import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from 'node:crypto'
import type { Payload } from '@temporalio/common'
import protos from '@temporalio/proto'
import type { CodecKey } from './keyRing.ts'

/** The form of Temporal's own samples, so that their codecs in other languages read it with the same key. */
const encryptedEncoding = 'binary/encrypted'
const keyIdField = 'encryption-key-id'

const algorithm = 'aes-256-gcm'
/** Lengths of the nonce and of the authentication tag, in bytes. */
const nonceLength = 12
const tagLength = 16

const proto = protos.temporal.api.common.v1.Payload
const encoding = Buffer.from(encryptedEncoding)

/** Encrypts bytes: nonce, ciphertext, tag. */
function encrypt(key: KeyObject, plain: Uint8Array): Buffer {
  const nonce = randomFillSync(Buffer.allocUnsafeSlow(nonceLength))
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength })
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/**
 * Decrypts bytes that `encrypt` returned.
 * @returns undefined if another key encrypted them, or if they were changed
 */
function decrypt(key: KeyObject, encrypted: Uint8Array): Buffer | undefined {
  if (encrypted.length < nonceLength + tagLength) return undefined
  const end = encrypted.length - tagLength
  const decipher = createDecipheriv(algorithm, key, encrypted.subarray(0, nonceLength), { authTagLength: tagLength })
  decipher.setAuthTag(encrypted.subarray(end))
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(nonceLength, end)), decipher.final()])
  } catch {
    return undefined
  }
}

/** Encrypts a payload with its metadata. */
export function encryptPayload({ id, key }: CodecKey, payload: Payload): Payload {
  return {
    metadata: { encoding, [keyIdField]: Buffer.from(id) },
    data: encrypt(key, proto.encode(payload).finish()),
  }
}

/** Bytes of the id of a key that are read. None is as long, and errors quote an id, which a caller of the codec server chooses. */
const maxKeyIdLength = 100

/** The id of a key in the metadata of a payload. */
function readKeyId(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes?.subarray(0, maxKeyIdLength) ?? []).toString()
}

/** The id of the key that encrypted a payload; undefined for a payload that is not encrypted. */
export function keyIdOf({ metadata }: Payload): string | undefined {
  const declared = metadata?.encoding
  if (declared == null || !encoding.equals(declared)) return undefined
  return readKeyId(metadata?.[keyIdField])
}

/** The payload inside an encrypted one; undefined if the key does not decrypt it. */
export function decryptPayload({ key }: CodecKey, { data }: Payload): Payload | undefined {
  const plain = decrypt(key, data ?? new Uint8Array())
  return plain && proto.decode(plain)
}
