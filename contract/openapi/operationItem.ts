import { z } from 'zod'
import { errors } from '#contract/terms'
import { envelope, succeeded } from '../envelope.ts'
import type { Example } from '../examples/index.ts'
import type { Operation } from '../operation.ts'
import { failureAnswers, refusalExamples, refusalSchema, refusalTable } from './failures.ts'
import { answerHeaders } from './headers.ts'
import { type Json, json, referenceTo, schemaOf } from './json.ts'
import { tagOf } from './tags.ts'

export interface OperationParts {
  readonly operation: Operation
  readonly example: Example
  /** Operations that take what this one answers. */
  readonly links: Json
}

/** The path item of an operation. */
export function operationItem({ operation, example, links }: OperationParts): Json {
  const creates = operation.effect === 'create'
  const limited = operation.errors.includes('TooManyAttempts')
  const post = {
    operationId: operation.name,
    tags: [tagOf(operation.path)],
    // What pages and generators name the operation by.
    summary: operation.name,
    description: operation.summary + (operation.stagingOnly ? ' In staging only: production does not have it.' : ''),
    ...(creates && { parameters: [referenceTo('parameters', 'IdempotencyKey')] }),
    requestBody: { required: true, content: body(operation, example) },
    responses: {
      200: answer({ operation, example, links }),
      ...failureAnswers([
        ...(['InvalidRequest', 'Unauthorized', 'Forbidden'] as const),
        ...(creates ? (['IdempotencyKeyInUse'] as const) : []),
        ...(['RequestTooLarge', 'UnsupportedMediaType'] as const),
        ...(creates ? (['IdempotencyKeyReused'] as const) : []),
        limited ? 'TooManyRequests' : 'RateLimited',
        ...(['InternalError', 'Unavailable'] as const),
      ]),
    },
  }
  return { post }
}

function body({ request, upload }: Operation, { request: value, file }: Example): Json {
  const data = schemaOf(request, 'input')
  if (!upload) return json(data, { request: { value } })
  const properties = { data, file: { type: 'string', format: 'binary', description: 'An .xls, .xlsx or .csv file.' } }
  const schema = { type: 'object', properties, required: Object.keys(properties) }
  const examples = { request: { value: { data: value, file } } }
  return { 'multipart/form-data': { schema, examples, encoding: { data: { contentType: 'application/json' } } } }
}

/** A yes or a no: both are answers. */
function answer({ operation, example, links }: OperationParts): Json {
  const codes = operation.errors.filter(code => errors[code].status === 200)
  const success = operation.response.extend({
    ...envelope.shape,
    ...{ success: z.literal(true), error: z.null(), message: z.null() },
  })
  // A refusal can carry the fields of a success beside its code.
  const refusal = refusalSchema(codes, operation.response.partial().shape)
  const said = codes.length === 0 ? 'The answer.' : `The answer, or a refusal:\n\n${refusalTable(codes)}`
  const schemas = [
    { title: 'Success', ...schemaOf(success, 'output') },
    ...(codes.length === 0 ? [] : [{ title: 'Refusal', ...schemaOf(refusal, 'output') }]),
  ]
  return {
    description: said,
    headers: answerHeaders(),
    content: json(
      { oneOf: schemas },
      { success: { value: { ...example.response, ...succeeded } }, ...refusalExamples(codes) },
    ),
    ...(Object.keys(links).length > 0 && { links }),
  }
}
