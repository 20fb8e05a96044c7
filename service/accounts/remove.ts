import { activeStates } from '#contract/terms'
import { type Call, Refusal } from '../operations/call.ts'
import { accountToRemove } from './managed.ts'

/**
 * Removes an account. Shipments that have ended keep its uid, which is nobody's from then on; its e-mail address and
 * user name are free again.
 * @throws Refusal InvalidUserUid, AccountInUse while any tenant has an active shipment from or to it, or it is a
 *   dispatcher's main account
 */
export async function removeAccount(call: Call, userUid: string): Promise<void> {
  const { user_uid } = await accountToRemove(call, userUid)
  if ((await isDispatcher(call, user_uid)) || (await hasActiveShipment(call, user_uid))) {
    // One sentence for all of it: it must not tell what other tenants have.
    throw new Refusal('AccountInUse', 'The account sends or receives an active shipment, or is that of a dispatcher')
  }
  await call.tx.deleteFrom('accounts').where('user_uid', '=', user_uid).execute()
}

async function isDispatcher({ tx }: Call, userUid: string): Promise<boolean> {
  const tenant = await tx
    .selectFrom('tenants')
    .select('tenant_id')
    .where('dispatcher_user_uid', '=', userUid)
    .executeTakeFirst()
  return tenant !== undefined
}

async function hasActiveShipment({ tx }: Call, userUid: string): Promise<boolean> {
  const shipment = await tx
    .selectFrom('shipments')
    .select('shipment_uid')
    .where(eb => eb.or([eb('from_user_uid', '=', userUid), eb('to_user_uid', '=', userUid)]))
    .where('state_code', 'in', activeStates)
    .limit(1)
    .executeTakeFirst()
  return shipment !== undefined
}
