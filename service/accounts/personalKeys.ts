import type { Call } from '../call.ts'

/**
 * Forgets the keys of an account, so that its names and addresses in histories of flows become unreadable (D-196). The
 * inserted row refuses a key for a flow that is still under way.
 */
export async function forgetPersonalKeys({ tx, now }: Pick<Call, 'tx' | 'now'>, userUid: string): Promise<void> {
  await tx
    .updateTable('personal_keys')
    .set({ sealed_key: null, subject: null, forgotten_at: now })
    .where('user_uid', '=', userUid)
    .where('forgotten_at', 'is', null)
    .execute()
  await tx
    .insertInto('personal_keys')
    .values({ key_id: `removed:${userUid}`, user_uid: userUid, created_at: now, forgotten_at: now })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}
