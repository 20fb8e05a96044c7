import type { Selectable } from 'kysely'
import { activeStates, type StateCode } from '#contract/terms'
import { type OutOfService, toOutOfService } from '../lockers/index.ts'
import type { Store } from '../store/index.ts'
import type { LockerRow } from '../store/tables.ts'
import type { ServiceTarget } from './change.ts'

export interface LockerEntry {
  readonly lockerUid: string
  readonly name: string
  readonly isBooked: boolean
  /** Null while it is in service, even where its pick up point is not. */
  readonly outOfService: OutOfService | null
  /** A topology has removed it. It waits for the end of its bookings. */
  readonly isRetired: boolean
}

export interface PickUpPointEntry {
  readonly pupUid: string
  readonly name: string
  readonly outOfService: OutOfService | null
  readonly isRetired: boolean
  readonly lockers: readonly LockerEntry[]
}

/** Lists pick up points and lockers by name. @param pupUid lists that pick up point only */
export async function listLockers(store: Store, pupUid?: string): Promise<readonly PickUpPointEntry[]> {
  let points = store.selectFrom('pick_up_points').selectAll().orderBy('pup_uid')
  if (pupUid !== undefined) points = points.where('pup_uid', '=', pupUid)
  const lockers = Map.groupBy(
    await store.selectFrom('lockers').selectAll().orderBy('position').execute(),
    locker => locker.pup_uid,
  )
  return (await points.execute()).map(point => ({
    pupUid: point.pup_uid,
    name: point.name,
    outOfService: toOutOfService(point),
    isRetired: point.retired_at !== null,
    lockers: (lockers.get(point.pup_uid) ?? []).map(toEntry),
  }))
}

function toEntry(locker: Selectable<LockerRow>): LockerEntry {
  return {
    lockerUid: locker.locker_uid,
    name: locker.name,
    isBooked: locker.booked === 1,
    outOfService: toOutOfService(locker),
    isRetired: locker.retired_at !== null,
  }
}

/** An active shipment at a locker that was put in or out of service. */
export interface AffectedShipment {
  readonly tenantId: string
  readonly shipmentUid: string
  readonly referenceCaseNo: string | null
  readonly stateCode: StateCode
  readonly lockerName: string
}

/** Lists the active shipments at a target, oldest first. */
export async function findAffected(
  store: Store,
  { pupUid, lockerUid }: ServiceTarget,
): Promise<readonly AffectedShipment[]> {
  let rows = store
    .selectFrom('lockers')
    .innerJoin('shipments', 'shipments.locker_uid', 'lockers.locker_uid')
    .selectAll('shipments')
    .select('lockers.name as locker_name')
    .where('lockers.pup_uid', '=', pupUid)
    .where('shipments.state_code', 'in', activeStates)
    .orderBy('shipments.seq')
  if (lockerUid !== undefined) rows = rows.where('lockers.locker_uid', '=', lockerUid)
  return (await rows.execute()).map(row => ({
    tenantId: row.tenant_id,
    shipmentUid: row.shipment_uid,
    referenceCaseNo: row.reference_case_no,
    stateCode: row.state_code,
    lockerName: row.locker_name,
  }))
}
