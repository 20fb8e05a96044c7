import { createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { SettingsError } from '#contract/settings'
import { type AuditEntry, recordAudit } from '../audit/index.ts'
import { advisoryLock, inTransaction, type Store, type StoreTransaction } from '../store/index.ts'
import { databaseTime } from '../store/locks.ts'
import type { KeyEncryption } from './keyEncryption.ts'
import {
  createSecrets,
  type DataKeys,
  type ReadableDataKey,
  type Secrets,
  toHashKey,
  type UnreadableDataKey,
} from './secrets.ts'

const keyLength = 32

/** A data key, and itself encrypted. */
interface EncryptedDataKey {
  readonly data_key_id: string
  /** The id of the key-encryption key. */
  readonly encrypted_by: string
  readonly encrypted_key: string
}

interface ReadRow extends EncryptedDataKey {
  readonly used_from: number
  /** Milliseconds until it encrypts; negative from then on. */
  readonly wait: number
}

export interface OpenSecretsOptions {
  readonly store: Store
  readonly keyEncryption: KeyEncryption
  readonly log?: Pick<Logger, 'error'>
  /** Who opens the store, for the audit log. A process of the service by default. */
  readonly actor?: AuditEntry['actor']
}

/**
 * Reads the data keys of a store into memory. Creates the first one, and encrypts every one under the first
 * key-encryption key, so that older keys can leave the setting at a later start.
 * @throws SettingsError when no key-encryption key decrypts a data key
 */
export async function openSecrets({
  store,
  keyEncryption,
  log,
  actor = 'service',
}: OpenSecretsOptions): Promise<Secrets> {
  await createFirstDataKey(store, keyEncryption)
  const state = { keys: await read(undefined) }
  await encryptUnderFirstKey(store, keyEncryption, actor)
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  async function read(previous: DataKeys | undefined): Promise<DataKeys> {
    const rows = Map.groupBy(await readRows(store), ({ data_key_id }) => data_key_id)
    const readAt = performance.now()
    const known = new Map(previous?.known)
    const current: (ReadableDataKey | UnreadableDataKey)[] = []
    for (const [id, copies] of rows) {
      const [{ wait, used_from }] = copies as [ReadRow]
      const times = { usedFrom: readAt + wait, announced: used_from === notYet }
      try {
        const material = known.get(id) ?? deriveKeys(await decryptDataKey(keyEncryption, copies))
        const key = { ...material, id, ...times }
        known.set(id, key)
        current.push(key)
      } catch (error) {
        if (previous === undefined) throw error
        // From then on this process encrypts nothing: a rotation could delete the data key that it still has.
        current.push({ id, ...times })
        log?.error({ logId: 'data-key-not-readable', err: error, dataKeyId: id }, 'data key not readable')
      }
    }
    return { current, known }
  }

  /** Never returns the result of a read that started before it. */
  async function readAfter(earlier: Promise<void>): Promise<void> {
    await earlier.catch(() => undefined)
    next = undefined
    state.keys = await read(state.keys)
  }

  function refresh(): Promise<void> {
    if (next === undefined) {
      next = readAfter(last)
      last = next
    }
    return next
  }

  return createSecrets(state, refresh)
}

/** Creates a data key in memory, encrypted under the first key-encryption key. */
export async function generateDataKey(keyEncryption: KeyEncryption): Promise<EncryptedDataKey> {
  const data_key_id = randomBytes(8).toString('base64url')
  const encrypted_key = await keyEncryption.encrypt(randomBytes(keyLength), data_key_id)
  return { data_key_id, encrypted_by: keyEncryption.keyIds[0], encrypted_key }
}

/** The time from which a data key encrypts that processes only read until a rotation sets that time. */
const notYet = Number.MAX_SAFE_INTEGER

async function insertFirstDataKey(tx: StoreTransaction, key: EncryptedDataKey): Promise<void> {
  await tx
    .insertInto('data_keys')
    .values({ ...key, used_from: 0 })
    .execute()
}

/** Inserts a data key that processes read, and release access codes with, but neither encrypt nor allocate codes with. */
export async function announceDataKey(tx: StoreTransaction, key: EncryptedDataKey): Promise<void> {
  await tx
    .insertInto('data_keys')
    .values({ ...key, used_from: notYet })
    .execute()
}

/**
 * Returns the ids of the data keys that this one replaces. Rotations that run at once wait for each other here, so that one
 * of them replaces the data keys of all others.
 * @param delay milliseconds until processes encrypt with it; they allocate access codes with it at once
 * @throws Error when another rotation has deleted it
 */
export async function useDataKey(tx: StoreTransaction, dataKeyId: string, delay: number): Promise<string[]> {
  await advisoryLock(tx, 'dataKeys')
  const used = await tx
    .selectFrom('data_keys')
    .select(['data_key_id', 'used_from'])
    .where('used_from', '<', notYet)
    .execute()
  // Two rotations may come here in the same millisecond, and the clock may have been set back.
  const earliest = Math.max(...used.map(({ used_from }) => used_from)) + 1
  const begin = sql<number>`${databaseTime(tx)} + ${delay}`
  const { numUpdatedRows } = await tx
    .updateTable('data_keys')
    .set({ used_from: sql<number>`case when ${begin} > ${earliest} then ${begin} else ${earliest} end` })
    .where('data_key_id', '=', dataKeyId)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n)
    throw new Error(`data key ${dataKeyId}: a later rotation has deleted it before its first use.`)
  return [...new Set(used.map(({ data_key_id }) => data_key_id))]
}

/** The ids of data keys whose rotation has not set the time from which they encrypt. */
export async function readAnnounced(db: Store): Promise<string[]> {
  const rows = await db
    .selectFrom('data_keys')
    .select('data_key_id')
    .distinct()
    .where('used_from', '=', notYet)
    .execute()
  return rows.map(({ data_key_id }) => data_key_id)
}

/** Deletes data keys that encrypt nothing any more, and announced ones unless their rotation uses them meanwhile. */
export async function deleteDataKeys(
  tx: StoreTransaction,
  { replaced, announced }: { readonly replaced: readonly string[]; readonly announced: readonly string[] },
): Promise<void> {
  await advisoryLock(tx, 'dataKeys')
  await tx
    .deleteFrom('data_keys')
    .where(({ eb, and, or }) =>
      or([
        eb('data_key_id', 'in', replaced),
        and([eb('data_key_id', 'in', [...announced, '']), eb('used_from', '=', notYet)]),
      ]),
    )
    .execute()
}

/** In the order in which they begin to encrypt. */
export function readRows(store: Store): Promise<ReadRow[]> {
  return store
    .selectFrom('data_keys')
    .select(['data_key_id', 'encrypted_by', 'encrypted_key', 'used_from'])
    .select(sql<number>`used_from - ${databaseTime(store)}`.as('wait'))
    .orderBy('used_from')
    .orderBy('data_key_id')
    .execute()
}

async function createFirstDataKey(store: Store, keyEncryption: KeyEncryption): Promise<void> {
  if ((await readRows(store)).length > 0) return
  const key = await generateDataKey(keyEncryption)
  await inTransaction(store, async tx => {
    await advisoryLock(tx, 'dataKeys')
    if ((await readRows(tx)).length === 0) await insertFirstDataKey(tx, key)
  })
}

/**
 * Copies under older keys stay, since another process may start with these only; a rotation deletes them. If several
 * processes start at once with a new key, the one that inserts the first copy records it.
 */
async function encryptUnderFirstKey(
  store: Store,
  keyEncryption: KeyEncryption,
  actor: AuditEntry['actor'],
): Promise<void> {
  const [first] = keyEncryption.keyIds
  const copies = await readRows(store)
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
  const rows = Map.groupBy(await readRows(store), ({ data_key_id }) => data_key_id)
  for (const copies of rows.values()) await decryptDataKey(keyEncryption, copies)
}

/** Replaces the copies of each data key by one under the first key of another key encryption. Reencrypts no secret. */
export async function reencryptDataKeys(tx: StoreTransaction, from: KeyEncryption, to: KeyEncryption): Promise<void> {
  const rows = Map.groupBy(await readRows(tx), ({ data_key_id }) => data_key_id)
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

async function decryptDataKey(keyEncryption: KeyEncryption, copies: readonly EncryptedDataKey[]): Promise<Uint8Array> {
  const inFile = keyEncryption.file === undefined ? '' : ` in ${keyEncryption.file}`
  const copy = copies.find(({ encrypted_by }) => keyEncryption.keyIds.includes(encrypted_by))
  const by = [...new Set(copies.map(({ encrypted_by }) => encrypted_by))].join(' or ')
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

function deriveKeys(dataKey: Uint8Array): Pick<ReadableDataKey, 'encryptionKey' | 'hashKey'> {
  const derive = (use: string) => new Uint8Array(hkdfSync('sha256', dataKey, '', `lockerflow ${use}`, keyLength))
  return { encryptionKey: createSecretKey(derive('encryption')), hashKey: toHashKey(derive('access codes')) }
}
