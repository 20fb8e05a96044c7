import { callback, callbackMessageType } from '../callback.ts'
import { callbackExample } from '../examples/index.ts'
import { apiKeyHeader, type UidSignatureScheme, webhookHeaders } from '../signature.ts'
import { callbackTag } from './operationItem.ts'
import { type Json, jsonContent, toJsonSchema } from './schemas.ts'

/** The webhook that the service sends to the address of ConfigureCallback. */
export function callbackWebhooks(uidSignatureScheme: UidSignatureScheme): Json {
  return {
    [callbackMessageType]: {
      post: {
        operationId: callbackMessageType,
        tags: [callbackTag],
        summary: callbackMessageType,
        description: [
          'A shipment entered a state.',
          'Delivered at least once, with retries for 30 days until the response is 2xx within 15 seconds; redirects count as failures.',
          'Messages of one shipment keep their order. A retry has the same `webhook-id`.',
        ].join(' '),
        security: [],
        parameters: callbackHeaders(uidSignatureScheme).map(([name, description]) => ({
          name,
          in: 'header',
          required: false,
          description,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          // Without a name: a generator in Go leaves out schemas that only webhooks refer to.
          content: jsonContent(toJsonSchema(callback, 'input'), {
            changed: { value: callbackExample },
          }),
        },
        responses: { '2XX': { description: 'Accepted; the body is ignored.' } },
      },
    },
  }
}

function callbackHeaders({ header, algorithm, encoding }: UidSignatureScheme): [name: string, meaning: string][] {
  return [
    [webhookHeaders.id, 'Standard Webhooks: id of the message.'],
    [webhookHeaders.timestamp, 'Standard Webhooks: time of this delivery, in seconds since 1970.'],
    [
      webhookHeaders.signature,
      'Standard Webhooks: `v1,` and base64 of HMAC-SHA256 over id, timestamp and body; two during a key rotation. The key is the authKey as UTF-8, or the bytes that the base64 after `whsec_` stands for. Absent with authType None and no key.',
    ],
    [
      header,
      `With authType HMAC: ${algorithm} HMAC over message.shipmentUid only, in ${encoding}. The key is the authKey as UTF-8.`,
    ],
    [apiKeyHeader, 'With authType ApiKey: the key.'],
  ]
}
