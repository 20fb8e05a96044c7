import { z } from 'zod'
import { type ErrorCode, errors, requestErrors } from '#contract/terms'
import { envelope } from './envelope.ts'
import type { Operation } from './operation.ts'
import { accessScope, tokenPath } from './token.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of the given operations, as served at `address`. */
export function openApiDocument(served: readonly Operation[], address: string): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'lockerflow', version: '1', description: 'Parcel locker bookings at pick up points.' },
    servers: [{ url: address }],
    security: [{ client: [accessScope] }],
    paths: Object.fromEntries(served.map(operation => [operation.path, { post: post(operation) }])),
    components: {
      securitySchemes: {
        client: {
          type: 'oauth2',
          flows: {
            clientCredentials: { tokenUrl: address + tokenPath, scopes: { [accessScope]: 'Call every operation.' } },
          },
        },
      },
    },
  }
}

function post(operation: Operation): Json {
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: refusalTable(operation.errors),
    ...(operation.effect === 'create' && { parameters: [idempotencyKey] }),
    requestBody: { required: true, content: body(operation) },
    responses: { 200: { description: 'The answer, or a refusal.', content: json(answer(operation)) }, ...failures() },
  }
}

function body({ request, upload }: Operation): Json {
  const data = z.toJSONSchema(request, { io: 'input' })
  if (!upload) return json(data)
  const properties = { data, file: { type: 'string', format: 'binary' } }
  const schema = { type: 'object', properties, required: Object.keys(properties) }
  return { 'multipart/form-data': { schema, encoding: { data: { contentType: 'application/json' } } } }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key and body get the first answer again, for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function answer(operation: Operation): Json {
  const success = operation.response.extend({ ...envelope.shape, success: z.literal(true), error: z.null() })
  const refusal = operation.response
    .partial()
    .extend({ ...envelope.shape, success: z.literal(false), error: z.enum(operation.errors) })
  return { oneOf: [success, ...(operation.errors.length > 0 ? [refusal] : [])].map(schema => z.toJSONSchema(schema)) }
}

/** The failing responses by HTTP status; several codes can share one. */
function failures(): Json {
  const byStatus = Map.groupBy(
    Object.keys(requestErrors) as (keyof typeof requestErrors)[],
    code => errors[code].status,
  )
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map(code => errors[code].meaning).join(' '),
        content: json(z.toJSONSchema(envelope.extend({ success: z.literal(false), error: z.enum(codes) }))),
      },
    ]),
  )
}

function refusalTable(codes: readonly ErrorCode[]): string {
  return codes.map(code => `- \`${code}\`: ${errors[code].meaning}`).join('\n')
}

function json(schema: unknown): Json {
  return { 'application/json': { schema } }
}
