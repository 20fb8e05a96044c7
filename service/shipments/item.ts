import type { Selectable } from 'kysely'
import type { ShipmentItem } from '#contract'
import type { ShipmentRow } from '../store/tables.ts'
import { zoneless } from '../zoneless.ts'

/** A shipment as the store lists it. */
export type ListedRow = Selectable<ShipmentRow> & { readonly locker_name: string | null }

/** A shipment as answers show it. */
export function itemOf(row: ListedRow, objects: ShipmentItem['objects']): ShipmentItem {
  return {
    shipmentUid: row.shipment_uid,
    shipmentType: row.shipment_type,
    stateCode: row.state_code,
    stateStart: zoneless(row.state_start),
    created: zoneless(row.created),
    referenceNo: row.reference_no,
    referenceCaseNo: row.reference_case_no,
    description: row.description,
    fromUserUid: row.from_user_uid,
    toUserUid: row.to_user_uid,
    pupUid: row.pup_uid,
    lockerUid: row.locker_uid,
    lockerName: row.locker_name,
    pickUpCode: row.pick_up_code,
    deliveryCode: row.delivery_code,
    swapsShipmentUid: row.swaps_shipment_uid,
    priorShipmentUid: row.prior_shipment_uid,
    circularPriorShipmentUid: row.circular_prior_shipment_uid,
    keepBookedAfterPickUp: row.kept === 1,
    objects,
  }
}
