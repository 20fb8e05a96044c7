import type { Rule } from '../../rule.ts'

/** The decisions on bookings. */
export const bookingDecisions: readonly Rule[] = [
  {
    section: 'D-023 Who may receive',
    rule: 'It can be any existing account.',
    heldBy: ['test/service/tenancy/foreignIdentifiers.test.ts > a receiver may be an account of any tenant'],
  },
  {
    section: 'D-024 Size',
    rule: 'An item fits in some orientation; smallest fitting size first.',
    heldBy: ['test/service/lockers/reserve.test.ts > a booking gets > $what: $gets'],
  },
  {
    section: 'D-025 Overflow',
    rule: 'The overflow is one other pick up point, tried when the first has no free locker that fits, or none that fits at all. It does not chain. The shipment has its uid.',
    heldBy: [
      'test/service/lockers/reserve.test.ts > a booking gets > $what: $gets',
      'test/service/operations/logistics/createLocalShipment.test.ts > the response of a booking that overflowed names its actual pick up point',
    ],
  },
  {
    section: 'D-026 LockerUid',
    rule: 'The requested locker is booked, or the request is refused.',
    heldBy: ['test/service/lockers/reserve.test.ts > a booking gets > $what: $gets'],
  },
  {
    section: 'D-027 Access codes',
    rule: 'A code has six digits, unique among the active codes of a pick up point.',
    heldBy: [
      'test/service/lockers/accessCodes.test.ts > codes have six digits, last until the shipment ends, and are the same in every response',
      'test/model/model.test.ts > on the $name store > the service does what the model does',
    ],
  },
  {
    section: 'D-027 Access codes',
    rule: 'A removed or later receiver changes no code.',
    heldBy: [
      'test/service/operations/logistics/setShipmentReceiver.test.ts > a removed and a later receiver change no code, and a new object renews it on request',
    ],
  },
  {
    section: 'D-027 Access codes',
    rule: 'Five wrong pin codes of a tenant at one locker lock it for that tenant for an increasing time.',
    heldBy: [
      'test/service/lockers/pinAttempts.test.ts > the wrong codes of one tenant lock a shared locker for that tenant only',
      'test/service/lockers/pinAttempts.test.ts > five wrong codes lock the locker, twice as long each further time; a right one resets that',
    ],
  },
  {
    section: 'D-028 SimulateLockerAccess',
    rule: 'It does not exist in production.',
    heldBy: [
      'test/service/http/protocol.test.ts > the OpenAPI document > has no simulation in production, where the operation is unknown',
    ],
  },
  {
    section: 'D-029 Linked shipments',
    rule: 'A linked shipment has the pick up point and the locker of its prior shipment, and must fit the locker.',
    heldBy: [
      'test/service/shipments/linkedLockers.test.ts > linked shipments share the locker, and the size of the first one where none is given',
      'test/service/shipments/createLinkedRefusals.test.ts > a refusal changes nothing: > $error: $step after $before, with $fields',
    ],
  },
  {
    section: 'D-029 Linked shipments',
    rule: 'A shipment can have one follower. A cancelled one does not count.',
    heldBy: ['test/machines/following.test.ts > a shipment can be followed'],
  },
  {
    section: 'D-030 Order of shipmentUids',
    rule: 'The order is issue, intake, stock. Our flows rely on links and users instead.',
    heldBy: [
      'test/service/shipments/createLinked.test.ts > users, details and links, in the order of the specification',
      'test/activities/roles.test.ts > the links of %s decide the roles, regardless of the order in the response',
    ],
  },
  {
    section: 'D-031 Details',
    rule: 'The decision defines which details each shipment of a flow gets, and which fields come from the stock shipment.',
    heldBy: [
      'test/service/shipments/createLinked.test.ts > users, details and links, in the order of the specification',
    ],
  },
  {
    section: 'D-032 UnlockShipmentLocker',
    rule: 'Without a goal it opens the locker and changes no state. With a goal it also advances the shipment.',
    heldBy: [
      'test/service/operations/logistics/unlockShipmentLocker.test.ts > $before: $letter in $state',
      'test/service/hardware/hardware.test.ts > a door that does not open is UnlockFailed, and nothing has changed:',
      'test/service/hardware/hardware.test.ts > the door opens only after all other checks',
    ],
  },
  {
    section: 'D-032 UnlockShipmentLocker',
    rule: 'With a goal a pin code must be the code of the current state, without one either code of the shipment. Five wrong ones lock the locker for codes, but not for opening without a code.',
    heldBy: [
      'test/service/lockers/unlockCodes.test.ts > $before, with the goal $goal > %s (it opens with …)',
      'test/service/lockers/unlockCodes.test.ts > without a goal, a follower that waits opens with either of its codes',
      'test/service/lockers/unlockCodes.test.ts > five wrong codes lock the locker for codes of both operations, but not for opening without one',
    ],
  },
  {
    section: 'D-033 CreateLocalShipment',
    rule: 'For a swap the checks run in this order: swapped shipment, PupUid, users, state, LockerUid, Dimension.',
    heldBy: [
      'test/service/shipments/createRefusals.test.ts > a refusal changes nothing: > $error: $step after $before, with $fields',
    ],
  },
  {
    section: 'D-033 CreateLocalShipment',
    rule: 'Without users the sender is the receiver of the swapped shipment, or else the dispatcher.',
    heldBy: [
      'test/service/operations/logistics/createLocalShipment.test.ts > a swap > of $before without any user, with a delayed receiver, comes from $sender',
      'test/service/shipments/createRefusals.test.ts > an invalid combination of users is InvalidRequest with the field names: > $what',
    ],
  },
  {
    section: 'D-034 Collect only',
    rule: 'The dispatcher is the sender, and the shipment is ready for pick up. A kept booking survives collections until CancelShipment.',
    heldBy: [
      'test/service/operations/logistics/createCollectOnlyShipment.test.ts > who collects > $step with $fields: $who, and it is ready for pick up',
      'test/service/operations/logistics/createCollectOnlyShipment.test.ts > after a collection by %s',
    ],
  },
  {
    section: 'D-034 Collect only',
    rule: 'It can only be collected, and cannot be swapped.',
    heldBy: [
      'test/service/operations/logistics/createCollectOnlyShipment.test.ts > $step is $error, since only collection is possible',
      'test/service/shipments/createLinkedRefusals.test.ts > a refusal changes nothing: > InvalidShipmentState: %s for a single collection',
    ],
  },
  {
    section: 'D-035 SetShipmentDetails',
    rule: 'It changes no state and sends no callback. Changes to details, objects and codes count as activity for updatedSince.',
    heldBy: [
      'test/service/operations/logistics/setShipmentDetails.test.ts > overrides the details with $what, changes no state and sends no callback',
      'test/service/operations/logistics/setShipmentDetails.test.ts > the next callback has the new details, and the shipment is listed as changed',
      'test/service/shipments/objects.test.ts > adding and removing sends no callback, and the shipment is listed as changed',
      'test/service/shipments/objectAccessCodes.test.ts > the other shipment of a swap is listed as changed, too',
    ],
  },
  {
    section: 'D-036 AddShipmentObject',
    rule: 'It honours Idempotency-Key. Weight and count have limits. A new common code applies to both shipments of a swap.',
    heldBy: [
      'test/service/shipments/objects.test.ts > the same object with the same Idempotency-Key is added once',
      'test/service/shipments/objects.test.ts > %s: a wrong %s is InvalidRequest, by its name',
      'test/conformance/lengths.test.ts > $operation accepts $field up to its maximum length',
      'test/service/shipments/objectAccessCodes.test.ts > the other shipment of a swap is listed as changed, too',
    ],
  },
  {
    section: 'D-037 RemoveShipmentObject',
    rule: 'The order is InvalidShipment, InvalidShipmentObject, InvalidShipmentState.',
    heldBy: ['test/service/shipments/objects.test.ts > a refusal changes nothing: > $error: $step after $before'],
  },
  {
    section: 'D-124 The prior shipment of StockAfterSwapIntake',
    rule: 'It is an intake; any other shipment is InvalidShipment.',
    heldBy: [
      'test/service/shipments/createLinkedRefusals.test.ts > a refusal changes nothing: > $error: $step after $before, with $fields',
      'test/service/shipments/createLinked.test.ts > stock can swap $what',
    ],
  },
  {
    section: 'D-407 A sender that is the receiver of the prior shipment',
    rule: 'A new receiver of the prior shipment becomes the sender of a follower that waits. A sender that the request names stays.',
    heldBy: [
      'test/service/shipments/derivedSenders.test.ts > the receiver of the prior shipment becomes the sender of a follower that waits > by $step, after $before',
      'test/service/shipments/derivedSenders.test.ts > a sender that is $what stays',
      'test/service/shipments/derivedSenders.test.ts > stock that swaps an intake stays from the dispatcher',
      'test/model/model.test.ts > on the $name store > the service does what the model does',
    ],
  },
  {
    section: 'D-095 Listings',
    rule: 'Every filter of GetShipments and GetPickUpPoints selects matching items. An empty filter selects all.',
    heldBy: [
      'test/service/operations/logistics/getShipments.test.ts',
      'test/service/operations/pickUpPoints/getPickUpPoints.test.ts',
    ],
  },
]
