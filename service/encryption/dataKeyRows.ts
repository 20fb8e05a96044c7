import { sql } from 'kysely'
import { advisoryLock, type Store, type StoreTransaction } from '../store/index.ts'
import { databaseTime } from '../store/locks.ts'

/** A data key, and itself encrypted. */
export interface EncryptedDataKey {
  readonly data_key_id: string
  /** The id of the key-encryption key. */
  readonly encrypted_by: string
  readonly encrypted_key: string
}

export interface DataKeyRow extends EncryptedDataKey {
  readonly used_from: number
  /** Milliseconds until it encrypts; negative from then on. */
  readonly wait: number
}

/** The time from which a data key encrypts that processes only read until a rotation sets that time. */
export const notYet = Number.MAX_SAFE_INTEGER

/** In the order in which they begin to encrypt. */
export function readDataKeys(store: Store): Promise<DataKeyRow[]> {
  return store
    .selectFrom('data_keys')
    .select(['data_key_id', 'encrypted_by', 'encrypted_key', 'used_from'])
    .select(sql<number>`used_from - ${databaseTime(store)}`.as('wait'))
    .orderBy('used_from')
    .orderBy('data_key_id')
    .execute()
}

/** Inserts the data key with which a store begins to encrypt. */
export async function insertFirstDataKey(tx: StoreTransaction, key: EncryptedDataKey): Promise<void> {
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

/** Deletes data keys that no longer encrypt anything, and announced ones unless their rotation uses them meanwhile. */
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
