import type { DataConverter } from '@temporalio/common'
import { isProduction, readVariables, SettingsError, type Source } from '#platform/settings'
import { createDataConverter } from './dataConverter.ts'
import { emptyKeyRing, type KeyRing } from './keyRing.ts'
import { ringVariables } from './variables.ts'

/**
 * Reads the keys of the codec. Production requires them, unless LOCKERFLOW_CODEC is off (D-192).
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
