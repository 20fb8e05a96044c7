import { type Json, referenceTo } from './schemas.ts'

/** Response headers, by their names in the components. */
export const headers = {
  RequestId: {
    description: 'Id of this request in the log of the service. The id of the request is used if it has one.',
    required: true,
    schema: { type: 'string' },
    example: 'order-17',
  },
  RetryAfter: {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  Challenge: {
    description: 'The required kind of credentials, and the problem with those in the request.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer realm="lockerflow", error="invalid_token"',
  },
} as const satisfies Record<string, Json>

const headerNames = { RequestId: 'x-request-id', RetryAfter: 'retry-after', Challenge: 'www-authenticate' } as const

/** Headers of a response, RequestId always included. */
export function responseHeaders(...further: readonly Exclude<keyof typeof headers, 'RequestId'>[]): Json {
  const names = ['RequestId', ...further] as const
  return Object.fromEntries(names.map(name => [headerNames[name], referenceTo('headers', name)]))
}

/** Parameters, by their names in the components. */
export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    // No example: trying two operations with the same key would fail.
    description:
      'A unique value per request, for example a UUID. Repeating it with the same body within 24 hours returns the first response.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
} as const satisfies Record<string, Json>
