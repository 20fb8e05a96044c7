import { fileURLToPath } from 'node:url'
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common'
import { CodecError } from './codecError.ts'
import { decryptPayload, encryptPayload, keyIdOf } from './encryptedPayload.ts'
import type { KeyRing } from './keyRing.ts'

const failureConverterPath = fileURLToPath(new URL('./failureConverter.ts', import.meta.url))

/** The data converter of Temporal's clients and workers for a ring. Failures are encrypted too. */
export function createDataConverter(ring: KeyRing): DataConverter {
  return {
    payloadCodecs: [createEncryptionCodec(ring)],
    ...(ring.current && { failureConverterPath }),
  }
}

/** True if payloads and failures are written encrypted. */
export function encrypts(dataConverter: DataConverter | undefined): boolean {
  return dataConverter?.failureConverterPath === failureConverterPath
}

/**
 * Encrypts payloads with the current key of the ring, and decrypts those of any of its keys. Payloads that are not
 * encrypted are passed on, since histories from before the codec stay readable.
 */
export function createEncryptionCodec({ current, keys }: KeyRing): PayloadCodec {
  function decode(payload: Payload): Payload {
    const id = keyIdOf(payload)
    if (id === undefined) return payload
    const key = keys.get(id)
    if (key === undefined) throw new CodecError(`must contain the key ${id}, with which a payload is encrypted`)
    const decrypted = decryptPayload(key, payload)
    if (decrypted === undefined) {
      throw new CodecError(`must contain the key ${id} that encrypted a payload, but its key ${id} is another one`)
    }
    return decrypted
  }
  return {
    encode: async payloads => (current ? payloads.map(payload => encryptPayload(current, payload)) : payloads),
    decode: async payloads => payloads.map(decode),
  }
}
