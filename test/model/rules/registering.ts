import type { RequestOf } from '#contract'
import { type Account, type Model, newName } from '../model/model.ts'
import { refuse } from '../model/refusal.ts'
import { noFlags } from '../model/start.ts'
import { manages, ownPoint, tenantNamed } from '../model/who.ts'
import { applyFlags, byEmail, byUserName, fieldsOf, same, strangerOf } from './accounts.ts'
import type { Caller, Rules } from './rule.ts'

type Registration = RequestOf<'CreateOrGetAccount'>

/**
 * The existing accounts with this address and with this user name. If a foreign account has the address as its user name, a request
 * that gives it counts as one without a user name.
 */
function holdersOf(model: Model, request: Registration, tenant: string) {
  const { emailAddress } = request
  const named = byUserName(model, request.userName, tenant)
  const isForeign = same(emailAddress, request.userName) && named !== undefined && !manages(tenant, named)
  const userName = isForeign ? null : (request.userName ?? null)
  return { byMail: byEmail(model, emailAddress), userName, named: userName === null ? undefined : named }
}

function create(model: Model, request: Registration, userName: string | null): Account {
  const { emailAddress, firstName, lastName, pickUpPointUid, phoneNumber, languageCode } = request
  const account: Account = {
    ...{ name: newName(model, 'user'), userName, emailAddress, firstName, lastName },
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
    const { byMail, userName, named } = holdersOf(model, request, caller.tenant)
    if (byMail !== undefined) {
      const isOther = userName !== null && named !== byMail
      refuse(isOther || manages(caller.tenant, byMail) ? 'EmailAlreadyRegistered' : 'AccessDenied')
    }
    if (named !== undefined) refuse(manages(caller.tenant, named) ? 'UserNameAlreadyRegistered' : 'AccessDenied')
    const account = create(model, request, userName)
    return configured(model, request, caller, account, fieldsOf(account))
  },

  CreateOrGetAccount(model, request, caller) {
    ownPoint(caller.tenant, request.pickUpPointUid)
    const { byMail, userName, named } = holdersOf(model, request, caller.tenant)
    const there = byMail ?? named
    if (byMail !== undefined && userName !== null && named !== byMail) refuse('EmailAlreadyRegistered')
    if (there === undefined) {
      const account = create(model, request, userName)
      return configured(model, request, caller, account, { ...fieldsOf(account), isExisting: false })
    }
    if (!manages(caller.tenant, there)) return there === byMail ? strangerOf(there) : refuse('AccessDenied')
    if (there !== byMail && there.flags.canChangeEmailAddress === false) refuse('EmailAlreadyRegistered')
    const isGiven = model.accounts.some(other => other !== there && other.userName && same(other.userName, userName))
    // A user name that a request gave is no default any more.
    if (userName !== null && !isGiven) there.userName ??= there.emailAddress
    there.emailAddress = there === byMail ? there.emailAddress : request.emailAddress
    return configured(model, request, caller, there, { ...fieldsOf(there), isExisting: true })
  },
}
