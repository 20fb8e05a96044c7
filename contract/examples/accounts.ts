import type { ResponseOf } from '../types.ts'
import { type Examples, pickUpPoints, uids } from './example.ts'

const userUid = uids.user
const emailAddress = 'robin.jansen@acme.example'

const account: ResponseOf<'CreateAccount'> = {
  userUid,
  userName: 'robin.jansen',
  canManageUser: true,
  firstName: 'Robin',
  lastName: 'Jansen',
  emailAddress,
  phoneNumber: '+31612345678',
  mainPupUid: pickUpPoints.square,
  mainPupName: 'Station Square',
  languageCode: 'nl',
  mailCode: '7KQ4XW2M',
}

const newAccount = {
  emailAddress,
  firstName: 'Robin',
  lastName: 'Jansen',
  pickUpPointUid: pickUpPoints.square,
  userName: 'robin.jansen',
  phoneNumber: '+31612345678',
  languageCode: 'nl',
}

const flags: ResponseOf<'GetAccountMutationConfig'> = {
  userUid,
  canChangeFirstName: false,
  canChangeLastName: false,
  canChangeEmailAddress: null,
  canChangePhoneNumber: true,
  canChangeLanguageCode: true,
  canChangeMainPickUpPoint: null,
  canChangeAddress: null,
  canRemoveAutomatically: null,
  canRemoveManually: null,
}

const { userName: _, ...changed } = { ...account, phoneNumber: '+31687654321' }

/** Creating, finding, changing and removing accounts. */
export const accounts: Examples<
  | 'CreateAccount'
  | 'CreateOrGetAccount'
  | 'GetAccount'
  | 'GetAccountMutationConfig'
  | 'SetAccountDetails'
  | 'SetAccountPickUpPoint'
  | 'SetAccountMutationConfig'
  | 'RemoveAccount'
> = {
  CreateAccount: { request: newAccount, response: account },
  CreateOrGetAccount: {
    request: { ...newAccount, mutationConfig: { canChangeFirstName: false, canChangeLastName: false } },
    response: { ...account, isExisting: false },
  },
  GetAccount: { request: { emailAddress }, response: { ...account, isExisting: true } },
  GetAccountMutationConfig: { request: { userUid }, response: flags },
  SetAccountDetails: {
    request: {
      userUid,
      phoneNumber: '+31687654321',
      ...{ streetName: 'Stationsplein', streetNo: '12', mailbox: 'B', city: 'Utrecht', countryCode: 'NL' },
    },
    response: changed,
  },
  SetAccountPickUpPoint: {
    request: { userUid, pickUpPointUid: pickUpPoints.harbour },
    response: { userUid, pupUid: pickUpPoints.harbour, pickUpPointChanged: true },
  },
  SetAccountMutationConfig: {
    request: {
      userUid,
      ...{
        canChangeFirstName: false,
        canChangeLastName: false,
        canChangePhoneNumber: true,
        canChangeLanguageCode: true,
      },
    },
    response: flags,
  },
  RemoveAccount: { request: { userUid }, response: {} },
}
