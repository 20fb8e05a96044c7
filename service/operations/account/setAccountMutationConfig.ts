import { applyMutationConfig, lockAccount } from '../../accounts/index.ts'
import { auditCall } from '../../audit/index.ts'
import type { Handler } from '../handler.ts'

export const SetAccountMutationConfig: Handler<'SetAccountMutationConfig'> = async (call, request) => {
  const { userUid } = request
  const account = await lockAccount(call, userUid)
  const config = await applyMutationConfig(call.tx, account, request)
  await auditCall(call, 'account.changed', userUid, 'mutationConfig')
  return { userUid, ...config }
}
