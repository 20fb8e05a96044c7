import { removeAccount } from '../../accounts/index.ts'
import type { Handler } from '../call.ts'

/** Removes an account that sends and receives nothing now. */
export const RemoveAccount: Handler<'RemoveAccount'> = async (call, { userUid }) => {
  await removeAccount(call, userUid)
  return {}
}
