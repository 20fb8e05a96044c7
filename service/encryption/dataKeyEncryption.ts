import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { SettingsError } from '#platform/settings'
import { type AuditEntry, recordAudit } from '../audit/index.ts'
import { advisoryLock, inTransaction, type Store, type StoreTransaction } from '../store/index.ts'
import { type EncryptedDataKey, insertFirstDataKey, readDataKeys } from './dataKeyRows.ts'
import type { KeyEncryption } from './keyEncryption.ts'

/** Bytes of a data key, and of the keys that are derived from it. */
export const keyLength = 32

/** The id of the key that a store on PostgreSQL has in staging without a setting. The key is public. */
export const publicKeyId = 'public'

/** Creates a data key in memory, encrypted under the first key-encryption key. */
export async function generateDataKey(keyEncryption: KeyEncryption): Promise<EncryptedDataKey> {
  const data_key_id = randomBytes(8).toString('base64url')
  const encrypted_key = await keyEncryption.encrypt(randomBytes(keyLength), data_key_id)
  return { data_key_id, encrypted_by: keyEncryption.keyIds[0], encrypted_key }
}

/** Creates the first data key of a store that has none. */
export async function createFirstDataKey(store: Store, keyEncryption: KeyEncryption): Promise<void> {
  if ((await readDataKeys(store)).length > 0) return
  const key = await generateDataKey(keyEncryption)
  await inTransaction(store, async tx => {
    await advisoryLock(tx, 'dataKeys')
    if ((await readDataKeys(tx)).length === 0) await insertFirstDataKey(tx, key)
  })
}

/**
 * Copies under older keys stay, since another process may start with these only; a rotation deletes them. If several
 * processes start at once with a new key, the one that inserts the first copy records it.
 */
export async function encryptUnderFirstKey(
  store: Store,
  keyEncryption: KeyEncryption,
  actor: AuditEntry['actor'],
): Promise<void> {
  const [first] = keyEncryption.keyIds
  const copies = await readDataKeys(store)
  let isNew = copies.every(({ encrypted_by }) => encrypted_by !== first)
  for (const [data_key_id, ofKey] of Map.groupBy(copies, each => each.data_key_id)) {
    if (ofKey.some(({ encrypted_by }) => encrypted_by === first)) continue
    const dataKey = await decryptDataKey(keyEncryption, ofKey)
    const encrypted_key = await keyEncryption.encrypt(dataKey, data_key_id)
    await inTransaction(store, async tx => {
      const inserted = await tx
        .insertInto('data_keys')
        .columns(['data_key_id', 'encrypted_by', 'encrypted_key', 'used_from'])
        // From the table, since a rotation may have deleted the data key meanwhile.
        .expression(
          tx
            .selectFrom('data_keys')
            .select([
              'data_key_id',
              sql<string>`${first}`.as('by'),
              sql<string>`${encrypted_key}`.as('key'),
              'used_from',
            ])
            .where('data_key_id', '=', data_key_id)
            .limit(1),
        )
        .onConflict(conflict => conflict.doNothing())
        .returning('data_key_id')
        .executeTakeFirst()
      if (inserted === undefined || !isNew) return
      await recordAudit(tx, { action: 'key.rotated', actor, now: Date.now(), subject: first, detail: 'store' })
    })
    isNew = false
  }
}

/** @throws SettingsError when no key-encryption key decrypts a data key of the store */
export async function assertDecrypts(keyEncryption: KeyEncryption, store: Store): Promise<void> {
  const rows = Map.groupBy(await readDataKeys(store), ({ data_key_id }) => data_key_id)
  for (const copies of rows.values()) await decryptDataKey(keyEncryption, copies)
}

/** Replaces the copies of each data key by one under the first key of another key encryption. Reencrypts no secret. */
export async function reencryptDataKeys(tx: StoreTransaction, from: KeyEncryption, to: KeyEncryption): Promise<void> {
  const rows = Map.groupBy(await readDataKeys(tx), ({ data_key_id }) => data_key_id)
  for (const [data_key_id, copies] of rows) {
    const encrypted_key = await to.encrypt(await decryptDataKey(from, copies), data_key_id)
    const [kept] = copies.map(({ encrypted_by }) => encrypted_by)
    await tx
      .deleteFrom('data_keys')
      .where('data_key_id', '=', data_key_id)
      .where('encrypted_by', '<>', kept ?? '')
      .execute()
    await tx
      .updateTable('data_keys')
      .set({ encrypted_by: to.keyIds[0], encrypted_key })
      .where('data_key_id', '=', data_key_id)
      .execute()
  }
}

/** @throws SettingsError when no key-encryption key decrypts a copy of the data key */
export async function decryptDataKey(
  keyEncryption: KeyEncryption,
  copies: readonly EncryptedDataKey[],
): Promise<Uint8Array> {
  const inFile = keyEncryption.file === undefined ? '' : ` in ${keyEncryption.file}`
  const copy = copies.find(({ encrypted_by }) => keyEncryption.keyIds.includes(encrypted_by))
  const by = [...new Set(copies.map(({ encrypted_by }) => encrypted_by))].join(' or ')
  if (copy === undefined && by === publicKeyId)
    throw wrongKeys(
      'must be empty for this store, whose secrets have the public key of staging. To encrypt them, use an empty database, or copy the embedded store into one with the setting',
    )
  if (copy === undefined)
    throw wrongKeys(`must contain the key ${by}${inFile}, which encrypts the secrets of this store`)
  try {
    return await keyEncryption.decrypt(copy.encrypted_key, copy.encrypted_by, copy.data_key_id)
  } catch {
    throw wrongKeys(`the key ${copy.encrypted_by}${inFile} must be the one that encrypts the secrets of this store`)
  }
}

function wrongKeys(wrong: string): SettingsError {
  return new SettingsError({ name: 'LOCKERFLOW_STORE_KEYS', wrong })
}
