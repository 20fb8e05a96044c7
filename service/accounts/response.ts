import type { ResponseOf } from '#contract'
import type { Account } from './find.ts'

type Answer = ResponseOf<'CreateAccount'>

const nothing = {
  userName: null,
  firstName: null,
  lastName: null,
  emailAddress: null,
  phoneNumber: null,
  mainPupUid: null,
  mainPupName: null,
  languageCode: null,
  mailCode: null,
} as const

/** An account that the caller manages. */
export function answerOf(account: Account): Answer {
  return {
    userUid: account.user_uid,
    userName: account.user_name,
    canManageUser: true,
    firstName: account.first_name,
    lastName: account.last_name,
    emailAddress: account.email,
    phoneNumber: account.phone_number,
    mainPupUid: account.main_pup_uid,
    mainPupName: account.main_pup_name,
    languageCode: account.language_code,
    mailCode: account.mail_code,
  }
}

/** An account that somebody else manages: its uid and nothing more (specification, Account management, 3). */
export function hiddenAnswer({ user_uid: userUid }: Account): Answer {
  return { ...nothing, userUid, canManageUser: false }
}

/** No account. */
export const unknownAnswer: Answer = { ...nothing, userUid: null, canManageUser: false }
