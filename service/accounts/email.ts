import type { Updateable } from 'kysely'
import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import type { AccountRow } from '../store/tables.ts'
import { type Account, findAccounts, toKey } from './load.ts'

/**
 * The columns of a new e-mail address. A user name that was not given is the address, so it changes too (D-123).
 * @throws OperationError EmailAlreadyRegistered when another account of any tenant has the address, or has it as the
 *   user name that this account would get
 */
export async function toEmailColumns(
  call: Call,
  account: Account,
  emailAddress: string,
): Promise<Updateable<AccountRow>> {
  const followsEmail = account.user_name === null
  const { byEmail, byUserName } = await findAccounts(call, emailAddress, emailAddress)
  for (const owner of followsEmail ? [byEmail, byUserName] : [byEmail]) {
    if (owner !== undefined && owner.user_uid !== account.user_uid) {
      throw new OperationError('EmailAlreadyRegistered', 'emailAddress must not belong to another account.')
    }
  }
  const key = toKey(emailAddress)
  return { email: emailAddress, email_key: key, ...(followsEmail && { user_name_key: key }) }
}
