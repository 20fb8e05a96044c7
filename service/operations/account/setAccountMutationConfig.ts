import { applyMutationConfig, lockAccount } from '../../accounts/index.ts'
import type { Handler } from '../handler.ts'

export const SetAccountMutationConfig: Handler<'SetAccountMutationConfig'> = async (call, { userUid, ...flags }) => {
  const account = await lockAccount(call, userUid)
  return { userUid, ...(await applyMutationConfig(call.tx, account, flags)) }
}
