import type { Rule } from '../../rule.ts'

/** Shipment creation: general rules. */
export const generalCreation: readonly Rule[] = [
  {
    section: 'Shipment creation: general rules',
    rule: 'CreateLocalShipment and CreateCollectOnlyShipment make exactly one shipment per call.',
    heldBy: [
      'test/service/operations/logistics/createLocalShipment.test.ts > the response has the locker, and its references are its own fields',
      'test/service/operations/logistics/createCollectOnlyShipment.test.ts > the main operation returns the one shipment and its locker',
    ],
  },
  {
    section: 'Shipment creation: general rules',
    rule: 'The flow operations make the shipments of their flow, and return them as shipmentUids.',
    heldBy: [
      'test/service/shipments/createLinked.test.ts > users, details and links, in the order of the specification',
      'test/conformance/interface.test.ts > $name returns the fields of the specification, in its casing',
    ],
  },
  {
    section: 'Shipment creation: general rules',
    rule: 'Each creation takes its fields as they are listed, PascalCase, and refuses a request without a required one.',
    heldBy: [
      'test/conformance/interface.test.ts > $name takes the fields of the specification, in its casing',
      'test/service/shipments/createRefusals.test.ts > a body without a required field is InvalidRequest, before all other checks:',
      'test/service/shipments/createLinkedRefusals.test.ts > a body without a required field is InvalidRequest, before all other checks:',
    ],
  },
  {
    section: 'Shipment creation: general rules',
    rule: 'Without AllowLargerLockers nothing is booked when no locker of the fitting size is free.',
    heldBy: ['test/service/lockers/reserve.test.ts > a booking gets > $what: $gets'],
  },
  {
    section: 'Shipment creation: general rules',
    rule: 'With AllowOverflowLockers the booking may go to the overflow pick up point, if one is configured.',
    heldBy: [
      'test/service/lockers/reserve.test.ts > a booking gets > $what: $gets',
      'test/service/operations/logistics/createLocalShipment.test.ts > the response of a booking that overflowed names its actual pick up point',
    ],
  },
  {
    section: 'Shipment creation: general rules',
    rule: 'The dimension is in centimetres, each side at least 1.',
    heldBy: ['test/conformance/interface.test.ts > $name accepts an item of 1 cm and nothing smaller, on any side'],
  },
  {
    section: 'Shipment creation: general rules',
    rule: 'LockerUid may be left out or null, and otherwise is the uid of a locker.',
    heldBy: ['test/service/lockers/reserve.test.ts > a booking gets > $what: $gets'],
  },
  {
    section: 'Shipment creation: general rules',
    rule: 'Details has ReferenceNo, ReferenceCaseNo and Description, each text or null.',
    heldBy: [
      'test/conformance/interface.test.ts > the texts of Details, Return and Issue in $name can be text or null',
      'test/conformance/inside.test.ts > %s: the fields of the %s in %s',
      'test/service/shipments/createLinked.test.ts > users, details and links, in the order of the specification',
    ],
  },
]
