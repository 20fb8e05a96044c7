import { closeLockers } from '../outOfService/index.ts'
import type { StoreTransaction } from '../store/index.ts'
import { declaredLockers } from './lockers.ts'
import { toAccessId } from './removed.ts'
import type { Topology } from './shape.ts'

/**
 * Retires what a topology does not declare: pick up points with their lockers, lockers, and the access of tenants. None
 * of it takes new bookings from then on, and bookings that exist go on to their end (D-215). Tenants and clients stay.
 */
export async function retireMissing(tx: StoreTransaction, { pickUpPoints }: Topology, now: number): Promise<void> {
  const declared = {
    points: new Set(pickUpPoints.map(({ pupUid }) => pupUid)),
    lockers: new Set(pickUpPoints.flatMap(point => declaredLockers(point).map(({ uid }) => uid))),
    access: new Set(pickUpPoints.flatMap(({ pupUid, tenants }) => tenants.map(tenant => toAccessId(pupUid, tenant)))),
  }
  const points = await tx.selectFrom('pick_up_points').select(['pup_uid', 'retired_at']).execute()
  for (const { pup_uid } of points.filter(one => one.retired_at === null && !declared.points.has(one.pup_uid))) {
    await tx.updateTable('pick_up_points').set({ retired_at: now }).where('pup_uid', '=', pup_uid).execute()
  }
  const lockers = await tx.selectFrom('lockers').select(['locker_uid', 'pup_uid', 'retired_at']).execute()
  const leaving = lockers.filter(one => one.retired_at === null && !declared.lockers.has(one.locker_uid))
  for (const { locker_uid } of leaving) {
    await tx.updateTable('lockers').set({ retired_at: now }).where('locker_uid', '=', locker_uid).execute()
  }
  for (const pupUid of new Set(leaving.map(({ pup_uid }) => pup_uid))) await closeLockers(tx, pupUid)
  const access = await tx.selectFrom('pick_up_point_tenants').selectAll().execute()
  for (const { pup_uid, tenant_id, retired_at } of access) {
    if (retired_at !== null || declared.access.has(toAccessId(pup_uid, tenant_id))) continue
    await tx
      .updateTable('pick_up_point_tenants')
      .set({ retired_at: now })
      .where('pup_uid', '=', pup_uid)
      .where('tenant_id', '=', tenant_id)
      .execute()
  }
}
