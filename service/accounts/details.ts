import type { Updateable } from 'kysely'
import type { ReadRequestOf, ResponseOf } from '#contract'
import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import type { AccountRow } from '../store/tables.ts'
import { findAccount, lockAccount, requireManagedAccount, toKey } from './load.ts'
import { toAccountResponse } from './response.ts'

type Request = ReadRequestOf<'SetAccountDetails'>
type Field = Exclude<keyof Request, 'userUid'>

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
 * Updates the given fields; null and absent fields stay unchanged. Mutation flags restrict the user, not the tenant, so
 * they do not apply here.
 * @throws OperationError InvalidUserUid, EmailAlreadyRegistered
 */
export async function setAccountDetails(call: Call, request: Request): Promise<ResponseOf<'SetAccountDetails'>> {
  const { user_uid } = await lockAccount(call, request.userUid)
  if (request.emailAddress != null) await assertEmailFree(call, request.emailAddress, user_uid)
  const changes = toColumns(request)
  if (Object.keys(changes).length > 0) {
    await call.tx.updateTable('accounts').set(changes).where('user_uid', '=', user_uid).execute()
  }
  return toAccountResponse(await requireManagedAccount(call, user_uid))
}

function toColumns(request: Request): Updateable<AccountRow> {
  const fields = (Object.keys(columns) as Field[]).filter(field => request[field] != null)
  return {
    ...Object.fromEntries(fields.map(field => [columns[field], request[field]])),
    ...(request.emailAddress != null && { email_key: toKey(request.emailAddress) }),
  }
}

/** E-mail addresses are unique among the accounts of all tenants. */
async function assertEmailFree(call: Call, emailAddress: string, userUid: string): Promise<void> {
  const owner = await findAccount(call, 'email_key', emailAddress)
  if (owner === undefined || owner.user_uid === userUid) return
  throw new OperationError('EmailAlreadyRegistered', 'emailAddress must not belong to another account.')
}
