import type { Updateable } from 'kysely'
import type { ReadRequestOf, ResponseOf } from '#contract'
import { type Call, Refusal } from '../operations/call.ts'
import type { AccountRow } from '../store/tables.ts'
import { answerOf } from './answer.ts'
import { accountBy, folded } from './find.ts'
import { accountToChange, managedAccount } from './managed.ts'

type Request = ReadRequestOf<'SetAccountDetails'>
type Field = Exclude<keyof Request, 'userUid'>

/** Where each field is kept. */
const columns = {
  emailAddress: 'email',
  phoneNumber: 'phone_number',
  languageCode: 'language_code',
  firstName: 'first_name',
  lastName: 'last_name',
  streetName: 'street_name',
  streetNo: 'street_no',
  mailbox: 'mailbox',
  city: 'city',
  countryCode: 'country_code',
} as const satisfies Record<Field, keyof AccountRow>

/**
 * Changes the fields that are given; null and absent leave a field as it is. Mutation flags do not bind: they are
 * about what the user may do, and this is the tenant.
 * @throws Refusal InvalidUserUid, EmailAlreadyRegistered
 */
export async function setDetails(call: Call, request: Request): Promise<ResponseOf<'SetAccountDetails'>> {
  const { user_uid } = await accountToChange(call, request.userUid)
  if (request.emailAddress != null) await refuseTakenEmail(call, request.emailAddress, user_uid)
  const changes = changesOf(request)
  if (Object.keys(changes).length > 0) {
    await call.tx.updateTable('accounts').set(changes).where('user_uid', '=', user_uid).execute()
  }
  return answerOf(await managedAccount(call, user_uid))
}

function changesOf(request: Request): Updateable<AccountRow> {
  const given = (Object.keys(columns) as Field[]).filter(field => request[field] != null)
  return {
    ...Object.fromEntries(given.map(field => [columns[field], request[field]])),
    ...(request.emailAddress != null && { email_key: folded(request.emailAddress) }),
  }
}

/** Addresses are unique among all accounts, whoever manages them. */
async function refuseTakenEmail(call: Call, emailAddress: string, userUid: string): Promise<void> {
  const holder = await accountBy(call, 'email_key', emailAddress)
  if (holder === undefined || holder.user_uid === userUid) return
  throw new Refusal('EmailAlreadyRegistered', 'emailAddress belongs to another account')
}
