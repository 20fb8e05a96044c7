import { forgetRemoval } from '../auth/index.ts'
import { closeLockers } from '../outOfService/index.ts'
import type { StoreTransaction } from '../store/index.ts'
import { declaredLockers } from './lockers.ts'
import { readRemoved, toAccessId } from './removed.ts'
import type { Topology } from './shape.ts'

/** Lets entries of a topology return that an earlier one has retired or removed. */
export async function reviveDeclared(tx: StoreTransaction, { pickUpPoints }: Topology): Promise<void> {
  const removed = await readRemoved(tx)
  for (const point of pickUpPoints) {
    const { pupUid, tenants } = point
    if (removed.pickUpPoints.has(pupUid)) await forgetRemoval(tx, 'pickUpPoint', pupUid)
    await tx.updateTable('pick_up_points').set({ retired_at: null }).where('pup_uid', '=', pupUid).execute()
    for (const tenant of tenants) {
      const id = toAccessId(pupUid, tenant)
      if (removed.access.has(id)) await forgetRemoval(tx, 'access', id)
    }
    await tx
      .updateTable('pick_up_point_tenants')
      .set({ retired_at: null })
      .where('pup_uid', '=', pupUid)
      .where('tenant_id', 'in', tenants.length > 0 ? [...tenants] : [''])
      .where('retired_at', 'is not', null)
      .execute()
    await reviveLockers(tx, point, removed.lockers)
    await closeLockers(tx, pupUid)
  }
}

async function reviveLockers(
  tx: StoreTransaction,
  point: Topology['pickUpPoints'][number],
  removed: ReadonlySet<string>,
): Promise<void> {
  const declared = new Set(declaredLockers(point).map(({ uid }) => uid))
  for (const uid of declared) if (removed.has(uid)) await forgetRemoval(tx, 'locker', uid)
  const retired = await tx
    .selectFrom('lockers')
    .select('locker_uid')
    .where('pup_uid', '=', point.pupUid)
    .where('retired_at', 'is not', null)
    .execute()
  for (const { locker_uid } of retired) {
    if (!declared.has(locker_uid)) continue
    await tx.updateTable('lockers').set({ retired_at: null }).where('locker_uid', '=', locker_uid).execute()
  }
}
