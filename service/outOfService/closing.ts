import { type RawBuilder, sql } from 'kysely'
import type { StoreTransaction } from '../store/index.ts'

/** 1 for a locker that must take no bookings. */
const closed: RawBuilder<0 | 1> =
  sql`case when lockers.out_of_service_since is not null or lockers.retired_at is not null
  or exists (select 1 from pick_up_points where pick_up_points.pup_uid = lockers.pup_uid
    and (pick_up_points.out_of_service_since is not null or pick_up_points.retired_at is not null))
  then 1 else 0 end`

/**
 * Closes and opens the lockers of a pick up point, as they and the pick up point are out of service or retired. It
 * updates the locker rows, whose locks order it after the bookings that are under way and before all later ones (D-210).
 */
export async function closeLockers(tx: StoreTransaction, pupUid: string): Promise<void> {
  await tx.updateTable('lockers').set({ closed }).where('pup_uid', '=', pupUid).where('closed', '<>', closed).execute()
}
