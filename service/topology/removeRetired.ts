import { sql } from 'kysely'
import { activeStates } from '#contract/terms'
import { inTransaction, type Store, tryAdvisoryLock } from '../store/index.ts'
import { removeUnused, type UnusedEntries } from './removeUnused.ts'

/** Entries of each kind that one transaction removes, since it locks them. */
const batchEntries = 100

/** Removes retired entries that are unused by now. Those that are used are not locked, so bookings do not wait for them. */
export async function removeRetired(store: Store, now: number, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const unused = await findUnused(store)
    const found = unused.lockers.length + unused.access.length + unused.pickUpPoints.length
    if (found === 0) return
    const used = await inTransaction(store, async tx =>
      // Another process that has the lock does the same.
      (await tryAdvisoryLock(tx, 'topology')) ? removeUnused(tx, now, unused) : undefined,
    )
    if (used === undefined || used.length === found) return
  }
}

/** Finds candidates without a lock. They are checked again under one. */
async function findUnused(store: Store): Promise<UnusedEntries> {
  const lockers = await store
    .selectFrom('lockers')
    .select('locker_uid')
    .where('retired_at', 'is not', null)
    .where(isAbsent(sql`shipments where locker_uid = lockers.locker_uid`))
    .orderBy('locker_uid')
    .limit(batchEntries)
    .execute()
  const access = await store
    .selectFrom('pick_up_point_tenants as access')
    .select(['pup_uid', 'tenant_id'])
    .where('retired_at', 'is not', null)
    .where(eb =>
      eb.or([
        isAbsent(sql`accounts where main_pup_uid = access.pup_uid`),
        eb.not(
          isAbsent(
            sql`pick_up_point_tenants as other where other.pup_uid = access.pup_uid and other.tenant_id <> access.tenant_id`,
          ),
        ),
      ]),
    )
    .where(
      isAbsent(sql`shipments where tenant_id = access.tenant_id and pup_uid = access.pup_uid
        and state_code in (${sql.join(activeStates)})`),
    )
    .orderBy('pup_uid')
    .orderBy('tenant_id')
    .limit(batchEntries)
    .execute()
  const points = await store
    .selectFrom('pick_up_points as point')
    .select('pup_uid')
    .where('retired_at', 'is not', null)
    // Its lockers are removed first.
    .where(isAbsent(sql`lockers where pup_uid = point.pup_uid`))
    .where(isAbsent(sql`accounts where main_pup_uid = point.pup_uid`))
    // The index of pick up points begins with the tenant.
    .where(isAbsent(sql`shipments where tenant_id in (select tenant_id from tenants) and pup_uid = point.pup_uid`))
    .orderBy('pup_uid')
    .limit(batchEntries)
    .execute()
  return {
    lockers: lockers.map(({ locker_uid }) => locker_uid),
    access,
    pickUpPoints: points.map(({ pup_uid }) => pup_uid),
  }
}

/** A join could read all shipments; a subquery with a limit reads one of each entry. */
function isAbsent(rows: ReturnType<typeof sql>) {
  return sql<boolean>`(select 1 from ${rows} limit 1) is null`
}
