import type { Call } from '../call.ts'

/**
 * Forgets the keys of an account, so that its names and addresses in histories of flows become unreadable (D-196). The
 * inserted row refuses a key for a flow that is still under way. Returns the number of keys.
 */
export async function forgetPersonalKeys({ tx, now }: Pick<Call, 'tx' | 'now'>, userUid: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('personal_keys')
    .set({ sealed_key: null, subject: null, forgotten_at: now })
    .where('user_uid', '=', userUid)
    .where('forgotten_at', 'is', null)
    .executeTakeFirst()
  await tx
    .insertInto('personal_keys')
    .values({ key_id: `removed:${userUid}`, user_uid: userUid, created_at: now, forgotten_at: now })
    .onConflict(conflict => conflict.doNothing())
    .execute()
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
