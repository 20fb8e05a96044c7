import {
  findAccount,
  findManagedAccount,
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
  const keys = [
    ['user_uid', userUid],
    ['user_name_key', userName],
  ] as const
  for (const [column, key] of keys) {
    const account = key ? await findManagedAccount(call, column, key) : undefined
    if (account !== undefined) return { ...toAccountResponse(account), isExisting: true }
  }
  const account = emailAddress ? await findAccount(call, 'email_key', emailAddress) : undefined
  if (account?.managed) return { ...toAccountResponse(account), isExisting: true }
  if (account !== undefined) return { ...toHiddenAccountResponse(account), isExisting: true }
  return { ...unknownAccountResponse, isExisting: false }
}
