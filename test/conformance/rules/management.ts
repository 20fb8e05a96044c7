import type { Rule } from '../rule.ts'

const section = 'Shipment management'

/** Changes of existing shipments, and their listing. */
export const management: readonly Rule[] = [
  {
    section,
    rule: 'Each operation has the path, the request fields and the response fields of the table, in its casing.',
    heldBy: [
      'test/conformance/interface.test.ts > $name is under the path of the specification',
      'test/conformance/interface.test.ts > $name takes the fields of the specification, in its casing',
      'test/conformance/interface.test.ts > $name returns the fields of the specification, in its casing',
    ],
  },
  {
    section,
    rule: 'SetShipmentDetails overrides the three details.',
    heldBy: [
      'test/service/operations/logistics/setShipmentDetails.test.ts > overrides the details with $what, changes no state and sends no callback',
    ],
  },
  {
    section,
    rule: 'All three details of SetShipmentDetails are mandatory; Description may be null.',
    heldBy: [
      'test/service/operations/logistics/setShipmentDetails.test.ts > $field $value is InvalidRequest, by its name',
      'test/service/operations/logistics/setShipmentDetails.test.ts > overrides the details with $what, changes no state and sends no callback',
    ],
  },
  {
    section,
    rule: 'AddShipmentObject attaches an object with reference, description, weight, count and dimension, and returns its uid.',
    heldBy: [
      'test/conformance/inside.test.ts > %s: the fields of the %s in %s',
      'test/service/shipments/objects.test.ts > objects are shown in the order in which they were added, each with its shipment only',
    ],
  },
  {
    section,
    rule: 'shipmentUid and details of AddShipmentObject are required.',
    heldBy: ['test/service/shipments/objects.test.ts > %s: a wrong %s is InvalidRequest, by its name'],
  },
  {
    section,
    rule: 'changePickUpAccess and changeDropOffAccess each generate a new access code.',
    heldBy: [
      'test/service/shipments/objectAccessCodes.test.ts > adding an object creates the requested new codes, for a swap the common one on both',
      'test/service/shipments/objectAccessCodes.test.ts > the new codes open, and the old ones no longer do',
    ],
  },
  {
    section,
    rule: 'New codes are read with GetShipmentAccessCode.',
    heldBy: ['test/service/shipments/objectAccessCodes.test.ts > GetShipmentAccessCode returns the new codes'],
  },
  {
    section,
    rule: 'RemoveShipmentObject removes the object of a shipment; both uids are required.',
    heldBy: [
      'test/service/shipments/objects.test.ts > a removed object is gone, the others stay, and it cannot be removed again',
      'test/service/shipments/objects.test.ts > %s: a wrong %s is InvalidRequest, by its name',
    ],
  },
  {
    section,
    rule: 'SetShipmentReceiver needs toUserUid, which is ignored when removing.',
    heldBy: [
      'test/service/operations/logistics/setShipmentReceiver.test.ts > refused in the order of the checks > $error: $before, $fields',
      'test/service/operations/logistics/setShipmentReceiver.test.ts > refused in the order of the checks > a removal ignores any toUserUid, and caseReferenceNew: %j',
    ],
  },
  {
    section,
    rule: 'caseReferenceNew overrides the case number if it is not null and a receiver is set.',
    heldBy: [
      'test/service/operations/logistics/setShipmentReceiver.test.ts > the case number after caseReferenceNew $caseReferenceNew is $referenceCaseNo',
      'test/service/operations/logistics/setShipmentReceiver.test.ts > refused in the order of the checks > a removal ignores any toUserUid, and caseReferenceNew: %j',
    ],
  },
  {
    section,
    rule: 'removeReceiver defaults to false.',
    heldBy: [
      'test/service/operations/logistics/setShipmentReceiver.test.ts > $before: in $state, with a receiver: $receiver',
    ],
  },
  {
    section,
    rule: 'CancelShipment cancels the shipment and releases its locker.',
    heldBy: [
      'test/service/shipments/lifecycle.test.ts > the life of a shipment, with a callback for each state in its order',
      'test/service/shipments/lifecycle.test.ts > the locker is free again when the shipment has ended, and not before: $steps',
    ],
  },
  {
    section,
    rule: 'SimulateLockerAccess requires pupUid, lockerName and pinCode.',
    heldBy: ['test/conformance/interface.test.ts > $name takes the fields of the specification, in its casing'],
  },
  {
    section,
    rule: 'SimulateLockerAccess exists in staging only.',
    heldBy: [
      'test/service/http/protocol.test.ts > the OpenAPI document > has no simulation in production, where the operation is unknown',
    ],
  },
  {
    section,
    rule: 'unlockGoal of UnlockShipmentLocker is DropOff, PickUp, null or absent.',
    heldBy: [
      'test/service/operations/logistics/unlockShipmentLocker.test.ts > an unknown goal is InvalidRequest',
      'test/service/operations/logistics/unlockShipmentLocker.test.ts > $before: $letter in $state',
    ],
  },
  {
    section,
    rule: 'With an empty pinCode the locker opens without a check of the code.',
    heldBy: [
      'test/service/lockers/unlockCodes.test.ts > $before, with the goal $goal > without a code (%o) none is checked',
    ],
  },
  {
    section,
    rule: 'UnlockShipmentLocker fails for a shipment in an invalid state, and for one without a locker.',
    heldBy: [
      'test/service/operations/logistics/unlockShipmentLocker.test.ts > a shipment that is unknown is InvalidShipment, and one without a locker InvalidShipmentState',
      'test/service/operations/logistics/unlockShipmentLocker.test.ts > $before: $letter in $state',
    ],
  },
  {
    section: 'Beyond the specification',
    rule: "GetShipments, GetLocalShipments and GetCollectOnlyShipments list the caller's shipments by filters, in pages.",
    heldBy: [
      'test/service/operations/logistics/getShipments.test.ts > GetShipments lists by',
      'test/service/operations/logistics/getShipments.test.ts > GetShipments pages',
      'test/service/operations/logistics/getShipmentsByType.test.ts > %s lists nothing but %s',
    ],
  },
  {
    section: 'Beyond the specification',
    rule: "GetPickUpPoints lists the caller's pick up points, with their lockers if details are included.",
    heldBy: [
      'test/service/operations/pickUpPoints/getPickUpPoints.test.ts > GetPickUpPoints lists',
      'test/service/operations/pickUpPoints/getPickUpPoints.test.ts > with details it returns the address and the lockers by size, free and total',
    ],
  },
]
