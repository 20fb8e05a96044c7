import { accountToChange, applyMutationConfig } from '../../accounts/index.ts'
import type { Handler } from '../call.ts'

/** Changes the mutation flags that are given. */
export const SetAccountMutationConfig: Handler<'SetAccountMutationConfig'> = async (call, { userUid, ...flags }) => {
  const account = await accountToChange(call, userUid)
  return { userUid, ...(await applyMutationConfig(call.tx, account, flags)) }
}
