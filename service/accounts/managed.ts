import { type Call, Refusal } from '../operations/call.ts'
import { hasRowLocks, withRemovalLock, withRowLock } from '../store/rowLocks.ts'
import { type Account, managedAccountBy } from './find.ts'

/**
 * An account that the caller manages.
 * @throws Refusal InvalidUserUid, in the same words for an unknown one and for somebody else's
 */
export async function managedAccount(call: Call, userUid: string): Promise<Account> {
  const account = await managedAccountBy(call, 'user_uid', userUid)
  if (account === undefined)
    throw new Refusal('InvalidUserUid', 'userUid has to be the uid of an account that you manage')
  return account
}

/** The same, and nobody else changes it before the call ends. */
export function accountToChange(call: Call, userUid: string): Promise<Account> {
  return held(call, userUid, withRowLock)
}

/** The same, and nobody books for it before the call ends. */
export function accountToRemove(call: Call, userUid: string): Promise<Account> {
  return held(call, userUid, withRemovalLock)
}

async function held(call: Call, userUid: string, lock: typeof withRowLock): Promise<Account> {
  if (hasRowLocks(call.tx)) {
    await call.tx
      .selectFrom('accounts')
      .select('user_uid')
      .where('user_uid', '=', userUid)
      .where('main_pup_uid', 'in', eb =>
        eb
          .selectFrom('pick_up_point_tenants')
          .select('pick_up_point_tenants.pup_uid')
          .where('tenant_id', '=', call.tenantId),
      )
      .modifyEnd(lock(call.tx))
      .execute()
  }
  return managedAccount(call, userUid)
}
