import type { Rule } from '../../rule.ts'

/** CreateLocalShipment. */
export const localCreation: readonly Rule[] = [
  {
    section: 'CreateLocalShipment',
    rule: 'When only one user is given, the other one is the main account of the dispatcher.',
    heldBy: ['test/service/operations/logistics/createLocalShipment.test.ts > who sends and who receives: %s of > %s'],
  },
  {
    section: 'CreateLocalShipment',
    rule: 'One of FromUserUid and ToUserUid must be given.',
    heldBy: [
      'test/service/shipments/createRefusals.test.ts > an invalid combination of users is InvalidRequest with the field names: > $what',
    ],
  },
  {
    section: 'CreateLocalShipment',
    rule: 'It makes a shipment of the type LocalPupShipment.',
    heldBy: [
      'test/service/operations/logistics/createLocalShipment.test.ts > the response has the locker, and its references are its own fields',
    ],
  },
  {
    section: 'CreateLocalShipment',
    rule: 'It is dropped off and picked up at one pick up point.',
    heldBy: [
      'test/conformance/places.test.ts > a shipment of CreateLocalShipment is dropped off and picked up at the same pick up point',
    ],
  },
  {
    section: 'CreateLocalShipment',
    rule: 'With IsReceiverDelayed ToUserUid must not be set; it is set later.',
    heldBy: [
      'test/service/shipments/createRefusals.test.ts > an invalid combination of users is InvalidRequest with the field names: > $what',
      'test/service/operations/logistics/createLocalShipment.test.ts > a delayed receiver makes it stock, which can be issued; otherwise it cannot',
    ],
  },
  {
    section: 'CreateLocalShipment',
    rule: 'SwapsShipmentUid chains it as a swap: its DeliveryCode is the PickUpCode of the swapped shipment.',
    heldBy: [
      'test/service/operations/logistics/createLocalShipment.test.ts > a swap > is dropped off with the pick up code of the swapped shipment, which is picked up by it',
      'test/service/operations/logistics/createLocalShipment.test.ts > a swap > starts in its initial state: after $before in $state',
    ],
  },
  {
    section: 'CreateLocalShipment',
    rule: 'A swap without users, with a delayed receiver, comes from the receiver of the swapped shipment; SetShipmentReceiver names its own.',
    heldBy: [
      'test/service/operations/logistics/createLocalShipment.test.ts > a swap > of $before without any user, with a delayed receiver, comes from $sender',
    ],
  },
  {
    section: 'CreateLocalShipment',
    rule: 'It returns shipmentUid, pupUid and lockerName.',
    heldBy: [
      'test/service/operations/logistics/createLocalShipment.test.ts > the response has the locker, and its references are its own fields',
    ],
  },
]
