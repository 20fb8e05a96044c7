import { activeStates } from '#contract/terms'
import type { StoreTransaction } from '../store/index.ts'

// The uses of an entry of the topology, as a text for people; undefined for an entry without any.

export async function countShipments(
  tx: StoreTransaction,
  column: 'locker_uid' | 'pup_uid',
  uid: string,
): Promise<string | undefined> {
  const found = tx.selectFrom('shipments').where(column, '=', uid)
  // The index of pick up points begins with the tenant.
  const all =
    column === 'pup_uid' ? found.where('tenant_id', 'in', eb => eb.selectFrom('tenants').select('tenant_id')) : found
  const { count } = await all.select(eb => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
  if (Number(count) === 0) return undefined
  const { active } = await all
    .where('state_code', 'in', activeStates)
    .select(eb => eb.fn.countAll().as('active'))
    .executeTakeFirstOrThrow()
  return `shipments: ${count}, active: ${active}`
}

export async function countActive(tx: StoreTransaction, pupUid: string, tenantId: string): Promise<string | undefined> {
  const { count } = await tx
    .selectFrom('shipments')
    .select(eb => eb.fn.countAll().as('count'))
    .where('pup_uid', '=', pupUid)
    .where('tenant_id', '=', tenantId)
    .where('state_code', 'in', activeStates)
    .executeTakeFirstOrThrow()
  return Number(count) === 0 ? undefined : `active shipments: ${count}`
}

/** The accounts at a pick up point without another tenant. */
export async function countOrphans(
  tx: StoreTransaction,
  pupUid: string,
  tenantId: string,
): Promise<string | undefined> {
  const other = await tx
    .selectFrom('pick_up_point_tenants')
    .select('tenant_id')
    .where('pup_uid', '=', pupUid)
    .where('tenant_id', '<>', tenantId)
    .executeTakeFirst()
  return other === undefined ? countAccounts(tx, pupUid) : undefined
}

export async function countAccounts(tx: StoreTransaction, pupUid: string): Promise<string | undefined> {
  const { count } = await tx
    .selectFrom('accounts')
    .select(eb => eb.fn.countAll().as('count'))
    .where('main_pup_uid', '=', pupUid)
    .executeTakeFirstOrThrow()
  return Number(count) === 0 ? undefined : `accounts with this main pick up point: ${count}`
}
