import { createHash, randomBytes } from 'node:crypto'
import { loadOrCreateSecret, SettingsError } from '#contract/settings'
import { toPath } from '../store/sqlite/open.ts'
import { createKeyRing, encryptionKeysExample, type KeyEncryption, keyRingRule, readKeyRing } from './keyEncryption.ts'

/** The processes on a PostgreSQL in staging have no file in common, so their key is public, as all secrets of staging. */
const publicKey = createHash('sha256').update('lockerflow: public key of staging').digest()

/**
 * The key ring of a service in staging without a setting. For an embedded store it is a file beside that of the store, made
 * at the first start and readable for its owner only.
 * @throws SettingsError when the file contains something else
 */
export function loadStagingKeys(databaseUrl: string): KeyEncryption {
  if (!databaseUrl.startsWith('file:')) return createKeyRing({ id: 'public', key: publicKey })
  const path = toPath(databaseUrl)
  if (path === ':memory:') return createKeyRing({ id: 'memory', key: randomBytes(publicKey.length) })
  const file = `${path}.key`
  const ring = readKeyRing(loadOrCreateSecret(file, generateKeys))
  if (ring !== undefined) return ring
  const wrong = `${file} ${keyRingRule}`
  throw new SettingsError({ name: 'LOCKERFLOW_STORE_KEYS', wrong, example: encryptionKeysExample })
}

function generateKeys(): string {
  return `staging:${randomBytes(publicKey.length).toString('base64')}\n`
}
