import { accountBy, answerOf, hiddenAnswer, managedAccountBy, unknownAnswer } from '../../accounts/index.ts'
import type { Handler } from '../call.ts'

/**
 * Looks an account up by uid, then by user name, then by e-mail address. One that somebody else manages is found by
 * its e-mail address only: the registration of an address can be probed, nothing else (specification, overview).
 */
export const GetAccount: Handler<'GetAccount'> = async (call, { userUid, userName, emailAddress }) => {
  const keys = [
    ['user_uid', userUid],
    ['user_name_key', userName],
  ] as const
  for (const [column, key] of keys) {
    const account = key ? await managedAccountBy(call, column, key) : undefined
    if (account !== undefined) return { ...answerOf(account), isExisting: true }
  }
  const account = emailAddress ? await accountBy(call, 'email_key', emailAddress) : undefined
  if (account?.managed) return { ...answerOf(account), isExisting: true }
  if (account !== undefined) return { ...hiddenAnswer(account), isExisting: true }
  return { ...unknownAnswer, isExisting: false }
}
