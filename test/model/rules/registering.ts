import type { RequestOf } from '#contract'
import { type Account, type Model, newName } from '../model/model.ts'
import { refuse } from '../model/refusal.ts'
import { noFlags } from '../model/start.ts'
import { manages, ownPoint, tenantNamed } from '../model/who.ts'
import { applyFlags, byEmail, byUserName, fieldsOf, strangerOf } from './accounts.ts'
import type { Caller, Rules } from './rule.ts'

type Registration = RequestOf<'CreateOrGetAccount'>

/** The existing accounts with this address and with this user name. */
function holdersOf(model: Model, { emailAddress, userName }: Registration) {
  return { byMail: byEmail(model, emailAddress), named: userName == null ? undefined : byUserName(model, userName) }
}

function create(model: Model, request: Registration, { tenant }: Caller): Account {
  const { emailAddress, firstName, lastName, pickUpPointUid, userName, phoneNumber, languageCode } = request
  // The address is the default user name, and another account can have it as its given user name.
  const holder = byUserName(model, userName ?? emailAddress)
  if (holder !== undefined) refuse(manages(tenant, holder) ? 'UserNameAlreadyRegistered' : 'AccessDenied')
  const account: Account = {
    ...{ name: newName(model, 'user'), userName: userName ?? null, emailAddress, firstName, lastName },
    ...{ phoneNumber: phoneNumber ?? null, languageCode: languageCode ?? null, mainPupUid: pickUpPointUid },
    ...{ mailCode: newName(model, 'mail'), dispatcherOf: null, flags: { ...noFlags } },
  }
  model.accounts.push(account)
  return account
}

/** Applies the mutation configuration after the account is created; the response has the account's fields either way. */
function configured<Answer extends object>(
  model: Model,
  { mutationConfig }: Registration,
  { tenant }: Caller,
  account: Account,
  answer: Answer,
) {
  if (mutationConfig == null) return answer
  if (tenantNamed(model, tenant).faults.mutationConfigFails) return { refused: 'MutationConfigFailed' as const, answer }
  applyFlags(account, mutationConfig)
  return answer
}

export const registering: Rules<'CreateAccount' | 'CreateOrGetAccount'> = {
  CreateAccount(model, request, caller) {
    ownPoint(caller.tenant, request.pickUpPointUid)
    const { byMail, named } = holdersOf(model, request)
    if (byMail !== undefined) {
      const isOther = request.userName != null && named !== byMail
      refuse(isOther || manages(caller.tenant, byMail) ? 'EmailAlreadyRegistered' : 'AccessDenied')
    }
    const account = create(model, request, caller)
    return configured(model, request, caller, account, fieldsOf(account))
  },

  CreateOrGetAccount(model, request, caller) {
    ownPoint(caller.tenant, request.pickUpPointUid)
    const { byMail, named } = holdersOf(model, request)
    const there = byMail ?? named
    if (byMail !== undefined && request.userName != null && named !== byMail) refuse('EmailAlreadyRegistered')
    if (there === undefined) {
      const account = create(model, request, caller)
      return configured(model, request, caller, account, { ...fieldsOf(account), isExisting: false })
    }
    if (!manages(caller.tenant, there)) return there === byMail ? strangerOf(there) : refuse('AccessDenied')
    if (there !== byMail && there.flags.canChangeEmailAddress === false) refuse('EmailAlreadyRegistered')
    const owner = there.userName === null ? byUserName(model, request.emailAddress) : undefined
    if (there !== byMail && owner !== undefined && owner !== there) refuse('EmailAlreadyRegistered')
    there.emailAddress = there === byMail ? there.emailAddress : request.emailAddress
    return configured(model, request, caller, there, { ...fieldsOf(there), isExisting: true })
  },
}
