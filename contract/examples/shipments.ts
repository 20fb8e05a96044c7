import { shipmentTypes } from '#contract/terms'
import type { ShipmentItem } from '../operations/logistics/shipmentListing.ts'
import { codes, drill, type Examples, lockerName, pickUpPoints, texts, uids } from './example.ts'

const shipmentUid = uids.issue
const charger = { referenceNo: 'ORD-2041-2', description: 'Charger', weight: 640, count: 1, dimension: drill }

const issue: ShipmentItem = {
  shipmentUid,
  shipmentType: shipmentTypes.local,
  stateCode: 'ReadyForDropOff',
  stateStart: '2026-03-02T09:15:04.118',
  created: '2026-03-02T09:15:04.118',
  referenceNo: texts.ReferenceNo,
  referenceCaseNo: texts.ReferenceCaseNo,
  description: texts.Description,
  fromUserUid: uids.dispatcher,
  toUserUid: uids.user,
  pupUid: pickUpPoints.square,
  lockerUid: uids.locker,
  lockerName,
  pickUpCode: codes.pickUp,
  deliveryCode: codes.delivery,
  swapsShipmentUid: null,
  priorShipmentUid: null,
  circularPriorShipmentUid: null,
  keepBookedAfterPickUp: false,
  objects: [],
  outOfService: null,
}

const collection: ShipmentItem = {
  ...issue,
  shipmentUid: uids.collection,
  shipmentType: shipmentTypes.collectOnly,
  stateCode: 'ReadyForPickup',
}

const onePage = { pageNo: 1, pageSize: 50, totalItems: 1, totalPages: 1 }

/** Changing and listing shipments. */
export const shipments: Examples<
  | 'SetShipmentDetails'
  | 'AddShipmentObject'
  | 'RemoveShipmentObject'
  | 'SetShipmentReceiver'
  | 'CancelShipment'
  | 'UnlockShipmentLocker'
  | 'GetShipmentAccessCode'
  | 'GetShipments'
  | 'GetLocalShipments'
  | 'GetCollectOnlyShipments'
  | 'SimulateLockerAccess'
> = {
  SetShipmentDetails: {
    request: { shipmentUid, ...texts, ReferenceNo: 'ORD-2041-B' },
    response: {},
  },
  AddShipmentObject: {
    request: { shipmentUid, details: charger, changePickUpAccess: true },
    response: { shipmentUid, shipmentObjectUid: uids.object },
  },
  RemoveShipmentObject: {
    request: { shipmentUid, shipmentObjectUid: uids.object },
    response: { shipmentUid, shipmentObjectUid: uids.object },
  },
  SetShipmentReceiver: {
    request: { shipmentUid: uids.stock, toUserUid: uids.user, caseReferenceNew: 'I1701-1983' },
    response: {},
  },
  CancelShipment: { request: { shipmentUid }, response: {} },
  UnlockShipmentLocker: { request: { shipmentUid, unlockGoal: 'DropOff', pinCode: codes.delivery }, response: {} },
  GetShipmentAccessCode: {
    request: { shipmentUid },
    response: { shipmentUid, pickUpCode: codes.pickUp, deliveryCode: codes.delivery },
  },
  GetShipments: {
    request: { referenceCaseNo: texts.ReferenceCaseNo, activeShipments: true, sortBy: 'CreatedDesc' },
    response: { items: [issue], ...onePage },
  },
  GetLocalShipments: {
    request: { shipmentUid, pageNo: 1, pageSize: 50 },
    response: { items: [issue], ...onePage },
  },
  GetCollectOnlyShipments: {
    request: { bookedPupUid: pickUpPoints.square, shipmentState: ['ReadyForPickup'] },
    response: { items: [collection], ...onePage },
  },
  SimulateLockerAccess: {
    request: { pupUid: pickUpPoints.square, lockerName, pinCode: codes.delivery },
    response: {},
  },
}
