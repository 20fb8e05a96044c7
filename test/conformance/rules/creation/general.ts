import type { Rule } from '../../rule.ts'

/** Shipment creation: general rules. */
export const generalCreation: readonly Rule[] = [
  {
    section: 'Shipment creation: general rules',
    rule: 'CreateLocalShipment and CreateCollectOnlyShipment make exactly one shipment per call.',
    heldBy: [
      'test/service/createLocalShipment.test.ts > the answer says where the shipment is, and its references are its own fields',
      'test/service/collectOnly.test.ts > the main operation answers the one shipment and where it is',
    ],
  },
  {
    section: 'Shipment creation: general rules',
    rule: 'The flow operations make the shipments of their flow, and answer them as shipmentUids.',
    heldBy: [
      'test/service/linkedMaking.test.ts > users, details and links, in the order of the specification',
      'test/conformance/interface.test.ts > $name answers the fields of the specification, in its casing',
    ],
  },
  {
    section: 'Shipment creation: general rules',
    rule: 'Each creation takes its fields as they are listed, PascalCase, and refuses a request without a required one.',
    heldBy: [
      'test/conformance/interface.test.ts > $name takes the fields of the specification, in its casing',
      'test/service/bookingRefusals.test.ts > a body without what it needs is InvalidRequest, whatever else is wrong:',
      'test/service/linkedRefusals.test.ts > a body without what it needs is InvalidRequest, whatever else is wrong:',
    ],
  },
  {
    section: 'Shipment creation: general rules',
    rule: 'Without AllowLargerLockers nothing is booked when no locker of the fitting size is free.',
    heldBy: ['test/service/lockerChoice.test.ts > a booking gets > $what: $gets'],
  },
  {
    section: 'Shipment creation: general rules',
    rule: 'With AllowOverflowLockers the booking may go to the overflow pick up point, if one is configured.',
    heldBy: [
      'test/service/lockerChoice.test.ts > a booking gets > $what: $gets',
      'test/service/createLocalShipment.test.ts > the answer of a booking that overflowed names the pick up point that it went to',
    ],
  },
  {
    section: 'Shipment creation: general rules',
    rule: 'The dimension is in centimetres, each side at least 1.',
    heldBy: ['test/conformance/interface.test.ts > $name takes an item of 1 cm and none below, whichever side it is'],
  },
  {
    section: 'Shipment creation: general rules',
    rule: 'LockerUid may be left out or null, and otherwise is the uid of a locker.',
    heldBy: ['test/service/lockerChoice.test.ts > a booking gets > $what: $gets'],
  },
  {
    section: 'Shipment creation: general rules',
    rule: 'Details has ReferenceNo, ReferenceCaseNo and Description, each text or null.',
    heldBy: [
      'test/conformance/interface.test.ts > the texts of Details, Return and Issue in $name can be text or null',
      'test/conformance/inside.test.ts > %s: the fields of the %s inside of %s',
      'test/service/linkedMaking.test.ts > users, details and links, in the order of the specification',
    ],
  },
]
