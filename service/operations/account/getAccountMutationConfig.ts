import { managedAccount, mutationConfigOf } from '../../accounts/index.ts'
import type { Handler } from '../call.ts'

/** Tells the nine mutation flags of an account. */
export const GetAccountMutationConfig: Handler<'GetAccountMutationConfig'> = async (call, { userUid }) => ({
  userUid,
  ...mutationConfigOf(await managedAccount(call, userUid)),
})
