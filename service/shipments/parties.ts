import { type Call, Refusal } from '../operations/call.ts'
import { withUseLock } from '../store/rowLocks.ts'
import type { Shipment } from './make.ts'

/**
 * Who sends or receives: the dispatcher's main account, the account that a field of the request names, or whoever
 * receives another shipment, which is the dispatcher when nobody does.
 */
export type Party =
  | 'dispatcher'
  | { readonly userUid: string; readonly field: string }
  | { readonly receiverOf: Pick<Shipment, 'to_user_uid'> }

/**
 * The uid of the account of a party. Any account will do: accounts are shared, only looking up and changing them is
 * barred.
 * @throws Refusal InvalidUserUid
 */
export async function userUidOf({ tx, tenant }: Call, party: Party): Promise<string> {
  if (party !== 'dispatcher' && 'receiverOf' in party && party.receiverOf.to_user_uid !== null) {
    return party.receiverOf.to_user_uid
  }
  if (party === 'dispatcher' || 'receiverOf' in party) {
    return (await tenant()).dispatcher_user_uid
  }
  const { userUid, field } = party
  // Held, or it could be removed while its shipment is made. That of a dispatcher cannot be removed.
  const account = await tx
    .selectFrom('accounts')
    .select('user_uid')
    .where('user_uid', '=', userUid)
    .modifyEnd(withUseLock(tx))
    .executeTakeFirst()
  if (account === undefined) throw new Refusal('InvalidUserUid', `${field} has to be the uid of an account`)
  return userUid
}
