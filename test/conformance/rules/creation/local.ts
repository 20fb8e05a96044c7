import type { Rule } from '../../rule.ts'

/** CreateLocalShipment. */
export const localCreation: readonly Rule[] = [
  {
    section: 'CreateLocalShipment',
    rule: 'When only one user is given, the other one is the main account of the dispatcher.',
    heldBy: ['test/service/createLocalShipment.test.ts > who sends and who receives: %s of > %s'],
  },
  {
    section: 'CreateLocalShipment',
    rule: 'One of FromUserUid and ToUserUid has to be given.',
    heldBy: [
      'test/service/bookingRefusals.test.ts > users that make no sense are InvalidRequest, by their names: > $what',
    ],
  },
  {
    section: 'CreateLocalShipment',
    rule: 'It makes a shipment of the type LocalPupShipment.',
    heldBy: [
      'test/service/createLocalShipment.test.ts > the answer says where the shipment is, and its references are its own fields',
    ],
  },
  {
    section: 'CreateLocalShipment',
    rule: 'It is dropped off and picked up at one pick up point.',
    heldBy: [
      'test/conformance/places.test.ts > a shipment of CreateLocalShipment is dropped off and picked up at the one pick up point that it has',
    ],
  },
  {
    section: 'CreateLocalShipment',
    rule: 'With IsReceiverDelayed ToUserUid must not be set; it is set later.',
    heldBy: [
      'test/service/bookingRefusals.test.ts > users that make no sense are InvalidRequest, by their names: > $what',
      'test/service/createLocalShipment.test.ts > a delayed receiver makes it stock, which can be issued; without one it is none',
    ],
  },
  {
    section: 'CreateLocalShipment',
    rule: 'SwapsShipmentUid chains it as a swap: its DeliveryCode is the PickUpCode of the swapped shipment.',
    heldBy: [
      'test/service/createLocalShipment.test.ts > a swap > is dropped off with the pick up code of the swapped shipment, which is picked up by it',
      'test/service/createLocalShipment.test.ts > a swap > starts by its turn: after $before in $state',
    ],
  },
  {
    section: 'CreateLocalShipment',
    rule: 'A swap without users, with a delayed receiver, comes from the receiver of the swapped shipment; SetShipmentReceiver names its own.',
    heldBy: [
      'test/service/createLocalShipment.test.ts > a swap > of $before without any user, with a delayed receiver, comes from $sender',
    ],
  },
  {
    section: 'CreateLocalShipment',
    rule: 'It answers shipmentUid, pupUid and lockerName.',
    heldBy: [
      'test/service/createLocalShipment.test.ts > the answer says where the shipment is, and its references are its own fields',
    ],
  },
]
