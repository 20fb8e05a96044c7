import { readMutationConfig, requireManagedAccount } from '../../accounts/index.ts'
import type { Handler } from '../handler.ts'

export const GetAccountMutationConfig: Handler<'GetAccountMutationConfig'> = async (call, { userUid }) => ({
  userUid,
  ...readMutationConfig(await requireManagedAccount(call, userUid)),
})
