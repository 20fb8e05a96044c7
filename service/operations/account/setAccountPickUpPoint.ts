import { lockAccount } from '../../accounts/index.ts'
import { auditCall } from '../../audit/index.ts'
import { requirePickUpPoint } from '../../pickUpPoints/index.ts'
import type { Handler } from '../handler.ts'

/** Sets the main pick up point of an account to one of the caller's own, so the caller keeps managing the account. */
export const SetAccountPickUpPoint: Handler<'SetAccountPickUpPoint'> = async (call, { userUid, pickUpPointUid }) => {
  const account = await lockAccount(call, userUid)
  const { pup_uid } = await requirePickUpPoint(call, pickUpPointUid, 'pickUpPointUid')
  const pickUpPointChanged = account.main_pup_uid !== pup_uid
  if (pickUpPointChanged) {
    await call.tx.updateTable('accounts').set({ main_pup_uid: pup_uid }).where('user_uid', '=', userUid).execute()
    await auditCall(call, 'account.changed', userUid, 'pickUpPointUid')
  }
  return { userUid, pupUid: pup_uid, pickUpPointChanged }
}
