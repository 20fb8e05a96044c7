import type { Rule } from '../rule.ts'

const section = 'Shipment management'

/** What is done to shipments that are there, and how they are looked up. */
export const management: readonly Rule[] = [
  {
    section,
    rule: 'Each operation has the path, the request fields and the answer fields of the table, in its casing.',
    heldBy: [
      'test/conformance/interface.test.ts > $name is under the path of the specification',
      'test/conformance/interface.test.ts > $name takes the fields of the specification, in its casing',
      'test/conformance/interface.test.ts > $name answers the fields of the specification, in its casing',
    ],
  },
  {
    section,
    rule: 'SetShipmentDetails overrides the three details.',
    heldBy: [
      'test/service/setShipmentDetails.test.ts > overrides the details with $what, changes no state and announces nothing',
    ],
  },
  {
    section,
    rule: 'All three details of SetShipmentDetails are mandatory; Description may be null.',
    heldBy: [
      'test/service/setShipmentDetails.test.ts > $field $value is InvalidRequest, by its name',
      'test/service/setShipmentDetails.test.ts > overrides the details with $what, changes no state and announces nothing',
    ],
  },
  {
    section,
    rule: 'AddShipmentObject attaches an object with reference, description, weight, count and dimension, and answers its uid.',
    heldBy: [
      'test/conformance/inside.test.ts > %s: the fields of the %s inside of %s',
      'test/service/shipmentObjects.test.ts > objects are shown in the order in which they were added, each with its shipment only',
    ],
  },
  {
    section,
    rule: 'shipmentUid and details of AddShipmentObject are required.',
    heldBy: ['test/service/shipmentObjects.test.ts > %s: a wrong %s is InvalidRequest, by its name'],
  },
  {
    section,
    rule: 'changePickUpAccess and changeDropOffAccess each make a new access code.',
    heldBy: [
      'test/service/changedAccess.test.ts > adding an object makes the new codes that are asked for, the common one of a swap on both',
      'test/service/changedAccess.test.ts > the new codes open, and the old ones do not any more',
    ],
  },
  {
    section,
    rule: 'New codes are read with GetShipmentAccessCode.',
    heldBy: ['test/service/changedAccess.test.ts > GetShipmentAccessCode tells the new codes'],
  },
  {
    section,
    rule: 'RemoveShipmentObject removes the object of a shipment; both uids are required.',
    heldBy: [
      'test/service/shipmentObjects.test.ts > a removed object is gone, the others stay, and it cannot be removed again',
      'test/service/shipmentObjects.test.ts > %s: a wrong %s is InvalidRequest, by its name',
    ],
  },
  {
    section,
    rule: 'SetShipmentReceiver needs toUserUid, which is ignored when removing.',
    heldBy: [
      'test/service/setShipmentReceiver.test.ts > refused in the order of the checks > $error: $before, $fields',
      'test/service/setShipmentReceiver.test.ts > refused in the order of the checks > a removal knows neither toUserUid nor caseReferenceNew',
    ],
  },
  {
    section,
    rule: 'caseReferenceNew overrides the case number when it is not null, and only when a receiver is set.',
    heldBy: [
      'test/service/setShipmentReceiver.test.ts > the case number after caseReferenceNew $caseReferenceNew is $referenceCaseNo',
      'test/service/setShipmentReceiver.test.ts > refused in the order of the checks > a removal knows neither toUserUid nor caseReferenceNew',
    ],
  },
  {
    section,
    rule: 'removeReceiver is false when left out.',
    heldBy: ['test/service/setShipmentReceiver.test.ts > $before: in $state, with a receiver: $receiver'],
  },
  {
    section,
    rule: 'CancelShipment cancels the shipment and releases its locker.',
    heldBy: [
      'test/service/shipmentLife.test.ts > the life of a shipment, with a callback for each state in its order',
      'test/service/shipmentLife.test.ts > the locker is free again when the shipment has ended, and not before',
    ],
  },
  {
    section,
    rule: 'SimulateLockerAccess needs pupUid, lockerName and pinCode.',
    heldBy: ['test/conformance/interface.test.ts > $name takes the fields of the specification, in its casing'],
  },
  {
    section,
    rule: 'SimulateLockerAccess is there in staging only.',
    heldBy: [
      'test/service/protocol.test.ts > the OpenAPI document > has no simulation in production, where it is an unknown operation',
    ],
  },
  {
    section,
    rule: 'unlockGoal of UnlockShipmentLocker is DropOff, PickUp or null, or left out.',
    heldBy: [
      'test/service/unlockShipmentLocker.test.ts > a goal that is none is InvalidRequest',
      'test/service/unlockShipmentLocker.test.ts > $before: $letter in $state',
    ],
  },
  {
    section,
    rule: 'An empty pinCode is not looked at: the locker opens whatever the code.',
    heldBy: ['test/service/unlockCodes.test.ts > $before, with the goal $goal > no code (%o) is not looked at'],
  },
  {
    section,
    rule: 'UnlockShipmentLocker fails for a shipment in an invalid state, and for one without a locker.',
    heldBy: [
      'test/service/unlockShipmentLocker.test.ts > a shipment that is unknown is InvalidShipment, and one without a locker InvalidShipmentState',
      'test/service/unlockShipmentLocker.test.ts > $before: $letter in $state',
    ],
  },
  {
    section: 'Beyond the specification',
    rule: 'GetShipments, GetLocalShipments and GetCollectOnlyShipments list the own shipments by filters, in pages.',
    heldBy: [
      'test/service/getShipments.test.ts > GetShipments lists by',
      'test/service/getShipments.test.ts > GetShipments pages',
      'test/service/shipmentsByType.test.ts > %s lists nothing but %s',
    ],
  },
  {
    section: 'Beyond the specification',
    rule: 'GetPickUpPoints lists the own pick up points, with their lockers when asked for details.',
    heldBy: [
      'test/service/getPickUpPoints.test.ts > GetPickUpPoints lists',
      'test/service/getPickUpPoints.test.ts > with details there are the address and the lockers by size, free and in all',
    ],
  },
]
