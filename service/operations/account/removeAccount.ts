import { removeAccount } from '../../accounts/index.ts'
import type { Handler } from '../handler.ts'

export const RemoveAccount: Handler<'RemoveAccount'> = async (call, { userUid }) => {
  await removeAccount(call, userUid)
  return {}
}
