import { applyMutationConfig, lockAccount } from '../../accounts/index.ts'
import { auditCall } from '../../audit/index.ts'
import type { Handler } from '../handler.ts'

export const SetAccountMutationConfig: Handler<'SetAccountMutationConfig'> = async (call, { userUid, ...flags }) => {
  const account = await lockAccount(call, userUid)
  const config = await applyMutationConfig(call.tx, account, flags)
  await auditCall(call, 'account.changed', userUid, 'mutationConfig')
  return { userUid, ...config }
}
