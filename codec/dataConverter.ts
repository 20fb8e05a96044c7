import { fileURLToPath } from 'node:url'
import type { DataConverter } from '@temporalio/common'
import { createEncryptionCodec } from './encryptionCodec.ts'
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
