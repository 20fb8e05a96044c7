import { randomUUID } from 'node:crypto'
import { mutationFlags } from '#contract'
import type { StoreTransaction } from '../store/index.ts'
import { newMailCode } from './mailCode.ts'
import type { DeclaredTenant, Topology } from './shape.ts'

/** Adds the tenants, each with the main account of its dispatcher, and the pick up points that they manage. */
export async function applyTenants(
  tx: StoreTransaction,
  { tenants, pickUpPoints }: Topology,
  now: number,
): Promise<void> {
  for (const tenant of tenants) {
    const managed = pickUpPoints.filter(point => point.tenants.includes(tenant.name)).map(({ pupUid }) => pupUid)
    const [mainPupUid] = managed
    if (mainPupUid === undefined) throw new Error(`topology: no pick up point names the tenant ${tenant.name}`)
    await addTenant(tx, tenant, mainPupUid, now)
    for (const pup_uid of managed) {
      await tx
        .insertInto('pick_up_point_tenants')
        .values({ pup_uid, tenant_id: tenant.name })
        .onConflict(conflict => conflict.columns(['pup_uid', 'tenant_id']).doNothing())
        .execute()
    }
  }
}

/** The account of a tenant that is there already may have been changed through the API since, so it is left alone. */
async function addTenant(
  tx: StoreTransaction,
  { name, dispatcher }: DeclaredTenant,
  mainPupUid: string,
  now: number,
): Promise<void> {
  const there = await tx.selectFrom('tenants').select('tenant_id').where('tenant_id', '=', name).executeTakeFirst()
  if (there !== undefined) return
  const { userName, emailAddress, firstName, lastName } = dispatcher
  const keys = { user_name_key: userName.toLowerCase(), email_key: emailAddress.toLowerCase() }
  await refuseTakenAccount(tx, name, keys)
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
      created: now,
    })
    .execute()
  await tx
    .insertInto('tenants')
    .values({ tenant_id: name, dispatcher_user_uid: user_uid, callback_auth_type: 'None' })
    .execute()
}

async function refuseTakenAccount(
  tx: StoreTransaction,
  tenant: string,
  keys: { user_name_key: string; email_key: string },
): Promise<void> {
  const taken = await tx
    .selectFrom('accounts')
    .select('user_name_key')
    .where(is => is.or([is('user_name_key', '=', keys.user_name_key), is('email_key', '=', keys.email_key)]))
    .executeTakeFirst()
  if (taken === undefined) return
  const field = taken.user_name_key === keys.user_name_key ? 'userName' : 'emailAddress'
  throw new Error(`topology: the ${field} of the dispatcher of ${tenant} belongs to another account`)
}
