import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import { forKeyShare } from '../store/locks.ts'
import type { Shipment } from './load.ts'

/**
 * The sender or receiver of a shipment: the dispatcher's main account, the account in a field of the request, or the
 * receiver of another shipment. A shipment without a receiver stands for the dispatcher.
 */
export type Party =
  | 'dispatcher'
  | { readonly userUid: string; readonly field: string }
  | { readonly receiverOf: Pick<Shipment, 'to_user_uid'> }

/**
 * Returns the account uid of a party. Accounts are shared between tenants, so any account is allowed; only reading and
 * changing an account is restricted.
 * @throws OperationError InvalidUserUid
 */
export async function resolveParty({ tx, tenant }: Call, party: Party): Promise<string> {
  if (party !== 'dispatcher' && 'receiverOf' in party && party.receiverOf.to_user_uid !== null) {
    return party.receiverOf.to_user_uid
  }
  if (party === 'dispatcher' || 'receiverOf' in party) {
    return (await tenant()).dispatcher_user_uid
  }
  const { userUid, field } = party
  // Prevents the removal of the account until the shipment is stored. Dispatcher accounts cannot be removed.
  const account = await tx
    .selectFrom('accounts')
    .select('user_uid')
    .where('user_uid', '=', userUid)
    .modifyEnd(forKeyShare(tx))
    .executeTakeFirst()
  if (account === undefined) throw new OperationError('InvalidUserUid', `${field} must be the uid of an account.`)
  return userUid
}
