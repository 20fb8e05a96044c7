import { errors } from '#contract/terms'
import { envelope, succeeded } from '../envelope.ts'
import type { Example } from '../examples/index.ts'
import type { Operation } from '../operation.ts'
import {
  alwaysPossible,
  failureResponses,
  listCodes,
  refusalExamples,
  refusalSchema,
  successEnvelope,
} from './failures.ts'
import { responseHeaders } from './headers.ts'
import { type Json, jsonContent, namedSchema, referenceTo, toJsonSchema } from './schemas.ts'

export interface DocumentedOperation {
  readonly operation: Operation
  readonly example: Example
  /** Operations that accept identifiers of the response. */
  readonly links: Json
}

/** Groups of operations by the second part of their path, in display order. */
const groups = {
  Logistics: 'Shipments: create, list, open, cancel.',
  Account: 'Senders and receivers of shipments.',
  PickupPoints: 'Locations of lockers.',
  Platform: 'Settings of the caller: callbacks and sandbox faults.',
} as const

export const signInTag = 'Sign-in'
export const healthTag = 'Health'
export const callbackTag = 'Callbacks'

export const tags = [
  { name: signInTag, description: 'OAuth 2 client credentials. All operations require a token.' },
  ...Object.entries(groups).map(([name, description]) => ({ name, description })),
  { name: callbackTag, description: 'Sent to the address of ConfigureCallback.' },
  { name: healthTag, description: 'Probes for operators.' },
]

export function operationPathItem({ operation, example, links }: DocumentedOperation): Json {
  const creates = operation.effect === 'create'
  const limited = operation.errors.includes('TooManyAttempts')
  const post = {
    operationId: operation.name,
    tags: [toTag(operation.path)],
    // Reference pages and generators display the summary as the name.
    summary: operation.name,
    description: operation.summary + (operation.stagingOnly ? ' Staging only.' : ''),
    ...(creates && { parameters: [referenceTo('parameters', 'IdempotencyKey')] }),
    requestBody: { required: true, content: requestContent(operation, example) },
    responses: {
      200: successOrRefusal({ operation, example, links }),
      ...failureResponses([
        ...(['InvalidRequest', 'Unauthorized', 'Forbidden'] as const),
        ...(creates ? (['IdempotencyKeyInUse'] as const) : []),
        ...(['RequestTooLarge', 'UnsupportedMediaType'] as const),
        ...(creates ? (['IdempotencyKeyReused'] as const) : []),
        limited ? 'TooManyRequests' : 'RateLimited',
        ...alwaysPossible,
      ]),
    },
  }
  return { post }
}

function requestContent({ name, request, upload }: Operation, { request: value, file }: Example): Json {
  const data = namedSchema(`${name}Request`, toJsonSchema(request, 'input'))
  if (!upload) return jsonContent(data, { request: { value } })
  const properties = { data, file: { type: 'string', format: 'binary', description: 'An .xls, .xlsx or .csv file.' } }
  const schema = { type: 'object', properties, required: Object.keys(properties) }
  const examples = { request: { value: { data: value, file } } }
  return { 'multipart/form-data': { schema, examples, encoding: { data: { contentType: 'application/json' } } } }
}

/** The response with status 200: a success or a refusal. */
function successOrRefusal({ operation, example, links }: DocumentedOperation): Json {
  const codes = operation.errors.filter(code => errors[code].status === 200)
  const success = operation.response.extend({
    ...envelope.shape,
    ...successEnvelope,
  })
  // A refusal may contain fields of a success next to its code.
  const refusal = refusalSchema(codes, operation.response.partial().shape)
  const description = codes.length === 0 ? 'Success.' : `Success, or a refusal:\n\n${listCodes(codes)}`
  const schemas = [
    // First, because generated clients try them in this order: a success has no code, but a refusal can have all that a
    // success needs.
    ...(codes.length === 0 ? [] : [namedSchema(`${operation.name}Refusal`, toJsonSchema(refusal, 'output'))]),
    namedSchema(`${operation.name}Success`, toJsonSchema(success, 'output')),
  ]
  return {
    description,
    headers: responseHeaders(),
    content: jsonContent(
      { oneOf: schemas },
      { success: { value: { ...example.response, ...succeeded } }, ...refusalExamples(codes) },
    ),
    ...(Object.keys(links).length > 0 && { links }),
  }
}

/** The group of an operation's path. */
function toTag(path: `/v1/${string}`): string {
  return path.split('/')[2] ?? ''
}
