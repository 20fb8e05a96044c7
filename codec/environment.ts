import type { DataConverter } from '@temporalio/common'
import { isProduction, readVariables, SettingsError, type Source } from '#contract/settings'
import { createDataConverter } from './dataConverter.ts'
import { emptyKeyRing, type KeyRing } from './keyRing.ts'
import type { PersonalKeys } from './personal/keys.ts'
import { openPersonalKeys } from './personal/store.ts'
import { personalVariables, ringVariables } from './variables.ts'

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
 * Reads the data converter of a process that works with personal fields, and opens the store of their keys.
 *
 * ```ts
 * const client = new Client({ connection: Connection.lazy(), dataConverter: readPersonalConverter() })
 * ```
 *
 * @param required true for a worker: without the store it fails on personal fields, and production needs a word on it
 * @throws SettingsError
 */
export function readPersonalConverter(source: Source = process.env, required = false): DataConverter {
  const ring = readCodecKeys(source)
  const name = 'LOCKERFLOW_PERSONAL_KEYS_URL'
  const { [name]: url } = readVariables(source, personalVariables)
  if (required && url === undefined && ring.current !== undefined && isProduction(source)) {
    const wrong = 'is missing. Production has no default. Set it, or off'
    throw new SettingsError({ name, wrong, example: personalVariables[name].example })
  }
  if (ring.keys.size > 0 && url !== undefined && url !== 'off') {
    return createDataConverter(ring, openPersonalKeys(url, ring))
  }
  return createDataConverter(ring, required && url === undefined ? 'fail' : 'hide')
}

/**
 * Forgets the keys of an account in the store of the settings, for a service whose RemoveAccount does not. Names and
 * addresses in its histories are unreadable then. Returns the number of keys.
 * @throws SettingsError, CodecError
 */
export function forgetPerson(userUid: string, source?: Source): Promise<number> {
  return withPersonalKeys(keys => keys.forget(userUid), source)
}

/**
 * Encrypts the keys of persons in the store of the settings under the first key of the ring. Returns the number of
 * those that another key had encrypted.
 * @throws SettingsError, CodecError
 */
export function resealPersonalKeys(source?: Source): Promise<number> {
  return withPersonalKeys(keys => keys.reseal(), source)
}

async function withPersonalKeys(
  work: (keys: PersonalKeys) => Promise<number>,
  source: Source = process.env,
): Promise<number> {
  const ring = readCodecKeys(source)
  const name = 'LOCKERFLOW_PERSONAL_KEYS_URL'
  const { [name]: url } = readVariables(source, personalVariables)
  if (url === undefined || url === 'off') {
    throw new SettingsError({ name, wrong: 'must name the store', example: personalVariables[name].example })
  }
  const keys = openPersonalKeys(url, ring)
  try {
    return await work(keys)
  } finally {
    await keys.close()
  }
}

/**
 * Reads the data converter of a process that connects to Temporal. Without keys, it names the missing setting when it
 * meets an encrypted payload.
 *
 * ```ts
 * const client = new Client({ connection: Connection.lazy(), dataConverter: readDataConverter() })
 * ```
 *
 * @throws SettingsError
 */
export function readDataConverter(source: Source = process.env): DataConverter {
  return createDataConverter(readCodecKeys(source))
}
