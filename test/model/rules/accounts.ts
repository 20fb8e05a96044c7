import { type MutationFlag, mutationFlags } from '#contract'
import type { Account, Model } from '../model/model.ts'
import { refuse } from '../model/refusal.ts'
import { isActive } from '../model/states.ts'
import { managedAccount, manages, ownPoint } from '../model/who.ts'
import { topology } from '../places.ts'
import type { Rules } from './rule.ts'

/** The fields of an account, for a caller that manages it. */
export function fieldsOf({ name, userName, mainPupUid, mailCode, ...account }: Account) {
  const { firstName, lastName, emailAddress, phoneNumber, languageCode } = account
  const mainPupName = topology.pickUpPoints.find(({ pupUid }) => pupUid === mainPupUid)?.name ?? null
  const contact = { firstName, lastName, emailAddress, phoneNumber }
  return {
    userUid: name,
    userName: userName ?? emailAddress,
    canManageUser: true,
    ...contact,
    mainPupUid,
    mainPupName,
    languageCode,
    mailCode,
  }
}

export const blank = {
  ...{ userName: null, canManageUser: false, firstName: null, lastName: null, emailAddress: null, phoneNumber: null },
  ...{ mainPupUid: null, mainPupName: null, languageCode: null, mailCode: null },
}
/** The fields of an account, for a caller that does not manage it. */
export const strangerOf = (account: Account) => ({ userUid: account.name, ...blank, isExisting: true })

export const same = (one: string, other: string | null | undefined) => one.toLowerCase() === other?.toLowerCase()
export const byEmail = ({ accounts }: Model, email: string | null | undefined) =>
  accounts.find(({ emailAddress }) => same(emailAddress, email))
/** A user name that was not given is the address at any time, and can be the given user name of another account. */
export function byUserName({ accounts }: Model, given: string | null | undefined, tenant: string) {
  const owners = accounts.filter(({ userName, emailAddress }) => userName === null && same(emailAddress, given))
  const named = [...owners, ...accounts.filter(({ userName }) => userName !== null && same(userName, given))]
  return named.find(account => manages(tenant, account)) ?? named[0]
}

export type Flags = Partial<Record<MutationFlag, boolean | null | undefined>>

export function applyFlags(account: Account, given: Flags): void {
  for (const flag of mutationFlags) account.flags[flag] = given[flag] ?? account.flags[flag]
}

export const accounts: Rules<
  | 'GetAccount'
  | 'GetAccountMutationConfig'
  | 'SetAccountMutationConfig'
  | 'SetAccountDetails'
  | 'SetAccountPickUpPoint'
  | 'RemoveAccount'
> = {
  GetAccount(model, { userUid, userName, emailAddress }, { tenant }) {
    const managed = (account: Account | undefined) => account && (manages(tenant, account) ? account : undefined)
    const found =
      managed(model.accounts.find(({ name }) => name === userUid)) ??
      managed(byUserName(model, userName, tenant)) ??
      byEmail(model, emailAddress)
    if (found === undefined) return { userUid: null, ...blank, isExisting: false }
    return managed(found) ? { ...fieldsOf(found), isExisting: true } : strangerOf(found)
  },

  GetAccountMutationConfig(model, { userUid }, { tenant }) {
    return { userUid, ...managedAccount(model, tenant, userUid).flags }
  },

  SetAccountMutationConfig(model, { userUid, ...flags }, { tenant }) {
    const account = managedAccount(model, tenant, userUid)
    applyFlags(account, flags)
    return { userUid, ...account.flags }
  },

  SetAccountDetails(model, { userUid, ...given }, { tenant }) {
    const account = managedAccount(model, tenant, userUid)
    const holder = byEmail(model, given.emailAddress)
    if (holder && holder !== account) refuse('EmailAlreadyRegistered')
    for (const field of ['emailAddress', 'firstName', 'lastName', 'phoneNumber', 'languageCode'] as const) {
      const value = given[field]
      if (value != null) Object.assign(account, { [field]: value || null })
    }
    const { userName, ...answer } = fieldsOf(account)
    return answer
  },

  SetAccountPickUpPoint(model, { userUid, pickUpPointUid }, { tenant }) {
    const account = managedAccount(model, tenant, userUid)
    const { pupUid } = ownPoint(tenant, pickUpPointUid)
    const pickUpPointChanged = account.mainPupUid !== pupUid
    account.mainPupUid = pupUid
    return { userUid, pupUid, pickUpPointChanged }
  },

  RemoveAccount(model, { userUid }, { tenant }) {
    const account = managedAccount(model, tenant, userUid)
    const isDispatcher = Object.values(model.tenants).some(({ dispatcher }) => dispatcher === userUid)
    const isUsed = model.shipments.some(one => isActive(one) && [one.from, one.to].includes(userUid))
    if (isDispatcher || isUsed) refuse('AccountInUse')
    model.accounts = model.accounts.filter(other => other !== account)
    model.kept = model.kept.map(one => (one.account === userUid ? { ...one, hidden: true } : one))
    return {}
  },
}
