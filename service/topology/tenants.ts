import { randomUUID } from 'node:crypto'
import { mutationFlags } from '#contract'
import { newMailCode } from '../accounts/index.ts'
import { wasRemoved } from '../auth/index.ts'
import type { StoreTransaction } from '../store/index.ts'
import { toTextKey } from '../textKey.ts'
import { noPickUpPoint } from './crossReferences.ts'
import type { ApplyContext } from './pickUpPoints.ts'
import { toAccessId } from './removed.ts'
import type { DeclaredTenant, Topology } from './shape.ts'

/**
 * Inserts tenants with their dispatchers' main accounts, and gives them access to their pick up points. An access that was
 * retired or removed stays so.
 * @returns the uids of pick up points with such an access
 */
export async function applyTenants(
  tx: StoreTransaction,
  { tenants, pickUpPoints }: Topology,
  { removed, now }: ApplyContext,
): Promise<readonly string[]> {
  const ignored: string[] = []
  for (const tenant of tenants) {
    const declared = pickUpPoints.filter(point => point.tenants.includes(tenant.name)).map(({ pupUid }) => pupUid)
    const managed = declared.filter(
      pupUid => !removed.pickUpPoints.has(pupUid) && !removed.access.has(toAccessId(pupUid, tenant.name)),
    )
    const [mainPupUid] = managed.length > 0 ? managed : declared
    if (mainPupUid === undefined) throw new Error(`topology: ${noPickUpPoint(tenant.name)}`)
    // A removed tenant does not return because a file still declares it.
    if (await wasRemoved(tx, 'tenant', tenant.name)) continue
    await addTenant(tx, tenant, mainPupUid, now)
    ignored.push(...declared.filter(pupUid => !managed.includes(pupUid)))
    const access = await tx
      .selectFrom('pick_up_point_tenants')
      .select(['pup_uid', 'retired_at'])
      .where('tenant_id', '=', tenant.name)
      .execute()
    const retiredAt = new Map(access.map(row => [row.pup_uid, row.retired_at]))
    for (const pup_uid of managed) {
      if (retiredAt.has(pup_uid)) {
        if (retiredAt.get(pup_uid) !== null) ignored.push(pup_uid)
        continue
      }
      await tx.insertInto('pick_up_point_tenants').values({ pup_uid, tenant_id: tenant.name }).execute()
    }
  }
  return ignored
}

/** Skips existing tenants: their account may have been changed through the API. */
async function addTenant(
  tx: StoreTransaction,
  { name, dispatcher }: DeclaredTenant,
  mainPupUid: string,
  now: number,
): Promise<void> {
  const existing = await tx.selectFrom('tenants').select('tenant_id').where('tenant_id', '=', name).executeTakeFirst()
  if (existing !== undefined) return
  const { userName, emailAddress, firstName, lastName } = dispatcher
  const keys = { user_name_key: toTextKey(userName), email_key: toTextKey(emailAddress) }
  await assertAccountFree(tx, name, keys)
  const user_uid = randomUUID()
  await tx
    .insertInto('accounts')
    .values({
      ...keys,
      user_uid,
      user_name: userName,
      email: emailAddress,
      first_name: firstName,
      last_name: lastName,
      main_pup_uid: mainPupUid,
      mail_code: newMailCode(),
      mutation_config: JSON.stringify(Object.fromEntries(mutationFlags.map(flag => [flag, null]))),
      created_at: now,
    })
    .execute()
  await tx
    .insertInto('tenants')
    .values({ tenant_id: name, dispatcher_user_uid: user_uid, callback_auth_type: 'None' })
    .execute()
}

async function assertAccountFree(
  tx: StoreTransaction,
  tenant: string,
  keys: { user_name_key: string; email_key: string },
): Promise<void> {
  const existing = await tx
    .selectFrom('accounts')
    .select('user_name_key')
    .where(eb => eb.or([eb('user_name_key', '=', keys.user_name_key), eb('email_key', '=', keys.email_key)]))
    .executeTakeFirst()
  if (existing === undefined) return
  const field = existing.user_name_key === keys.user_name_key ? 'userName' : 'emailAddress'
  throw new Error(`topology: the ${field} of the dispatcher of ${tenant} must not belong to another account`)
}
