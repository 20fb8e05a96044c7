import type { ReadRequestOf, ResponseOf } from '#contract'
import { type Call, Refusal } from '../operations/call.ts'
import { pickUpPointOf } from '../pickUpPoints/index.ts'
import { answerOf, hiddenAnswer } from './answer.ts'
import { configure } from './configure.ts'
import { type Account, accountBy, accountsBy, folded, holdAccounts } from './find.ts'
import { insertAccount } from './insert.ts'
import { mutationConfigOf } from './mutationConfig.ts'
import { type EmailState, type Outcomes, outcomes, type UserNameState } from './outcomes.ts'

export type AccountRequest = ReadRequestOf<'CreateAccount'>
type Answer = ResponseOf<'CreateOrGetAccount'>

const sentences = {
  EmailAlreadyRegistered: 'emailAddress belongs to another account, or that of userName may not be changed to it',
  UserNameAlreadyRegistered: 'userName, or emailAddress where it stands in for it, has to be free',
  AccessDenied: 'The account of emailAddress or userName is managed by somebody else',
} as const

/** Another call may register the same address between the look and the insert; then there is something to find. */
const looks = 5

/**
 * Creates an account; existing ones are refused.
 * @throws Refusal InvalidPupUid, EmailAlreadyRegistered, UserNameAlreadyRegistered, AccessDenied, MutationConfigFailed
 */
export async function createAccount(call: Call, request: AccountRequest): Promise<ResponseOf<'CreateAccount'>> {
  const { isExisting, ...account } = await register(call, request, 'createAccount')
  return account
}

/** Creates an account, or returns the existing one as it is; refusals as above. */
export function createOrGetAccount(call: Call, request: AccountRequest): Promise<Answer> {
  return register(call, request, 'createOrGetAccount')
}

async function register(call: Call, request: AccountRequest, operation: keyof Outcomes): Promise<Answer> {
  await pickUpPointOf(call, request.pickUpPointUid, 'pickUpPointUid')
  for (let look = 0; look < looks; look++) {
    const answer = await lookAndRegister(call, request, operation)
    if (answer !== undefined) return answer
  }
  throw new Error('an account could neither be found nor created')
}

async function lookAndRegister(
  call: Call,
  request: AccountRequest,
  operation: keyof Outcomes,
): Promise<Answer | undefined> {
  const { emailAddress, userName } = request
  // Their flags are changed as a whole, and they could be removed meanwhile.
  await holdAccounts(call, emailAddress, userName ?? emailAddress)
  const found = await accountsBy(call, emailAddress, userName ?? emailAddress)
  const { byEmail } = found
  // The address stands in for a missing user name only where an account would be made with it.
  const byUserName = userName == null && byEmail !== undefined ? byEmail : found.byUserName
  const outcome = outcomes[emailState(byEmail)][userNameState(byUserName, byEmail)][operation]

  if (outcome === 'created') {
    const userUid = await insertAccount(call, request)
    return userUid === undefined ? undefined : configured(call, request, userUid, false)
  }
  if (outcome === 'found' && byEmail !== undefined) return configured(call, request, byEmail.user_uid, true)
  if (outcome === 'hidden' && byEmail !== undefined) return { ...hiddenAnswer(byEmail), isExisting: true }
  if (outcome === 'renamed' && byUserName !== undefined) {
    // Found by the user name that stands in for a missing one: the specification speaks of a specified one only.
    if (request.userName == null) throw refusal('UserNameAlreadyRegistered')
    if (mutationConfigOf(byUserName).canChangeEmailAddress === false) throw refusal('EmailAlreadyRegistered')
    await setEmail(call, byUserName.user_uid, request.emailAddress)
    return configured(call, request, byUserName.user_uid, true)
  }
  throw refusal(outcome as keyof typeof sentences)
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

async function configured(
  call: Call,
  { mutationConfig }: AccountRequest,
  userUid: string,
  isExisting: boolean,
): Promise<Answer> {
  const account = await accountBy(call, 'user_uid', userUid)
  if (account === undefined) throw new Error('an account vanished while it was registered')
  const answer = { ...answerOf(account), isExisting }
  if (mutationConfig != null) await configure(call, account, mutationConfig, answer)
  return answer
}

async function setEmail({ tx }: Call, userUid: string, email: string): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ email, email_key: folded(email) })
    .where('user_uid', '=', userUid)
    .execute()
}

function refusal(code: keyof typeof sentences): Refusal {
  return new Refusal(code, sentences[code])
}
