import { type MutationFlag, mutationFlags, type RequestOf } from '#contract'
import type { Account } from '../model/model.ts'
import { isActive } from '../model/states.ts'
import { fileFaults } from '../rules/suggestions.ts'
import type { Asks } from './ask.ts'
import { anAccount, aPoint, unknownName, type View } from './picks.ts'

/** Few values, so that they collide. */
const addresses = [1, 2, 3, 4, 5, 6].map(number => `user${number}@home.example`)
const userNames = ['ada', 'ben', 'cleo', 'user1@home.example']

const anAddress = ({ dice, model }: View): string =>
  dice.oneOf([...addresses, ...addresses, ...model.accounts.map(account => account.emailAddress)]) ?? ''
const aUserName = ({ dice }: View) => dice.oneOf([undefined, null, ...userNames])

function flags({ dice }: View) {
  const some: Partial<Record<MutationFlag, boolean | null>> = {}
  for (let count = dice.below(3) + 1; count > 0; count--)
    some[dice.oneOf(mutationFlags) ?? 'canRemoveManually'] = dice.oneOf([false, true, null])
  return { canChangeEmailAddress: dice.oneOf([null, null, false, true]), ...some }
}

function isIdle({ model }: View, { name }: Account): boolean {
  const isDispatcher = Object.values(model.tenants).some(({ dispatcher }) => dispatcher === name)
  return !isDispatcher && !model.shipments.some(one => isActive(one) && [one.from, one.to].includes(name))
}

/** The person in a registration. */
function registration(view: View) {
  const { dice } = view
  return {
    ...{ emailAddress: anAddress(view), userName: aUserName(view), pickUpPointUid: aPoint(view) },
    ...{ firstName: dice.oneOf(['Ada', 'Ben']), lastName: dice.oneOf(['Lovelace', 'User']) },
    ...{ phoneNumber: dice.oneOf([undefined, null, '+31612345678', '0031612345678']) },
    ...{ languageCode: dice.oneOf([undefined, 'nl', 'en-GB']) },
    mutationConfig: dice.oneIn(2) ? { ...flags(view), canRemoveManually: true } : dice.oneOf([undefined, null]),
  }
}

function row(view: View) {
  const { dice } = view
  return {
    emailAddress: dice.oneIn(10) ? unknownName : (dice.oneOf([...addresses, anAddress(view)]) ?? ''),
    phoneNumber: dice.oneOf([null, '+31612345678', '0612345678']),
    languageCode: dice.oneOf([null, 'nl']),
    firstName: dice.oneOf([null, 'Ada', 'Ben']),
    lastName: dice.oneOf(['Lovelace', null]),
    remarks: dice.oneOf([null, 'second floor']),
    pickUpPoint: dice.oneOf([null, null, aPoint(view), 'Shared Hall']),
  }
}

export const accounts: Asks<
  | 'CreateAccount'
  | 'CreateOrGetAccount'
  | 'GetAccount'
  | 'GetAccountMutationConfig'
  | 'SetAccountMutationConfig'
  | 'SetAccountDetails'
  | 'SetAccountPickUpPoint'
  | 'RemoveAccount'
  | 'UploadAccountSuggestions'
  | 'GetAccountSuggestions'
> = {
  CreateAccount: registration,
  CreateOrGetAccount: registration,
  GetAccount(view) {
    const keys = { userUid: anAccount(view), userName: aUserName(view), emailAddress: anAddress(view) }
    return view.dice.oneOf<RequestOf<'GetAccount'>>([
      { emailAddress: keys.emailAddress },
      { userUid: keys.userUid },
      { userName: keys.userName },
      keys,
      { userUid: '', userName: null, emailAddress: keys.emailAddress },
      {},
    ])
  },
  GetAccountMutationConfig: view => ({ userUid: anAccount(view) }),
  SetAccountMutationConfig: view => ({ userUid: anAccount(view), ...flags(view) }),
  SetAccountDetails(view) {
    const { dice } = view
    const address = { streetName: 'Dam', streetNo: '1', mailbox: '2', city: 'Amsterdam', countryCode: 'NL' }
    return {
      userUid: anAccount(view),
      ...(dice.oneIn(3) && { emailAddress: anAddress(view) }),
      ...(dice.oneIn(3) && { firstName: 'Cleo', ...(!dice.oneIn(6) && { lastName: 'Renamed' }) }),
      ...(dice.oneIn(3) && { phoneNumber: '+4412345', languageCode: 'en' }),
      ...(dice.oneIn(3) && { ...address, ...(dice.oneIn(6) && { city: null }) }),
    }
  },
  SetAccountPickUpPoint: view => ({ userUid: anAccount(view), pickUpPointUid: aPoint(view) }),
  RemoveAccount: view => ({ userUid: anAccount(view, account => isIdle(view, account)) }),
  UploadAccountSuggestions(view) {
    const { dice } = view
    const rows = Array.from({ length: dice.below(6) }, () => row(view))
    const fault = dice.oneIn(5) ? (dice.oneOf(fileFaults) ?? null) : null
    return { reference: dice.oneOf([undefined, null, 'spring']), file: { name: 'list.csv', rows, fault } }
  },
  GetAccountSuggestions: view => ({
    ...{ searchText: view.dice.oneOf([undefined, '', 'ada', 'love ADA', 'user1', 'nothing']) },
    ...(view.dice.oneIn(3) && { pageNo: 1, pageSize: 2 }),
  }),
}
