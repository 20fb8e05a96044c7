import {
  findAccount,
  findManagedAccount,
  findManagedByUserName,
  toAccountResponse,
  toHiddenAccountResponse,
  unknownAccountResponse,
} from '../../accounts/index.ts'
import type { Handler } from '../handler.ts'

/**
 * Finds an account by uid, then by user name, then by e-mail address. An account of another tenant is found by its
 * e-mail address only: callers can probe whether an address is registered, and nothing else (specification, overview).
 */
export const GetAccount: Handler<'GetAccount'> = async (call, { userUid, userName, emailAddress }) => {
  const managed =
    (userUid ? await findManagedAccount(call, 'user_uid', userUid) : undefined) ??
    (userName ? await findManagedByUserName(call, userName) : undefined)
  if (managed !== undefined) return { ...toAccountResponse(managed), isExisting: true }
  const account = emailAddress ? await findAccount(call, 'email_key', emailAddress) : undefined
  if (account?.managed) return { ...toAccountResponse(account), isExisting: true }
  if (account !== undefined) return { ...toHiddenAccountResponse(account), isExisting: true }
  return { ...unknownAccountResponse, isExisting: false }
}
