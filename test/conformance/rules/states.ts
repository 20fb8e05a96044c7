import type { Rule } from '../rule.ts'

const section = 'States and transitions'

/** The shipment record, its access codes and links, and the stated rules that involve state. */
export const states: readonly Rule[] = [
  {
    section: 'Shipment',
    rule: 'A shipment has the fields of the table: uid, type, state, references, users, place, codes and links.',
    heldBy: [
      'test/service/operations/logistics/getShipments.test.ts > an item has every field that the decisions name',
    ],
  },
  {
    section: 'Shipment',
    rule: 'stateStart is the start of the state, without a time zone.',
    heldBy: [
      'test/service/shipments/lifecycle.test.ts > the life of a shipment, with a callback for each state in its order',
      'test/conformance/times.test.ts > stateStart is ISO 8601 without a zone, in the listing and in the callback',
      'test/service/operations/logistics/setShipmentReceiver.test.ts > $before: in $state, with a receiver: $receiver',
      'test/service/operations/logistics/createCollectOnlyShipment.test.ts > after a collection by %s > a %s that is kept does not change and sends no callback until it is cancelled',
    ],
  },
  {
    section: 'Shipment',
    rule: 'A receiver can be absent: stock, delayed receiver.',
    heldBy: [
      'test/service/shipments/lifecycle.test.ts > an issue goes from the dispatcher to the user, and stock has no receiver',
      'test/service/operations/logistics/createLocalShipment.test.ts > a delayed receiver makes it stock, which can be issued; otherwise it cannot',
    ],
  },
  {
    section: 'Shipment',
    rule: 'The pick up code of a swapped shipment and the delivery code of its swap are identical.',
    heldBy: [
      'test/service/shipments/linkedAccessCodes.test.ts > the common code opens for both, and stays valid for the swap',
      'test/machines/links.property.test.ts > the common code of a swap has the same effect for both shipments',
    ],
  },
  {
    section: 'Shipment',
    rule: 'A shipment can swap, follow, or circularly follow a prior shipment.',
    heldBy: [
      'test/service/shipments/createLinked.test.ts > users, details and links, in the order of the specification',
    ],
  },
  {
    section: 'Dimension',
    rule: 'The dimension determines the size of the locker.',
    heldBy: ['test/service/lockers/reserve.test.ts > a booking gets > $what: $gets'],
  },
  {
    section: 'Shipment object',
    rule: 'An object has uid, reference, description, weight, count and dimension.',
    heldBy: [
      'test/service/shipments/objects.test.ts > objects are shown in the order in which they were added, each with its shipment only',
    ],
  },
  {
    section,
    rule: 'The states WaitForReceiver and ReadyForPickup exist, and a shipment can be ready for drop off.',
    heldBy: [
      'test/service/shipments/lifecycle.test.ts > the life of a shipment, with a callback for each state in its order',
    ],
  },
  {
    section,
    rule: 'SetShipmentReceiver sets the receiver of a shipment that has none and is not in ReadyForPickup.',
    heldBy: [
      'test/service/operations/logistics/setShipmentReceiver.test.ts > $before: in $state, with a receiver: $receiver',
    ],
  },
  {
    section,
    rule: 'Otherwise the code is InvalidShipmentState.',
    heldBy: [
      'test/service/operations/logistics/setShipmentReceiver.test.ts > $before: in $state, with a receiver: $receiver',
    ],
  },
  {
    section,
    rule: 'removeReceiver removes the receiver of a shipment that has one and is not in ReadyForPickup.',
    heldBy: [
      'test/service/operations/logistics/setShipmentReceiver.test.ts > $before: in $state, with a receiver: $receiver',
    ],
  },
  {
    section,
    rule: 'When the item of the intake of a circular pair is dropped off, the second shipment is ready for pick up.',
    heldBy: [
      'test/machines/subsequentAndCircular.test.ts > subsequent and circular shipments:',
      'test/service/operations/logistics/setShipmentReceiver.test.ts > an intake of a circular pair passes its item on, whether it has a receiver or not',
    ],
  },
  {
    section,
    rule: 'The pick up of a swapped shipment is also the drop off of its swap.',
    heldBy: [
      'test/machines/swaps.test.ts > a swap:',
      'test/service/operations/logistics/createLocalShipment.test.ts > a swap > is dropped off with the pick up code of the swapped shipment, which is picked up by it',
    ],
  },
  {
    section,
    rule: 'CancelShipment leads to a cancelled shipment, and its lockers are released.',
    heldBy: [
      'test/machines/cancelling.test.ts > a cancellation:',
      'test/service/shipments/lifecycle.test.ts > the locker is free again when the shipment has ended, and not before: $steps',
      'test/service/shipments/linkedCancellation.test.ts > a cancellation cancels linked shipments',
    ],
  },
  {
    section,
    rule: 'SimulateLockerAccess with a valid code advances the shipment to its next state.',
    heldBy: [
      'test/service/shipments/lifecycle.test.ts > the life of a shipment, with a callback for each state in its order',
    ],
  },
  {
    section,
    rule: 'UnlockShipmentLocker for DropOff opens only for shipments that are ready for drop off.',
    heldBy: [
      'test/service/operations/logistics/unlockShipmentLocker.test.ts > $before: $letter in $state > with the goal %s: %s',
    ],
  },
  {
    section,
    rule: 'UnlockShipmentLocker for PickUp opens only for shipments that are ready for pick up.',
    heldBy: [
      'test/service/operations/logistics/unlockShipmentLocker.test.ts > $before: $letter in $state > with the goal %s: %s',
    ],
  },
  {
    section,
    rule: 'UnlockShipmentLocker without a goal opens in every state with a locker. For an ended shipment, or one without a locker, it is InvalidShipmentState.',
    heldBy: [
      'test/service/operations/logistics/unlockShipmentLocker.test.ts > $before: $letter in $state > with the goal %s the door opens unless it has ended, and nothing changes',
      'test/service/operations/logistics/unlockShipmentLocker.test.ts > the rows cover every state, and only ended shipments do not open',
      'test/service/operations/logistics/unlockShipmentLocker.test.ts > the locker of a shipment that has ended opens for the next one only',
      'test/service/operations/logistics/unlockShipmentLocker.test.ts > a shipment that is unknown is InvalidShipment, and one without a locker InvalidShipmentState',
    ],
  },
  {
    section,
    rule: 'Every change of the state causes a ShipmentStatusUpdate.',
    heldBy: [
      'test/service/shipments/lifecycle.test.ts > the life of a shipment, with a callback for each state in its order',
      'test/service/shipments/linkedLifecycles.test.ts > step by step, with every callback in its order',
      'test/model/model.test.ts > on the $name store > the service does what the model does',
    ],
  },
]
