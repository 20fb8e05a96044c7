import { accountToChange } from '../../accounts/index.ts'
import { pickUpPointOf } from '../../pickUpPoints/index.ts'
import type { Handler } from '../call.ts'

/** Sets the main pick up point of an account: one of the caller's own, so that the caller goes on managing it. */
export const SetAccountPickUpPoint: Handler<'SetAccountPickUpPoint'> = async (call, { userUid, pickUpPointUid }) => {
  const account = await accountToChange(call, userUid)
  const { pup_uid } = await pickUpPointOf(call, pickUpPointUid, 'pickUpPointUid')
  const pickUpPointChanged = account.main_pup_uid !== pup_uid
  if (pickUpPointChanged) {
    await call.tx.updateTable('accounts').set({ main_pup_uid: pup_uid }).where('user_uid', '=', userUid).execute()
  }
  return { userUid, pupUid: pup_uid, pickUpPointChanged }
}
