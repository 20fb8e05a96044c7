import { type Json, referenceTo } from './json.ts'

/** Headers that answers share, by their names in the document's components. */
export const headers = {
  RequestId: {
    description: 'Names this request in the log of the service; one that the request brings is taken over.',
    required: true,
    schema: { type: 'string' },
    example: 'order-17',
  },
  RetryAfter: {
    description: 'Seconds after which to try again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  Challenge: {
    description: 'What kind of credentials is wanted, and what is wrong with those that came.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer realm="lockerflow", error="invalid_token"',
  },
} as const satisfies Record<string, Json>

const spelling = { RequestId: 'x-request-id', RetryAfter: 'retry-after', Challenge: 'www-authenticate' } as const

/** The headers of an answer, which always names its request. */
export function answerHeaders(...further: readonly Exclude<keyof typeof headers, 'RequestId'>[]): Json {
  const names = ['RequestId', ...further] as const
  return Object.fromEntries(names.map(name => [spelling[name], referenceTo('headers', name)]))
}

/** Parameters that operations share, by their names in the document's components. */
export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    // Without an example: two operations that are tried with one key would be refused.
    description:
      'Of your own choice, a new one for each wish: the same key and body get the first answer again, for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
} as const satisfies Record<string, Json>
