import type { ResponseOf } from '#contract'
import type { Account } from './load.ts'

type AccountResponse = ResponseOf<'CreateAccount'>

/** The fields of an account that the caller does not manage, besides its uid. */
export const hiddenFields = {
  userName: null,
  firstName: null,
  lastName: null,
  emailAddress: null,
  phoneNumber: null,
  mainPupUid: null,
  mainPupName: null,
  languageCode: null,
  mailCode: null,
  canManageUser: false,
} as const

/** An account that the caller manages, in full. */
export function toAccountResponse(account: Account): AccountResponse {
  return {
    userUid: account.user_uid,
    userName: account.user_name ?? account.email,
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

/** An account that another tenant manages: only its uid (specification, Account management, 3). */
export function toHiddenAccountResponse({ user_uid: userUid }: Account): AccountResponse {
  return { ...hiddenFields, userUid }
}

export const unknownAccountResponse: AccountResponse = { ...hiddenFields, userUid: null }
