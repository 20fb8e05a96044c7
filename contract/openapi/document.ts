import { accessScope, tokenPath } from '../endpoints.ts'
import { examples } from '../examples/index.ts'
import type { Operation } from '../operation.ts'
import { operations } from '../operations/index.ts'
import type { UidSignatureScheme } from '../signature.ts'
import type { OperationName } from '../types.ts'
import { authPathItems } from './auth.ts'
import { callbackWebhooks } from './callbacks.ts'
import { discoveryPathItems } from './discovery.ts'
import { failureComponents } from './failures.ts'
import { headers, parameters } from './headers.ts'
import { healthPathItems } from './health.ts'
import { linksFrom } from './links.ts'
import { operationPathItem, tags } from './operationItem.ts'
import { hoistSchemas, type Json, toJsonSchema } from './schemas.ts'

export interface DocumentOptions {
  /** Operations of the service. */
  readonly names: readonly OperationName[]
  /** Public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** Version in package.json. */
  readonly version: string
  /** The service's own signature of callbacks. */
  readonly uidSignatureScheme: UidSignatureScheme
}

/**
 * Creates the OpenAPI 3.1 document of the operations.
 *
 * ```ts
 * const document = openApiDocument({
 *   names: ['CreateLocalShipment', 'GetShipments'],
 *   baseUrl: 'https://lockers.example',
 *   version: '1.0.0',
 *   uidSignatureScheme: { header: 'x-hmac', algorithm: 'sha256', encoding: 'hex' },
 * })
 * ```
 */
export function openApiDocument({ names, baseUrl, version, uidSignatureScheme }: DocumentOptions): Json {
  const served: readonly Operation[] = names.map(name => operations[name])
  const items = names.map(name => {
    const operation = operations[name]
    const links = linksFrom(operation, served)
    return [operation.path, operationPathItem({ operation, example: examples[name], links })]
  })
  return hoistSchemas({
    openapi: '3.1.0',
    info: {
      title: 'lockerflow',
      version,
      description: [
        'Parcel locker bookings at pick up points.',
        'A response with status 200 is a success or a refusal; its field `success` decides which.',
      ].join(' '),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ client: [accessScope] }],
    tags,
    paths: { ...authPathItems(), ...discoveryPathItems(baseUrl), ...Object.fromEntries(items), ...healthPathItems() },
    webhooks: callbackWebhooks(uidSignatureScheme),
    components: {
      securitySchemes: {
        client: {
          type: 'oauth2',
          flows: {
            clientCredentials: { tokenUrl: baseUrl + tokenPath, scopes: { [accessScope]: 'Call every operation.' } },
          },
        },
      },
      parameters,
      headers,
      responses: failureComponents(),
    },
  })
}

/** The JSON Schema of a request, whose shared parts are in `$defs`. */
export function requestSchema(name: OperationName): Json {
  return toJsonSchema(operations[name].request, 'input')
}
