import { examples } from '../examples/index.ts'
import type { Operation } from '../operation.ts'
import { operations } from '../operations/index.ts'
import type { WeakScheme } from '../signature.ts'
import { accessScope, tokenPath } from '../token.ts'
import type { OperationName } from '../types.ts'
import { callbackItems } from './callbacks.ts'
import { failureComponents } from './failures.ts'
import { headers, parameters } from './headers.ts'
import { healthItems } from './health.ts'
import type { Json } from './json.ts'
import { linksFrom } from './links.ts'
import { operationItem } from './operationItem.ts'
import { signInItems } from './signIn.ts'
import { tags } from './tags.ts'

export interface DocumentOptions {
  /** The operations that are there. */
  readonly names: readonly OperationName[]
  /** Where callers reach the service, without a slash at the end. */
  readonly address: string
  /** Of the service, as in package.json. */
  readonly version: string
  /** The service's own signature of callbacks. */
  readonly weakScheme: WeakScheme
}

/** The OpenAPI 3.1 document of a running service. */
export function openApiDocument({ names, address, version, weakScheme }: DocumentOptions): Json {
  const served: readonly Operation[] = names.map(name => operations[name])
  const items = names.map(name => {
    const operation = operations[name]
    const links = linksFrom(operation, served)
    return [operation.path, operationItem({ operation, example: examples[name], links })]
  })
  return {
    openapi: '3.1.0',
    info: {
      title: 'lockerflow',
      version,
      description: 'Parcel locker bookings at pick up points.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: address }],
    security: [{ client: [accessScope] }],
    tags,
    paths: { ...signInItems(address), ...Object.fromEntries(items), ...healthItems() },
    webhooks: callbackItems(weakScheme),
    components: {
      securitySchemes: {
        client: {
          type: 'oauth2',
          flows: {
            clientCredentials: { tokenUrl: address + tokenPath, scopes: { [accessScope]: 'Call every operation.' } },
          },
        },
      },
      parameters,
      headers,
      responses: failureComponents(),
    },
  }
}
