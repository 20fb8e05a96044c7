import { fileURLToPath } from 'node:url'
import type { DataConverter } from '@temporalio/common'
import { createEncryptionCodec } from './encryptionCodec.ts'
import type { KeyRing } from './keyRing.ts'
import { createPersonalCodec, type WithoutKeys } from './personal/codec.ts'
import type { PersonalKeys } from './personal/keys.ts'

const failureConverterPath = fileURLToPath(new URL('./failureConverter.ts', import.meta.url))

/**
 * The data converter of Temporal's clients and workers for a ring. Failures are encrypted too.
 * @param keys of persons, or what becomes of personal fields without them
 */
export function createDataConverter(ring: KeyRing, keys: PersonalKeys | WithoutKeys = 'off'): DataConverter {
  return {
    payloadCodecs: [createPersonalCodec(keys, ring.current !== undefined), createEncryptionCodec(ring)],
    ...(ring.current && { failureConverterPath }),
  }
}

/** True if payloads and failures are written encrypted. */
export function encrypts(dataConverter: DataConverter | undefined): boolean {
  return dataConverter?.failureConverterPath === failureConverterPath
}
