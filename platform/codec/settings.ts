import type { DataConverter } from '@temporalio/common'
import { z } from 'zod'
import {
  environmentVariable,
  isProduction,
  readVariables,
  ringKeysOf,
  SettingsError,
  type Source,
  type Variable,
} from '#platform/settings'
import { createDataConverter } from './dataConverter.ts'
import { emptyKeyRing, type KeyRing, readKeyRing } from './keyRing.ts'

/** Read by every process that reads or writes histories. */
export const codecVariables = {
  LOCKERFLOW_CODEC_KEYS: {
    description:
      'Keys that encrypt histories, as `id:key` separated by commas or lines; a key is 32 bytes in base64. The first key encrypts, and all keys decrypt.',
    example: '2026-11:ZXhhbXBsZSBvZiBhIGtleSB3aXRoIDMyIGJ5dGVzLi4=',
    schema: z
      .string()
      .optional()
      .transform((text, context) => {
        const ring = text === undefined ? undefined : readKeyRing(text)
        if (typeof ring !== 'string') return ring
        context.addIssue(ring)
        return z.NEVER
      }),
    secret: ringKeysOf,
  },
  LOCKERFLOW_CODEC: {
    description:
      'on or off. Off writes payloads unencrypted; encrypted ones stay readable with the keys. If it is not set, histories are encrypted if there are keys, and production requires keys.',
    example: 'off',
    schema: z.enum(['on', 'off'], 'must be on or off').optional(),
  },
} as const satisfies Record<string, Variable>

/** With the environment, which decides if keys are required. */
const ringVariables = { ...environmentVariable, ...codecVariables } as const

/**
 * Reads the keys of the codec. Production requires them, unless LOCKERFLOW_CODEC is off.
 * @throws SettingsError
 */
export function readCodecKeys(source: Source = process.env): KeyRing {
  const { LOCKERFLOW_CODEC_KEYS: ring, LOCKERFLOW_CODEC: mode } = readVariables(source, ringVariables)
  if (ring === undefined && mode !== 'off' && (mode === 'on' || isProduction(source))) {
    const name = 'LOCKERFLOW_CODEC_KEYS'
    const cause = mode === 'on' ? 'although LOCKERFLOW_CODEC is on' : 'and production encrypts histories'
    const wrong = `is missing, ${cause}. Set it, or LOCKERFLOW_CODEC=off`
    throw new SettingsError({ name, wrong, example: ringVariables[name].example })
  }
  return { ...(ring ?? emptyKeyRing), ...(mode === 'off' && { current: undefined }) }
}

/**
 * Reads the data converter of a process that connects to Temporal. Without the ring, it names the missing setting when it
 * meets an encrypted payload.
 *
 * ```ts
 * const client = new Client({ connection: Connection.lazy(), dataConverter: readDataConverter() })
 * ```
 *
 * @throws SettingsError
 */
export function readDataConverter(source?: Source): DataConverter {
  return createDataConverter(readCodecKeys(source))
}
