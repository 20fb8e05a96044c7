import type { Rule } from '../rule.ts'

const section = 'ShipmentStatusUpdate'

export const callback: readonly Rule[] = [
  {
    section,
    rule: 'It is sent to the configured address when the state code of a shipment has changed.',
    heldBy: [
      'test/service/shipments/lifecycle.test.ts > the life of a shipment, with a callback for each state in its order',
      'test/service/shipments/linkedLifecycles.test.ts > step by step, with every callback in its order',
    ],
  },
  {
    section,
    rule: 'It is not sent for other changes.',
    heldBy: [
      'test/service/operations/logistics/setShipmentDetails.test.ts > overrides the details with $what, changes no state and sends no callback',
      'test/service/shipments/objects.test.ts > adding and removing sends no callback, and the shipment is listed as changed',
      'test/service/operations/logistics/setShipmentReceiver.test.ts > $before: in $state, with a receiver: $receiver',
      'test/service/operations/logistics/createCollectOnlyShipment.test.ts > after a collection by %s > a %s that is kept does not change and sends no callback until it is cancelled',
    ],
  },
  {
    section,
    rule: 'Its body has messageType and, in message, the seven fields of the table.',
    heldBy: ['test/service/shipments/lifecycle.test.ts > a callback has the values at the time of the change'],
  },
  {
    section,
    rule: 'message.stateCode is the new state.',
    heldBy: [
      'test/service/shipments/lifecycle.test.ts > the life of a shipment, with a callback for each state in its order',
    ],
  },
  {
    section,
    rule: 'message.stateStart has no time zone.',
    heldBy: [
      'test/conformance/times.test.ts > stateStart is ISO 8601 without a zone, in the listing and in the callback',
    ],
  },
  {
    section,
    rule: 'The HMAC of the callback covers message.shipmentUid.',
    heldBy: [
      'test/contract/signature.test.ts > the signature of the specification > is the HMAC of the shipment uid, SHA-256 in lower-case hex',
      'test/service/outbox/signature.test.ts > HMAC: the uid signature and the Standard Webhooks signature are valid with this key only',
    ],
  },
  {
    section: 'Beyond the specification',
    rule: 'ConfigureCallback registers the address and the key of the callbacks.',
    heldBy: ['test/service/operations/platform/configureCallback.test.ts > ConfigureCallback > $what'],
  },
]
