import type { DataConverter } from '@temporalio/common'
import {
  environmentVariable,
  isGiven,
  isProduction,
  readTogether,
  readVariables,
  SettingsError,
  type Source,
  secureUrl,
} from '#platform/settings'
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
 * Reads the data converter of a process that connects to Temporal, and opens the store of the keys of persons when it meets
 * personal fields. Without `LOCKERFLOW_PERSONAL_KEYS_URL`, these read `[removed]`, and a start with them is refused. Without
 * the ring, it names the missing setting when it meets an encrypted payload.
 *
 * ```ts
 * const client = new Client({ connection: Connection.lazy(), dataConverter: readDataConverter() })
 * ```
 *
 * @param required true for a worker: it fails on personal fields without the store, so production must set the store or `off`
 * @throws SettingsError
 */
export function readDataConverter(source?: Source, required?: boolean): DataConverter {
  return readCodec(source, required).dataConverter
}

/** The data converter of a process, and the keys of persons that it has. @throws SettingsError */
export function readCodec(
  source: Source = process.env,
  required = false,
): { readonly dataConverter: DataConverter; readonly keys?: PersonalKeys } {
  const { ring, url } = readTogether({
    ring: () => readCodecKeys(source),
    url: () => readPersonalKeysUrl(source),
    // A wrong LOCKERFLOW_DATABASE_CA must not hide a wrong URL.
    urlAlone: () => readPersonalKeysUrl({ ...source, LOCKERFLOW_DATABASE_CA: undefined }),
    required: () => required && requirePersonalKeys(source),
  })
  if (url === 'off' || ring.keys.size === 0) return { dataConverter: createDataConverter(ring, 'off') }
  if (url === undefined) return { dataConverter: createDataConverter(ring, required ? 'fail' : 'hide') }
  const keys = openPersonalKeys(url, ring)
  return { dataConverter: createDataConverter(ring, keys), keys }
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
  const url = readPersonalKeysUrl(source)
  if (url === undefined || url === 'off') throw personalKeysError('must name the store')
  const keys = openPersonalKeys(url, ring)
  try {
    return await work(keys)
  } finally {
    await keys.close()
  }
}

/**
 * The URL of the store of personal keys, with the TLS settings of the service's store (D-184); `off`; or undefined if the
 * setting is absent.
 */
function readPersonalKeysUrl(source: Source): string | undefined {
  const values = readVariables(source, { ...environmentVariable, ...personalVariables })
  const { LOCKERFLOW_PERSONAL_KEYS_URL: url } = values
  const { example } = personalVariables.LOCKERFLOW_PERSONAL_KEYS_URL
  return url && secureUrl({ name: 'LOCKERFLOW_PERSONAL_KEYS_URL', url, example }, values)
}

/** A worker in production encrypts, unless LOCKERFLOW_CODEC is off. @throws SettingsError */
function requirePersonalKeys(source: Source): void {
  if (!isProduction(source) || source.LOCKERFLOW_CODEC === 'off' || isGiven(source, 'LOCKERFLOW_PERSONAL_KEYS_URL'))
    return
  throw personalKeysError('is missing. Production has no default. Set it, or off')
}

function personalKeysError(wrong: string): SettingsError {
  const { example } = personalVariables.LOCKERFLOW_PERSONAL_KEYS_URL
  return new SettingsError({ name: 'LOCKERFLOW_PERSONAL_KEYS_URL', wrong, example })
}
