import type { Rule } from '../../rule.ts'

/** What docs/decisions.md says of bookings. */
export const bookingDecisions: readonly Rule[] = [
  {
    section: 'Bookings: Who may receive',
    rule: 'Any account that there is.',
    heldBy: ['test/service/foreignTenant.test.ts > an account may receive, whoever manages it'],
  },
  {
    section: 'Bookings: Size',
    rule: 'An item fits in some orientation; smallest fitting size first.',
    heldBy: ['test/service/lockerChoice.test.ts > a booking gets > $what: $gets'],
  },
  {
    section: 'Bookings: Overflow',
    rule: 'One other pick up point, tried when the first has no locker; it does not chain, and the shipment carries it.',
    heldBy: [
      'test/service/lockerChoice.test.ts > a booking gets > $what: $gets',
      'test/service/createLocalShipment.test.ts > the answer of a booking that overflowed names the pick up point that it went to',
    ],
  },
  {
    section: 'Bookings: LockerUid',
    rule: 'That very locker or a refusal.',
    heldBy: ['test/service/lockerChoice.test.ts > a booking gets > $what: $gets'],
  },
  {
    section: 'Bookings: Access codes',
    rule: 'Six digits, unique among the live codes of a pick up point.',
    heldBy: [
      'test/service/accessCodes.test.ts > codes have six digits, live until the shipment ends, and are the same wherever they are read',
      'test/model/model.test.ts > on the $name store > the service does what the model does',
    ],
  },
  {
    section: 'Bookings: Access codes',
    rule: 'Five wrong pin codes at one locker lock it for a growing time.',
    heldBy: [
      'test/service/wrongCodes.test.ts > five wrong codes lock the locker, for twice as long each further time; a right one starts anew',
    ],
  },
  {
    section: 'Bookings: SimulateLockerAccess',
    rule: 'It is not there at all in production.',
    heldBy: [
      'test/service/protocol.test.ts > the OpenAPI document > has no simulation in production, where it is an unknown operation',
    ],
  },
  {
    section: 'Bookings: Links',
    rule: "A linked shipment has its prior's pick up point and locker and must fit it.",
    heldBy: [
      'test/service/linkedLockers.test.ts > linked shipments share the locker, and the size of the first one where none is given',
      'test/service/linkedRefusals.test.ts > refused, and nothing has happened: > $error: $step after $before, with $fields',
    ],
  },
  {
    section: 'Bookings: Links',
    rule: 'A shipment can be followed once; a cancelled follower does not count.',
    heldBy: ['test/machines/following.test.ts > whether another one can come after a shipment'],
  },
  {
    section: 'Bookings: Order of shipmentUids',
    rule: 'Issue, intake, stock; our flows go by links and users all the same.',
    heldBy: [
      'test/service/linkedMaking.test.ts > users, details and links, in the order of the specification',
      'test/activities/roles.test.ts > the shipments of %s have their roles by links, in whatever order they are answered',
    ],
  },
  {
    section: 'Bookings: Details',
    rule: 'Which shipment of a flow gets which details, and what is taken from the stock shipment.',
    heldBy: ['test/service/linkedMaking.test.ts > users, details and links, in the order of the specification'],
  },
  {
    section: 'Bookings: UnlockShipmentLocker',
    rule: 'Without a goal it opens and changes nothing; with one it advances the shipment once the door is open.',
    heldBy: [
      'test/service/unlockShipmentLocker.test.ts > $before: $letter in $state',
      'test/service/hardware.test.ts > a door that does not open is UnlockFailed, and nothing has changed:',
      'test/service/hardware.test.ts > a door is asked for after everything else has been looked at',
    ],
  },
  {
    section: 'Bookings: UnlockShipmentLocker',
    rule: 'A pin code has to be the one of the present state; five wrong ones lock against codes, and not against opening without.',
    heldBy: [
      'test/service/unlockCodes.test.ts > $before, with the goal $goal > %s (it opens with …)',
      'test/service/unlockCodes.test.ts > five wrong codes lock the locker against codes, whichever way they come, and not against opening without',
    ],
  },
  {
    section: 'Bookings: CreateLocalShipment',
    rule: 'As a swap the checks run swapped shipment, PupUid, users, state, LockerUid, Dimension.',
    heldBy: [
      'test/service/bookingRefusals.test.ts > refused, and nothing has happened: > $error: $step after $before, with $fields',
    ],
  },
  {
    section: 'Bookings: CreateLocalShipment',
    rule: "Without any user the sender is the swapped shipment's receiver, or the dispatcher when it has none.",
    heldBy: [
      'test/service/createLocalShipment.test.ts > a swap > of $before without any user, with a delayed receiver, comes from $sender',
      'test/service/bookingRefusals.test.ts > users that make no sense are InvalidRequest, by their names: > $what',
    ],
  },
  {
    section: 'Bookings: Collect only',
    rule: 'From the dispatcher, ready for pick up at once; kept, a collection changes nothing, and CancelShipment ends it.',
    heldBy: [
      'test/service/collectOnly.test.ts > who collects > $step with $fields: $who, and it is ready for pick up',
      'test/service/collectOnly.test.ts > after a collection by %s',
    ],
  },
  {
    section: 'Bookings: Collect only',
    rule: 'There is only something to collect, and it cannot be swapped.',
    heldBy: [
      'test/service/collectOnly.test.ts > $step is $error: there is only something to collect',
      'test/service/linkedRefusals.test.ts > refused, and nothing has happened: > InvalidShipmentState: %s for a single collection',
    ],
  },
  {
    section: 'Bookings: SetShipmentDetails',
    rule: 'It changes no state, sends no callback, and counts as activity for updatedSince.',
    heldBy: [
      'test/service/setShipmentDetails.test.ts > overrides the details with $what, changes no state and announces nothing',
      'test/service/setShipmentDetails.test.ts > the next callback carries the new details, and the listing finds the shipment as changed',
    ],
  },
  {
    section: 'Bookings: AddShipmentObject',
    rule: 'It honours Idempotency-Key; weight and count have bounds; a new common code changes on both shipments of a swap.',
    heldBy: [
      'test/service/shipmentObjects.test.ts > the same object with the same Idempotency-Key is added once',
      'test/service/shipmentObjects.test.ts > %s: a wrong %s is InvalidRequest, by its name',
      'test/conformance/lengths.test.ts > $operation takes $field up to its length and no further',
      'test/service/changedAccess.test.ts > the other shipment of a swap is found as changed, too',
    ],
  },
  {
    section: 'Bookings: RemoveShipmentObject',
    rule: 'InvalidShipment, then InvalidShipmentObject, then InvalidShipmentState.',
    heldBy: ['test/service/shipmentObjects.test.ts > refused, and nothing has happened: > $error: $step after $before'],
  },
]
