import type { Rule } from '../../rule.ts'

/** What docs/decisions.md says of the callback. */
export const callbackDecisions: readonly Rule[] = [
  {
    section: 'Callback: Registration',
    rule: 'ConfigureCallback takes url, authType, resetKey and authKey; what makes a new key and what keeps the old one.',
    heldBy: [
      'test/service/configureCallback.test.ts > ConfigureCallback > $what',
      'test/service/configureCallback.test.ts > ConfigureCallback > not the key %s',
    ],
  },
  {
    section: 'Callback: Body',
    rule: 'Seven fields, and pupUid, fromUserUid and toUserUid, as they were at the change.',
    heldBy: ['test/service/shipmentLife.test.ts > a callback carries the values at the change'],
  },
  {
    section: 'Callback: First state',
    rule: 'The state at creation is announced too.',
    heldBy: ['test/service/shipmentLife.test.ts > the life of a shipment, with a callback for each state in its order'],
  },
  {
    section: 'Callback: The weak signature',
    rule: 'HMAC of the shipment uid, SHA-256 in hex in X-HMAC; as a setting otherwise. X-Api-Key with ApiKey.',
    heldBy: [
      'test/service/callbackSignature.test.ts > the weak scheme is a setting',
      'test/service/callbackSignature.test.ts > ApiKey: the key itself, and the Standard Webhooks signature',
      'test/contract/settings.test.ts > the weak scheme is read part by part',
    ],
  },
  {
    section: 'Callback: The strong signature',
    rule: 'Callbacks carry the Standard Webhooks headers, and the gateway demands them.',
    heldBy: [
      'test/service/callbackSignature.test.ts > HMAC: the weak signature and the Standard Webhooks one hold by the key, and by no other',
      'test/gateway/signatures.test.ts > a forged callback is refused and signals nothing',
    ],
  },
  {
    section: 'Callback: The strong signature',
    rule: 'A service that has only the weak one is asked after each callback.',
    heldBy: [
      'test/gateway/signatures.test.ts > a service without Standard Webhooks',
      'test/flows/profiles.test.ts > a service with nothing but the weak signature > is asked after every callback, and not believed by callback alone',
    ],
  },
  {
    section: 'Callback: Clocks',
    rule: 'A callback counts within fifteen minutes of our time.',
    heldBy: [
      'test/contract/signature.test.ts > the Standard Webhooks signature > %s',
      'test/flows/clocks.test.ts > a service whose clock is ten minutes %s',
    ],
  },
  {
    section: 'Callback: Rotation',
    rule: 'For 24 h both keys sign, and the gateway knows both.',
    heldBy: [
      'test/service/callbackSignature.test.ts > for 24 hours after a change of the key both keys sign, and the weak signature uses the new one',
      'test/gateway/signatures.test.ts > a genuine callback is taken > the previous key is worth nothing once it is forgotten',
      'test/gateway/signatures.test.ts > a genuine callback is taken > name',
    ],
  },
  {
    section: 'Callback: Rotation',
    rule: 'While shipments change, a new key costs no callback, whether the receiver or the service has it first.',
    heldBy: [
      'test/service/callbackRotation.test.ts > a key that is replaced while shipments change costs no callback > $authType, the $first has it first',
    ],
  },
  {
    section: 'Callback: Delivery',
    rule: 'At least once, with one webhook-id, in the order of each shipment, and no shipment waits for another.',
    heldBy: [
      'test/service/callbackDelivery.test.ts > a shipment keeps its order while the receiver fails, and each message its webhook-id and body',
      'test/service/callbackReceivers.test.ts > a receiver that keeps one shipment waiting does not hold up the others',
      'test/service/callbackReceivers.test.ts > a receiver that was away and is back has lost nothing',
    ],
  },
  {
    section: 'Callback: Delivery',
    rule: '2xx in time is success, a redirect is a failure; retries double with jitter to 1 h and honour Retry-After.',
    heldBy: [
      'test/service/callbackDelivery.test.ts > an attempt has failed',
      'test/service/callbackDelivery.test.ts > Retry-After is honoured',
      'test/service/callbackRetries.test.ts > the wait after a failed attempt',
    ],
  },
  {
    section: 'Callback: Address',
    rule: 'https and public, checked on the address that is dialled; private ones only by setting, metadata never.',
    heldBy: [
      'test/service/callbackAddresses.test.ts > callbacks may go to',
      'test/service/callbackDelivery.test.ts > an address that has become forbidden is not dialled',
      'test/service/callbackRebinding.test.ts > a host whose address is $what is not dialled',
      'test/service/callbackRebinding.test.ts > what is dialled is the very address that was looked at',
      'test/service/configureCallback.test.ts > an address that callbacks may not go to is InvalidCallbackUrl',
    ],
  },
]
