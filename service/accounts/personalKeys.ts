import { createHash } from 'node:crypto'
import { type SqlBool, sql } from 'kysely'
import { unassignedKeyAge } from '#contract/terms'
import type { Call } from '../call.ts'
import type { StoreTransaction } from '../store/index.ts'
import { skipLocked } from '../store/locks.ts'

/** The columns that a forgotten key loses: the key itself and the hash of the address. */
const blank = { sealed_key: null, subject: null, address: null } as const

/**
 * Forgets the keys of an account, so that its names and addresses in histories of flows become unreadable (D-196). The
 * inserted row refuses a key for a flow that is still under way. Returns the number of keys.
 * @param email undefined for an account that was removed before. Its keys include those that no payload related to it,
 *   or that one related to another uid (D-397).
 */
export async function forgetPersonalKeys(
  { tx, now }: Pick<Call, 'tx' | 'now'>,
  userUid: string,
  email: string | undefined,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('personal_keys')
    .set({ ...blank, user_uid: userUid, forgotten_at: now })
    .where(eb =>
      eb.or([eb('user_uid', '=', userUid), ...(email === undefined ? [] : [eb('address', '=', hashAddress(email))])]),
    )
    .where('forgotten_at', 'is', null)
    .executeTakeFirst()
  await tx
    .insertInto('personal_keys')
    .values({ key_id: `removed:${userUid}`, user_uid: userUid, created_at: now, forgotten_at: now })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return Number(numUpdatedRows)
}

/**
 * Leaves the keys of an address with the account that changes to another one: the next owner of the address gets keys
 * of its own, and removes only those.
 */
export async function assignPersonalKeys({ tx }: Pick<Call, 'tx'>, userUid: string, email: string): Promise<void> {
  await tx
    .updateTable('personal_keys')
    .set({ user_uid: userUid, subject: null, address: null })
    .where('address', '=', hashAddress(email))
    .execute()
}

/**
 * Forgets keys that were never assigned to an account: the flow failed, or named no person.
 * @param before milliseconds since 1970
 * @param limit the most rows
 * @returns the number of keys
 */
export async function forgetUnassignedKeys(tx: StoreTransaction, before: number, limit: number): Promise<number> {
  const rows = await tx
    .selectFrom('personal_keys')
    .select('key_id')
    // The condition of the partial index, word for word: otherwise the planner does not use it.
    .where(sql<SqlBool>`user_uid is null and forgotten_at is null`)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .modifyEnd(skipLocked(tx))
    .execute()
  if (rows.length === 0) return 0
  const { numUpdatedRows } = await tx
    .updateTable('personal_keys')
    .set({ ...blank, forgotten_at: before + unassignedKeyAge })
    .where(
      'key_id',
      'in',
      rows.map(({ key_id }) => key_id),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Counts the keys of an account that are forgotten, by now or before. */
export async function countForgottenKeys({ tx }: Pick<Call, 'tx'>, userUid: string): Promise<number> {
  const { count } = await tx
    .selectFrom('personal_keys')
    .select(eb => eb.fn.countAll().as('count'))
    .where('user_uid', '=', userUid)
    .where('forgotten_at', 'is not', null)
    .where('key_id', '<>', `removed:${userUid}`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** As the orchestrator hashes the address of a payload. */
function hashAddress(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url')
}
