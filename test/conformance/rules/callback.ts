import type { Rule } from '../rule.ts'

const section = 'ShipmentStatusUpdate'

export const callback: readonly Rule[] = [
  {
    section,
    rule: 'It is sent to the configured address when the state code of a shipment has changed.',
    heldBy: [
      'test/service/shipmentLife.test.ts > the life of a shipment, with a callback for each state in its order',
      'test/service/linkedLives.test.ts > step by step, with every callback in its order',
    ],
  },
  {
    section,
    rule: 'It is not sent for anything else that changes.',
    heldBy: [
      'test/service/setShipmentDetails.test.ts > overrides the details with $what, changes no state and announces nothing',
      'test/service/shipmentObjects.test.ts > adding and removing announces nothing, and the shipment is found as changed',
    ],
  },
  {
    section,
    rule: 'Its body has messageType and, in message, the seven fields of the table.',
    heldBy: ['test/service/shipmentLife.test.ts > a callback carries the values at the change'],
  },
  {
    section,
    rule: 'message.stateCode is the new state.',
    heldBy: ['test/service/shipmentLife.test.ts > the life of a shipment, with a callback for each state in its order'],
  },
  {
    section,
    rule: 'message.stateStart has no zone.',
    heldBy: [
      'test/conformance/times.test.ts > stateStart is ISO 8601 without a zone, in the listing and in the callback',
    ],
  },
  {
    section,
    rule: 'The HMAC of the callback is over message.shipmentUid.',
    heldBy: [
      'test/contract/signature.test.ts > the signature of the specification > is the HMAC of the shipment uid, SHA-256 in lower-case hex',
      'test/service/callbackSignature.test.ts > HMAC: the weak signature and the Standard Webhooks one hold by the key, and by no other',
    ],
  },
  {
    section: 'Beyond the specification',
    rule: 'ConfigureCallback registers the address and the key of the callbacks.',
    heldBy: ['test/service/configureCallback.test.ts > ConfigureCallback > $what'],
  },
]
