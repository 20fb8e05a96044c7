import type { Updateable } from 'kysely'
import type { ReadRequestOf, ResponseOf } from '#contract'
import { auditCall } from '../audit/index.ts'
import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import type { AccountRow } from '../store/tables.ts'
import { toTextKey } from '../textKey.ts'
import { type Account, findAccounts, lockAccount, requireManagedAccount, toDefaultNameKey } from './load.ts'
import { toAccountResponse } from './response.ts'

type Request = ReadRequestOf<'SetAccountDetails'>
type Field = Exclude<keyof Request, 'userUid' | 'emailAddress'>

const columns = {
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
 * Updates the given fields. Null and absent fields stay unchanged, and an empty text clears a field. Mutation flags
 * restrict the user and not the tenant, so they are not checked.
 * @throws OperationError InvalidUserUid, EmailAlreadyRegistered
 */
export async function setAccountDetails(call: Call, request: Request): Promise<ResponseOf<'SetAccountDetails'>> {
  const account = await lockAccount(call, request.userUid)
  const { user_uid } = account
  const { emailAddress } = request
  const changes = {
    ...toColumns(request),
    ...(emailAddress != null && (await moveToEmail(call, account, emailAddress))),
  }
  if (Object.keys(changes).length > 0) {
    await call.tx.updateTable('accounts').set(changes).where('user_uid', '=', user_uid).execute()
    const fields = Object.entries(request).filter(([field, value]) => field !== 'userUid' && value != null)
    await auditCall(call, 'account.changed', user_uid, fields.map(([field]) => field).join())
  }
  return toAccountResponse(await requireManagedAccount(call, user_uid))
}

function toColumns(request: Request): Updateable<AccountRow> {
  const fields = (Object.keys(columns) as Field[]).filter(field => request[field] != null)
  return Object.fromEntries(fields.map(field => [columns[field], request[field] || null]))
}

/**
 * The columns of a new e-mail address. A user name that was not given is the address, so it changes too.
 * @throws OperationError EmailAlreadyRegistered when another account of any tenant has the address
 */
export async function moveToEmail(call: Call, account: Account, emailAddress: string): Promise<Updateable<AccountRow>> {
  const { byEmail, byNameKey } = await findAccounts(call, emailAddress, emailAddress)
  const isOther = (owner: Account | undefined) => owner !== undefined && owner.user_uid !== account.user_uid
  if (isOther(byEmail))
    throw new OperationError('EmailAlreadyRegistered', 'emailAddress must not belong to another account.')
  const name = account.user_name === null && { user_name_key: toDefaultNameKey(emailAddress, isOther(byNameKey)) }
  return { email: emailAddress, email_key: toTextKey(emailAddress), ...name }
}
