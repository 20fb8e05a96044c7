import { callback, callbackMessageType } from '../callback.ts'
import { callbackExample } from '../examples/index.ts'
import { apiKeyHeader, type WeakScheme, webhookHeaders } from '../signature.ts'
import { type Json, json, schemaOf } from './json.ts'

/** What the service sends to the address that ConfigureCallback was given. */
export function callbackItems(weakScheme: WeakScheme): Json {
  return {
    [callbackMessageType]: {
      post: {
        operationId: callbackMessageType,
        summary: callbackMessageType,
        description: [
          'A shipment has come into a state.',
          'Sent at least once, and again until it is answered with 2xx within 15 seconds; a redirect is a failure.',
          "One shipment's messages keep their order. A message that is sent again has the same `webhook-id`.",
        ].join(' '),
        security: [],
        parameters: headers(weakScheme).map(([name, description]) => ({
          name,
          in: 'header',
          required: false,
          description,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: json(schemaOf(callback, 'input'), { changed: { value: callbackExample } }),
        },
        responses: { '2XX': { description: 'Taken; the body is not read.' } },
      },
    },
  }
}

function headers({ header, algorithm, encoding }: WeakScheme): [name: string, meaning: string][] {
  return [
    [webhookHeaders.id, 'Standard Webhooks: names the message. Not with authType None, as the next two.'],
    [webhookHeaders.timestamp, 'Standard Webhooks: seconds since 1970, when this attempt was made.'],
    [
      webhookHeaders.signature,
      'Standard Webhooks: `v1,` and base64 of HMAC-SHA256 over id, timestamp and body; two while a key is replaced.',
    ],
    [header, `With authType HMAC: ${algorithm} HMAC over message.shipmentUid, in ${encoding}. It covers nothing else.`],
    [apiKeyHeader, 'With authType ApiKey: the key.'],
  ]
}
