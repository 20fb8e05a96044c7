import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadOrCreateSecret, SettingsError } from '#platform/settings'
import { recordAudit } from '../audit/index.ts'
import { inTransaction, openExistingStore, type Store } from '../store/index.ts'
import { bumpRevision } from '../store/revision.ts'
import { toPath } from '../store/sqlite/open.ts'
import { generateDataKey, publicKeyId } from './dataKeyEncryption.ts'
import { announceDataKey, deleteDataKeys, readAnnounced, readDataKeys, useDataKey } from './dataKeyRows.ts'
import { openSecrets } from './dataKeys.ts'
import { createKeyRing, encryptionKeysExample, type KeyEncryption, keyRingRule, readKeyRing } from './keyEncryption.ts'
import { reencrypt } from './reencrypt.ts'

/** A data key of the store. */
export interface DataKeyEntry {
  readonly dataKeyId: string
  /** The key-encryption keys that decrypt it. */
  readonly encryptedBy: readonly string[]
}

export interface EncryptionListing {
  /** In the order in which they begin to encrypt. */
  readonly dataKeys: readonly DataKeyEntry[]
  /** The keys of the setting, the first one encrypts. */
  readonly keyIds: readonly string[]
  /** Keys of the setting that the store does not need. A backup from before the last rotation may need them. */
  readonly unusedKeyIds: readonly string[]
}

export interface Rotation {
  readonly dataKeyId: string
  /** Rows that were encrypted again. */
  readonly rows: number
}

/** The encryption of a store that services may have open. */
export interface EncryptionRegistry {
  list(): Promise<EncryptionListing>
  /**
   * Replaces the data key, encrypts every secret under it, and deletes the earlier data keys.
   * @param signal ends the rotation, which another one completes
   * @throws the signal's reason
   */
  rotate(signal?: AbortSignal): Promise<Rotation>
  close(): Promise<void>
}

export interface OpenEncryptionOptions {
  /** Default: those of staging. */
  readonly keyEncryption?: KeyEncryption | undefined
  /**
   * Milliseconds in which every process reads a new data key and ends the transactions that began before. A process
   * whose data keys are ten polls old reads them before a request, and a transaction lasts at most 20 s.
   */
  readonly settling?: number
}

/** Time limit of a statement in milliseconds: a search for old values reads all shipments. */
const statementTimeout = 600_000

/** The processes on a PostgreSQL in staging have no file in common, so their key is public, as all secrets of staging. */
const publicKey = createHash('sha256').update('lockerflow: public key of staging').digest()

/**
 * Opens the store at a `file:` or `postgres://` URL.
 * @throws Error when it cannot be opened, is a file that does not exist, or no key decrypts its data keys
 */
export async function openEncryption(
  databaseUrl: string,
  { keyEncryption: given, settling = 30_000 }: OpenEncryptionOptions = {},
): Promise<EncryptionRegistry> {
  const store = await openExistingStore(databaseUrl, { statementTimeout })
  try {
    return createRegistry(store, given ?? (await openStagingKeys(store, databaseUrl)), settling)
  } catch (error) {
    await store.destroy()
    throw error
  }
}

function createRegistry(store: Store, keyEncryption: KeyEncryption, settling: number): EncryptionRegistry {
  return {
    list: () => list(store, keyEncryption),
    rotate: signal => rotate(store, keyEncryption, { settling, signal }),
    close: () => store.destroy(),
  }
}

async function list(store: Store, { keyIds }: KeyEncryption): Promise<EncryptionListing> {
  const rows = Map.groupBy(await readDataKeys(store), ({ data_key_id }) => data_key_id)
  const dataKeys = [...rows].map(([dataKeyId, copies]) => ({
    dataKeyId,
    encryptedBy: copies.map(({ encrypted_by }) => encrypted_by),
  }))
  const [first, ...others] = keyIds
  const isUnused = (keyId: string) =>
    dataKeys.every(({ encryptedBy }) => encryptedBy.includes(first) || !encryptedBy.includes(keyId))
  return { dataKeys, keyIds, unusedKeyIds: others.filter(isUnused) }
}

async function rotate(
  store: Store,
  keyEncryption: KeyEncryption,
  { settling, signal }: { readonly settling: number; readonly signal: AbortSignal | undefined },
): Promise<Rotation> {
  const settle = () => sleep(settling, undefined, { signal }).catch(() => signal?.throwIfAborted())
  const secrets = await openSecrets({ store, keyEncryption, actor: 'operator' })
  const created = await generateDataKey(keyEncryption)
  const announced = await inTransaction(store, async tx => {
    const earlier = await readAnnounced(tx)
    await announceDataKey(tx, created)
    await bumpRevision(tx)
    const subject = created.data_key_id
    await recordAudit(tx, { action: 'key.rotated', actor: 'operator', now: Date.now(), subject, detail: 'data' })
    return earlier
  })
  await settle()
  const replaced = await inTransaction(store, async tx => {
    const ids = await useDataKey(tx, created.data_key_id, settling)
    await bumpRevision(tx)
    return ids
  })
  await settle()
  await secrets.refresh()
  let rows = await reencrypt(store, secrets, { oldIds: replaced, signal })
  // Transactions that began under the old data key end meanwhile.
  await settle()
  rows += await reencrypt(store, secrets, { oldIds: replaced, signal })
  await inTransaction(store, async tx => {
    // A rotation that announced its data key before this one did, and has not used it since then, no longer runs.
    await deleteDataKeys(tx, { replaced, announced })
    await bumpRevision(tx)
  })
  // Processes hash codes under the old data keys until they have noticed.
  await settle()
  await inTransaction(store, tx => tx.deleteFrom('access_codes').where('data_key_id', 'in', replaced).execute())
  return { dataKeyId: created.data_key_id, rows }
}

/**
 * The key ring of a service in staging without a setting. For an embedded store it is a file beside that of the store, made
 * at the first start and readable for its owner only.
 * @throws SettingsError when the file contains something else
 */
export function loadStagingKeys(databaseUrl: string): KeyEncryption {
  if (!databaseUrl.startsWith('file:')) return createKeyRing({ id: publicKeyId, key: publicKey })
  const file = keyFile(databaseUrl)
  if (file === undefined) return createKeyRing({ id: 'memory', key: randomBytes(publicKey.length) })
  const ring = readKeyRing(loadOrCreateSecret('LOCKERFLOW_STORE_KEYS', file, generateKeys))
  if (ring !== undefined) return { ...ring, file }
  const wrong = `${file} ${keyRingRule}`
  throw new SettingsError({ name: 'LOCKERFLOW_STORE_KEYS', wrong, example: encryptionKeysExample })
}

/**
 * Loads the key ring of a service in staging for a store whose secrets it must decrypt.
 * @throws SettingsError when the file is gone, as after a restore without it: a new key would decrypt nothing
 */
export async function openStagingKeys(store: Store, databaseUrl: string): Promise<KeyEncryption> {
  // The file is older than the first data key.
  const hasSecrets = (await readDataKeys(store)).length > 0
  const file = keyFile(databaseUrl)
  if (hasSecrets && file !== undefined && !existsSync(file)) throw noKeys(file)
  return loadStagingKeys(databaseUrl)
}

/** The file with the key ring of an embedded store; undefined for another one, and for one in memory. */
function keyFile(databaseUrl: string): string | undefined {
  const path = databaseUrl.startsWith('file:') ? toPath(databaseUrl) : ':memory:'
  return path === ':memory:' ? undefined : `${path}.key`
}

function noKeys(file: string | undefined): SettingsError {
  const wrong = `must have the keys of the store, since there is no file ${file}`
  return new SettingsError({ name: 'LOCKERFLOW_STORE_KEYS', wrong, example: encryptionKeysExample })
}

/**
 * The keys of a store that exists: those of the setting, and for an embedded store those of the file beside it too, since a
 * service in staging may have run without the setting.
 * @throws SettingsError without either, or when the file contains something else
 */
export function findStoreKeys(databaseUrl: string, given: KeyEncryption | undefined): KeyEncryption {
  const file = keyFile(databaseUrl)
  const beside = file === undefined || existsSync(file) ? loadStagingKeys(databaseUrl) : undefined
  if (given === undefined && beside === undefined) throw noKeys(file)
  if (given === undefined || beside === undefined) return given ?? (beside as KeyEncryption)
  return {
    keyIds: [given.keyIds[0], ...given.keyIds.slice(1), ...beside.keyIds],
    encrypt: (dataKey, dataKeyId) => given.encrypt(dataKey, dataKeyId),
    decrypt: (encrypted, keyId, dataKeyId) =>
      (given.keyIds.includes(keyId) ? given : beside).decrypt(encrypted, keyId, dataKeyId),
  }
}

function generateKeys(): string {
  return `staging:${randomBytes(publicKey.length).toString('base64')}\n`
}
