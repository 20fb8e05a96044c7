import { type RawBuilder, sql } from 'kysely'
import { activeStates } from '#contract/terms'
import type { StoreTransaction } from '../store/index.ts'

/** A pick up point, or one of its lockers. */
export interface ServiceTarget {
  readonly pupUid: string
  /** Absent for the pick up point with all its lockers. */
  readonly lockerUid?: string | undefined
}

export interface ServiceChange {
  /** Null: in service. */
  readonly reason: string | null
  /** Milliseconds since 1970. */
  readonly now: number
  /** True for the command, after which a topology file leaves the target alone. */
  readonly byCommand: boolean
}

/** 1 for a locker that must take no bookings. */
const closed: RawBuilder<0 | 1> =
  sql`case when lockers.out_of_service_since is not null or lockers.retired_at is not null
  or exists (select 1 from pick_up_points where pick_up_points.pup_uid = lockers.pup_uid
    and (pick_up_points.out_of_service_since is not null or pick_up_points.retired_at is not null))
  then 1 else 0 end`

/**
 * Puts a target in or out of service. A second reason replaces the first, and the beginning stays. Bookings stay; their
 * shipments count as changed for `updatedSince`. The caller has the advisory lock `topology`.
 * @returns whether anything changed
 */
export async function changeService(
  tx: StoreTransaction,
  { pupUid, lockerUid }: ServiceTarget,
  { reason, now, byCommand }: ServiceChange,
): Promise<boolean> {
  const [table, column, uid] =
    lockerUid === undefined
      ? (['pick_up_points', 'pup_uid', pupUid] as const)
      : (['lockers', 'locker_uid', lockerUid] as const)
  const before = await tx
    .selectFrom(table)
    .select(['out_of_service_reason', 'out_of_service_since'])
    .where(column, '=', uid)
    .executeTakeFirstOrThrow()
  const changed = before.out_of_service_reason !== reason
  if (changed || byCommand) {
    await tx
      .updateTable(table)
      .set({
        out_of_service_reason: reason,
        out_of_service_since: reason === null ? null : (before.out_of_service_since ?? now),
        ...(byCommand && { service_by_command: 1 as const }),
      })
      .where(column, '=', uid)
      .execute()
  }
  if (!changed) return false
  await closeLockers(tx, pupUid)
  await touchShipments(tx, { pupUid, lockerUid }, now)
  return true
}

async function touchShipments(tx: StoreTransaction, { pupUid, lockerUid }: ServiceTarget, now: number): Promise<void> {
  await tx
    .updateTable('shipments')
    .set({ updated_at: now })
    .where('locker_uid', 'in', eb => {
      const lockers = eb.selectFrom('lockers').select('lockers.locker_uid').where('lockers.pup_uid', '=', pupUid)
      return lockerUid === undefined ? lockers : lockers.where('lockers.locker_uid', '=', lockerUid)
    })
    .where('state_code', 'in', activeStates)
    // If the clock was set back, the newer change must still not appear older.
    .where('updated_at', '<', now)
    .execute()
}

/**
 * Closes and opens the lockers of a pick up point, as they and the pick up point are out of service or retired. It
 * updates the locker rows, whose locks order it after the bookings that are under way and before all later ones.
 */
export async function closeLockers(tx: StoreTransaction, pupUid: string): Promise<void> {
  await tx.updateTable('lockers').set({ closed }).where('pup_uid', '=', pupUid).where('closed', '<>', closed).execute()
}
