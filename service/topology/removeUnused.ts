import { recordRemoval } from '../auth/index.ts'
import type { StoreTransaction } from '../store/index.ts'
import { forUpdate, lockOutBatches } from '../store/locks.ts'
import { toAccessId } from './removed.ts'
import { countAccounts, countActive, countOrphans, countShipments } from './uses.ts'

/** A retired entry that is still used, and by what. */
export interface InUse {
  readonly entry: 'pickUpPoint' | 'locker' | 'access'
  readonly id: string
  /** Such as `shipments: 2, active: 1`. */
  readonly reason: string
}

/** Retired entries that nothing refers to. */
export interface UnusedEntries {
  readonly lockers: readonly string[]
  readonly access: readonly { readonly pup_uid: string; readonly tenant_id: string }[]
  readonly pickUpPoints: readonly string[]
}

/**
 * Deletes the retired entries that nothing refers to, and records them, so that the start of a service does not
 * add them again. The caller has the advisory lock `topology`.
 * @param among the entries to check; by default all that are retired
 * @returns those that are still used
 */
export async function removeUnused(
  tx: StoreTransaction,
  now: number,
  among?: UnusedEntries,
): Promise<readonly InUse[]> {
  return [
    ...(await removeLockers(tx, now, among?.lockers)),
    ...(await removeAccess(tx, now, among?.access)),
    ...(await removePickUpPoints(tx, now, among?.pickUpPoints)),
  ]
}

async function removeLockers(
  tx: StoreTransaction,
  now: number,
  among: UnusedEntries['lockers'] | undefined,
): Promise<readonly InUse[]> {
  if (among?.length === 0) return []
  // Locked before the shipments are counted: a transaction that books has the lock of its locker.
  const retired = await tx
    .selectFrom('lockers')
    .select('locker_uid')
    .where('retired_at', 'is not', null)
    .$if(among !== undefined, query => query.where('locker_uid', 'in', among ?? []))
    .orderBy('locker_uid')
    .modifyEnd(forUpdate(tx))
    .execute()
  const used: InUse[] = []
  for (const { locker_uid: id } of retired) {
    const shipments = await countShipments(tx, 'locker_uid', id)
    if (shipments !== undefined) {
      used.push({ entry: 'locker', id, reason: shipments })
      continue
    }
    await tx.deleteFrom('pin_attempts').where('locker_uid', '=', id).execute()
    await tx.deleteFrom('lockers').where('locker_uid', '=', id).execute()
    await recordRemoval(tx, 'locker', id, now)
  }
  return used
}

/** A tenant keeps the access while it has active shipments there, or accounts that no other tenant would manage. */
async function removeAccess(
  tx: StoreTransaction,
  now: number,
  among: UnusedEntries['access'] | undefined,
): Promise<readonly InUse[]> {
  if (among?.length === 0) return []
  const retired = await tx
    .selectFrom('pick_up_point_tenants')
    .select(['pup_uid', 'tenant_id'])
    .where('retired_at', 'is not', null)
    .$if(among !== undefined, query => query.where(eb => eb.or((among ?? []).map(one => eb.and({ ...one })))))
    .orderBy('pup_uid')
    .orderBy('tenant_id')
    .modifyEnd(forUpdate(tx))
    .execute()
  // Batches do not lock these rows, since each lock is a write. The rows are locked first, because the bookings of a tenant
  // that is kept out of batches do lock them.
  for (const tenantId of new Set(retired.map(({ tenant_id }) => tenant_id))) await lockOutBatches(tx, tenantId)
  const used: InUse[] = []
  for (const { pup_uid, tenant_id } of retired) {
    const id = toAccessId(pup_uid, tenant_id)
    const reason = (await countActive(tx, pup_uid, tenant_id)) ?? (await countOrphans(tx, pup_uid, tenant_id))
    if (reason !== undefined) {
      used.push({ entry: 'access', id, reason })
      continue
    }
    await tx
      .deleteFrom('pick_up_point_tenants')
      .where('pup_uid', '=', pup_uid)
      .where('tenant_id', '=', tenant_id)
      .execute()
    await recordRemoval(tx, 'access', id, now)
  }
  return used
}

async function removePickUpPoints(
  tx: StoreTransaction,
  now: number,
  among: UnusedEntries['pickUpPoints'] | undefined,
): Promise<readonly InUse[]> {
  if (among?.length === 0) return []
  // The lock waits for accounts that are being added, and blocks further ones.
  const retired = await tx
    .selectFrom('pick_up_points')
    .select('pup_uid')
    .where('retired_at', 'is not', null)
    .$if(among !== undefined, query => query.where('pup_uid', 'in', among ?? []))
    .orderBy('pup_uid')
    .modifyEnd(forUpdate(tx))
    .execute()
  const used: InUse[] = []
  for (const { pup_uid: id } of retired) {
    const reason = (await countShipments(tx, 'pup_uid', id)) ?? (await countAccounts(tx, id))
    if (reason !== undefined) {
      used.push({ entry: 'pickUpPoint', id, reason })
      continue
    }
    await tx.deleteFrom('access_codes').where('pup_uid', '=', id).execute()
    await tx.deleteFrom('pick_up_point_tenants').where('pup_uid', '=', id).execute()
    await tx.deleteFrom('pick_up_points').where('pup_uid', '=', id).execute()
    await recordRemoval(tx, 'pickUpPoint', id, now)
  }
  return used
}
