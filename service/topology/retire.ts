import { closeLockers } from '../outOfService/index.ts'
import type { StoreTransaction } from '../store/index.ts'
import { forUpdate } from '../store/locks.ts'
import { declaredLockers } from './lockers.ts'
import { toAccessId } from './removed.ts'
import type { Topology } from './shape.ts'

/**
 * Retires what a topology does not declare: pick up points with their lockers, lockers, and the access of tenants. None
 * of it takes new bookings from then on, and bookings that exist go on to their end. Tenants and clients stay. The
 * transaction must not have locked lockers before.
 */
export async function retireMissing(tx: StoreTransaction, { pickUpPoints }: Topology, now: number): Promise<void> {
  const declared = {
    points: new Set(pickUpPoints.map(({ pupUid }) => pupUid)),
    lockers: new Set(pickUpPoints.flatMap(point => declaredLockers(point).map(({ uid }) => uid))),
    access: new Set(pickUpPoints.flatMap(({ pupUid, tenants }) => tenants.map(tenant => toAccessId(pupUid, tenant)))),
  }
  // In the order of a booking, which would deadlock with a removal that locks them after the lockers.
  const access = await tx
    .selectFrom('pick_up_point_tenants')
    .select(['pup_uid', 'tenant_id'])
    .where('retired_at', 'is', null)
    .orderBy('pup_uid')
    .orderBy('tenant_id')
    .execute()
  for (const row of access.filter(one => !declared.access.has(toAccessId(one.pup_uid, one.tenant_id)))) {
    const missing = tx
      .selectFrom('pick_up_point_tenants')
      .selectAll()
      .where(eb => eb.and({ ...row }))
    await missing.modifyEnd(forUpdate(tx)).execute()
    await tx
      .updateTable('pick_up_point_tenants')
      .set({ retired_at: now })
      .where(eb => eb.and({ ...row }))
      .execute()
  }
  const points = await tx.selectFrom('pick_up_points').select('pup_uid').where('retired_at', 'is', null).execute()
  for (const { pup_uid } of points.filter(one => !declared.points.has(one.pup_uid))) {
    const missing = tx.selectFrom('pick_up_points').select('pup_uid').where('pup_uid', '=', pup_uid)
    await missing.modifyEnd(forUpdate(tx)).execute()
    await tx.updateTable('pick_up_points').set({ retired_at: now }).where('pup_uid', '=', pup_uid).execute()
  }
  const lockers = await tx
    .selectFrom('lockers')
    .select(['locker_uid', 'pup_uid'])
    .where('retired_at', 'is', null)
    .execute()
  const leaving = lockers.filter(one => !declared.lockers.has(one.locker_uid))
  for (const { locker_uid } of leaving) {
    await tx.updateTable('lockers').set({ retired_at: now }).where('locker_uid', '=', locker_uid).execute()
  }
  for (const pupUid of new Set(leaving.map(({ pup_uid }) => pup_uid))) await closeLockers(tx, pupUid)
}
