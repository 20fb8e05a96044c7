import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type KeyRing, readCodecKeys } from '#platform/codec'
import { environmentWith } from '#platform/environment'

/** The key ring of `lockerflow dev`. */
export interface DevKeys {
  readonly ring: KeyRing
  /** Absolute path of its file; undefined for keys of LOCKERFLOW_CODEC_KEYS, and without keys. */
  readonly file: string | undefined
}

/**
 * Reads the key ring of `lockerflow dev`: from LOCKERFLOW_CODEC_KEYS, or from `<folder>/codec.keys`, which is created when it
 * encrypts for the first time. Without `encrypts`, histories of earlier runs stay readable.
 * @throws SettingsError for invalid keys
 */
export function loadCodecKeys(folder: string, encrypts: boolean): DevKeys {
  const file = join(folder, 'codec.keys')
  const given = environmentWith()
  const isGiven = given.LOCKERFLOW_CODEC_KEYS || given.LOCKERFLOW_CODEC_KEYS_FILE
  if (encrypts && !isGiven && !existsSync(file)) {
    writeFileSync(file, `dev:${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  }
  const isStored = !isGiven && existsSync(file)
  const stored = isStored ? { LOCKERFLOW_CODEC_KEYS: readFileSync(file, 'utf8') } : {}
  const ring = readCodecKeys({ ...given, ...stored, LOCKERFLOW_CODEC: encrypts ? 'on' : 'off' })
  return { ring, file: isStored ? resolve(file) : undefined }
}
