import type { Updateable } from 'kysely'
import type { ReadRequestOf, ResponseOf } from '#contract'
import { auditCall } from '../audit/index.ts'
import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import { requirePickUpPoint } from '../pickUpPoints/index.ts'
import type { AccountRow } from '../store/tables.ts'
import { toTextKey } from '../textKey.ts'
import { moveToEmail } from './details.ts'
import { insertAccount } from './insert.ts'
import { type Account, type FoundAccounts, findAccount, findAccounts, lockAccounts } from './load.ts'
import { configureAccount, readMutationConfig } from './mutationConfig.ts'
import { type EmailState, type RegistrationOutcomes, registrationOutcomes, type UserNameState } from './outcomes.ts'
import { toAccountResponse, toHiddenAccountResponse } from './response.ts'

export type AccountRequest = ReadRequestOf<'CreateAccount'>
type AccountResponse = ResponseOf<'CreateOrGetAccount'>

const refusalMessages = {
  EmailAlreadyRegistered: 'emailAddress must not belong to another account.',
  UserNameAlreadyRegistered: 'userName must be free, or left out so that it is emailAddress.',
  AccessDenied: 'emailAddress or userName belongs to an account that another tenant manages.',
} as const

/** For a request with a user name: the account of that name can be the cause too. */
const emailOfUserNameMessage =
  'emailAddress must not belong to another account, and the account of userName must permit the change.'

/** A concurrent call may insert the same keys between our query and our insert; the next try finds its account. */
const maxTries = 5

/**
 * Creates an account, and refuses existing ones.
 * @throws OperationError InvalidPupUid, EmailAlreadyRegistered, UserNameAlreadyRegistered, AccessDenied, MutationConfigFailed
 */
export async function createAccount(call: Call, request: AccountRequest): Promise<ResponseOf<'CreateAccount'>> {
  const { isExisting, ...account } = await register(call, request, 'createAccount')
  return account
}

/** Creates an account or returns the existing one unchanged; throws the same errors. */
export function createOrGetAccount(call: Call, request: AccountRequest): Promise<AccountResponse> {
  return register(call, request, 'createOrGetAccount')
}

async function register(
  call: Call,
  request: AccountRequest,
  operation: keyof RegistrationOutcomes,
): Promise<AccountResponse> {
  await requirePickUpPoint(call, request.pickUpPointUid, 'pickUpPointUid')
  for (let tries = 0; tries < maxTries; tries++) {
    const response = await tryToRegister(call, request, operation)
    if (response !== undefined) return response
  }
  throw new Error('the account could be neither found nor created')
}

async function tryToRegister(
  call: Call,
  request: AccountRequest,
  operation: keyof RegistrationOutcomes,
): Promise<AccountResponse | undefined> {
  const { emailAddress, userName } = request
  // Mutation flags are written as a whole, and the accounts could be removed concurrently.
  await lockAccounts(call, emailAddress, userName ?? emailAddress)
  const found = await findAccounts(call, emailAddress, userName ?? emailAddress)
  const { byEmail } = found
  const isDefault = userName == null || isForeignName(request, found)
  const byUserName = isDefault ? byEmail : found.byUserName
  const outcome = registrationOutcomes[emailState(byEmail)][userNameState(byUserName, byEmail)][operation]

  if (outcome === 'created') {
    const name = isDefault ? null : userName
    const userUid = await insertAccount(call, request, name, found.byNameKey !== undefined)
    if (userUid === undefined) return undefined
    await auditCall(call, 'account.created', userUid)
    return completeRegistration(call, request, userUid, false)
  }
  if (outcome === 'found' && byEmail !== undefined) {
    if (!isDefault) await updateAccount(call, byEmail, toGivenName(byEmail, found))
    return completeRegistration(call, request, byEmail.user_uid, true)
  }
  if (outcome === 'hidden' && byEmail !== undefined) return { ...toHiddenAccountResponse(byEmail), isExisting: true }
  if (outcome === 'renamed' && byUserName !== undefined) {
    if (readMutationConfig(byUserName).canChangeEmailAddress === false)
      throw registrationError('EmailAlreadyRegistered', request)
    const { user_uid } = byUserName
    const columns = await moveToEmail(call, byUserName, emailAddress)
    await updateAccount(call, byUserName, { ...columns, ...toGivenName(byUserName, found) })
    await auditCall(call, 'account.changed', user_uid, 'emailAddress')
    return completeRegistration(call, request, user_uid, true)
  }
  throw registrationError(outcome as keyof typeof refusalMessages, request)
}

/**
 * The columns of a user name that was a default until this request gave it: from now on it stays when the address changes.
 * Empty for any other, and if another account was given the name before.
 */
function toGivenName({ user_uid, user_name, email, email_key }: Account, found: FoundAccounts): Updateable<AccountRow> {
  const isFree = found.byNameKey === undefined || found.byNameKey.user_uid === user_uid
  return user_name === null && isFree ? { user_name: email, user_name_key: email_key } : {}
}

async function updateAccount({ tx }: Call, { user_uid }: Account, columns: Updateable<AccountRow>): Promise<void> {
  if (Object.keys(columns).length === 0) return
  await tx.updateTable('accounts').set(columns).where('user_uid', '=', user_uid).execute()
}

/** Returns whether the user name is the caller's own address, and another tenant has given it to an account as its name. */
function isForeignName({ emailAddress, userName }: AccountRequest, { byUserName }: FoundAccounts): boolean {
  return userName != null && toTextKey(userName) === toTextKey(emailAddress) && byUserName?.managed === false
}

function emailState(byEmail: Account | undefined): EmailState {
  if (byEmail === undefined) return 'free'
  return byEmail.managed ? 'taken' : 'foreign'
}

function userNameState(byUserName: Account | undefined, byEmail: Account | undefined): UserNameState {
  if (byUserName === undefined) return 'free'
  if (byUserName.user_uid === byEmail?.user_uid) return 'same'
  return byUserName.managed ? 'other' : 'foreign'
}

async function completeRegistration(
  call: Call,
  { mutationConfig }: AccountRequest,
  userUid: string,
  isExisting: boolean,
): Promise<AccountResponse> {
  const account = await findAccount(call, 'user_uid', userUid)
  if (account === undefined) throw new Error('the account disappeared during its registration')
  const response = { ...toAccountResponse(account), isExisting }
  if (mutationConfig != null) {
    await configureAccount(call, account, mutationConfig, response)
    if (isExisting) await auditCall(call, 'account.changed', userUid, 'mutationConfig')
  }
  return response
}

function registrationError(code: keyof typeof refusalMessages, { userName }: AccountRequest): OperationError {
  const isAboutName = code === 'EmailAlreadyRegistered' && userName != null
  return new OperationError(code, isAboutName ? emailOfUserNameMessage : refusalMessages[code])
}
