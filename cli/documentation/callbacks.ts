import { callbackExample, callbackMessageType, timestampTolerance } from '#contract'
import { table } from './markdown.ts'
import { readOpenApi, toProperties, typeName } from './openApi.ts'

/** Section of docs/reference/shipments.md: body and headers of a callback from the contract. */
export function callbacksSection(): string {
  const request = readOpenApi().webhooks[callbackMessageType]?.post
  const body = toProperties(request?.requestBody.content['application/json']?.schema)
  const message = body.properties?.message
  const { properties = {}, required = [] } = toProperties(message)
  const fields = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\``,
    typeName(schema),
    required.includes(name) ? '' : 'may be absent',
    fieldMeanings[name] ?? '',
  ])
  const headers = (request?.parameters ?? []).map(({ name = '', description = '' }) => [`\`${name}\``, description])
  return [
    introduction,
    '### Body',
    `\`\`\`json\n${JSON.stringify(callbackExample, null, 2)}\n\`\`\``,
    `\`messageType\` is always \`${callbackMessageType}\`. \`message\` has the values at the change. The service of this project always sends
every field, with null for no value. Another service may leave out those that \`may be absent\`, so a receiver accepts both:`,
    table(['field', 'type', '', 'meaning'], fields),
    '### Headers',
    table(['header', 'meaning'], headers),
    rules,
  ].join('\n\n')
}

const introduction = `## Callbacks

The service POSTs each change of a shipment's state to the address that the tenant registered with
[ConfigureCallback](http-api.md#configurecallback), the state at its creation included.
[Receive callbacks](../how-to/receive-callbacks.md) has a receiver in five languages.`

const fieldMeanings: Readonly<Record<string, string>> = {
  shipmentUid: 'The shipment.',
  stateCode: 'Its new state, see [states](#states).',
  stateStart: 'When the state began, in UTC without an offset.',
  shipmentType: '`LocalPupShipment` or `CollectOnlyShipment`.',
  referenceNo: 'The reference of the shipment.',
  referenceCaseNo: 'The case number. Flows are found by it.',
  description: 'The description of the shipment.',
  pupUid: 'The pick up point.',
  fromUserUid: 'The sender.',
  toUserUid: 'The receiver.',
}

const rules = `### Delivery

| | |
|---|---|
| success | a 2xx response within 15 s; the body is ignored |
| failure | every other status, redirects included, a timeout, a broken connection |
| retries | after 1 s, doubling with jitter up to 1 h; \`Retry-After\` is honoured |
| pace | 64 new deliveries at a time, up to 256 that wait for a response; while the last forty failed, 10 per second |
| end | after 30 days of failures; the operator can [send them again](../how-to/operate.md#callbacks-that-were-given-up) |
| another address or key | makes all waiting callbacks due |
| duplicates | at least once; a retried callback has the same \`webhook-id\` |
| order | kept within a shipment; shipments do not wait for each other |
| clocks | receivers should accept a \`webhook-timestamp\` within ${timestampTolerance / 60} minutes |
| rotation | for 24 h after a key change \`webhook-signature\` has a signature of each key, separated by a space |

### Signatures

Verify \`webhook-signature\`. It covers id, time and body:

\`\`\`
base64(HMAC-SHA256(key, webhook-id + "." + webhook-timestamp + "." + body))
\`\`\`

The key is the \`authKey\` of ConfigureCallback as UTF-8. A [Standard Webhooks](https://www.standardwebhooks.com) library
expects \`whsec_\` followed by that key in base64. If the \`authKey\` itself begins with \`whsec_\`, a library takes it as it is, and
the key is the bytes that its base64 stands for. \`X-HMAC\` uses the whole \`authKey\` as UTF-8, and \`X-Api-Key\` is that text. The uid
signature in \`X-HMAC\` covers the shipment uid only, so a callback with nothing else is a hint that must be confirmed with GetShipments.`
