import type { Selectable } from 'kysely'
import { type ShipmentItem, toUtcWithoutOffset } from '#contract'
import { states } from '#contract/terms'
import { type AccessCodes, toOutOfService } from '../lockers/index.ts'
import type { Store } from '../store/index.ts'
import type { LockerRow, ShipmentRow } from '../store/tables.ts'

/** A shipment with its locker's name, and the reason why its locker or pick up point is out of service. */
export type ListedRow = Selectable<ShipmentRow> &
  Pick<Selectable<LockerRow>, 'out_of_service_reason' | 'out_of_service_since'> & {
    readonly locker_name: string | null
  }

/** Selects rows of lists; the caller adds the filter. */
export function selectListed(db: Store) {
  return db
    .selectFrom('shipments')
    .leftJoin('lockers', 'lockers.locker_uid', 'shipments.locker_uid')
    .leftJoin('pick_up_points', 'pick_up_points.pup_uid', 'shipments.pup_uid')
    .selectAll('shipments')
    .select(eb => [
      'lockers.name as locker_name',
      eb.fn
        .coalesce('lockers.out_of_service_reason', 'pick_up_points.out_of_service_reason')
        .as('out_of_service_reason'),
      eb.fn.coalesce('lockers.out_of_service_since', 'pick_up_points.out_of_service_since').as('out_of_service_since'),
    ])
}

export function toShipmentItem(row: ListedRow, codes: AccessCodes, objects: ShipmentItem['objects']): ShipmentItem {
  return {
    shipmentUid: row.shipment_uid,
    shipmentType: row.shipment_type,
    stateCode: row.state_code,
    stateStart: toUtcWithoutOffset(row.state_since),
    created: toUtcWithoutOffset(row.created_at),
    referenceNo: row.reference_no,
    referenceCaseNo: row.reference_case_no,
    description: row.description,
    fromUserUid: row.from_user_uid,
    toUserUid: row.to_user_uid,
    pupUid: row.pup_uid,
    lockerUid: row.locker_uid,
    lockerName: row.locker_name,
    ...codes,
    swapsShipmentUid: row.swaps_shipment_uid,
    priorShipmentUid: row.prior_shipment_uid,
    circularPriorShipmentUid: row.circular_prior_shipment_uid,
    keepBookedAfterPickUp: row.keep_booked === 1,
    outOfService: states[row.state_code].final ? null : toOutOfService(row),
    objects,
  }
}
