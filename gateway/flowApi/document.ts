import type { z } from 'zod'
import { healthPaths } from '#contract'
import { hoistSchemas, type Json, listCodes, namedSchema, referenceTo, toJsonSchema } from '#contract/openapi'
import type { ErrorCode } from '#contract/terms'
import { type FlowApiOperation, flowApiOperations, watchOperation } from './operations.ts'
import { problem, problemType, statusOf } from './problem.ts'
import { type ResultKind, resultSchemas, statusByKind } from './results.ts'
import { scopes } from './tokens/issuer.ts'

export interface FlowApiDocumentOptions {
  /** Public address of the flow API, without a trailing slash. */
  readonly url: string
  /** Version in package.json. */
  readonly version: string
  /** The names of the flows that callers may start. */
  readonly flows: readonly string[]
}

/** Problems that every operation can have. The key is the name of the component, and all its codes have one status. */
const sharedProblems = {
  BadRequest: ['InvalidRequest'],
  Unauthorized: ['Unauthorized'],
  Forbidden: ['Forbidden'],
  NotInTime: ['InvalidRequest'],
  TooLarge: ['RequestTooLarge'],
  HeadersTooLarge: ['InvalidRequest'],
  WrongType: ['UnsupportedMediaType'],
  UnknownExpectation: ['InvalidRequest'],
  UnknownTransferCoding: ['InvalidRequest'],
  TooMany: ['RateLimited'],
  Failed: ['InternalError'],
  Away: ['Unavailable', 'NoWorkerPolls', 'TemporalUnreachable', 'TemporalDenied', 'TemporalLimitReached'],
  Late: ['NoResponseInTime'],
} as const satisfies Record<string, readonly ErrorCode[]>

type SharedProblem = keyof typeof sharedProblems

const problemCodes = [
  ...Object.values(sharedProblems).flat(),
  ...(['UnknownOperation', 'UnknownFlow', 'MethodNotAllowed', 'FlowEnded'] as const),
]

/** The HTTP status of each code of a problem that is not a result. */
export const statusByProblem: ReadonlyMap<ErrorCode, number> = new Map(problemCodes.map(code => [code, statusOf(code)]))

/** Where the status is not that of the code. */
const statuses: Partial<Record<SharedProblem, number>> = {
  NotInTime: 408,
  UnknownExpectation: 417,
  HeadersTooLarge: 431,
  UnknownTransferCoding: 501,
}

/** The OpenAPI 3.1 document of flows over HTTP, from the operations and the results. */
export function flowApiDocument({ url, version, flows }: FlowApiDocumentOptions): Json {
  const paths: Record<string, Json> = {}
  for (const operation of flowApiOperations) {
    const item = toOperation(operation, flows)
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: item }
  }
  paths[watchOperation.path] = { get: watchItem() }
  return hoistSchemas({
    openapi: '3.1.0',
    info: {
      title: 'lockerflow flows',
      version,
      description: 'Start, read and change flows by case number.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url }],
    paths: { ...paths, ...healthItems() },
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: `An access token. Scopes: ${Object.entries(scopes)
            .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
            .join(' ')}`,
        },
      },
      responses: Object.fromEntries(
        Object.entries(sharedProblems).map(([name, codes]) => [
          name,
          { description: listCodes(codes), headers: retryHeader(codes), content: problemContent(problemSchema()) },
        ]),
      ),
    },
  })
}

function toOperation(operation: FlowApiOperation, flows: readonly string[]): Json {
  const { name, method, key, summary, scope, body } = operation
  return {
    operationId: name,
    summary: name,
    description: summary,
    security: [{ token: [scope] }],
    parameters: [...pathParameters(operation, flows), ...queryParameters(operation.query)],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: namedSchema(requestName(name), toJsonSchema(body, 'input')) } },
      },
    }),
    responses: {
      ...resultResponses(operation.kinds),
      // Also of an operation that reads no body: one that is sent is checked.
      ...shared(method === 'GET' ? bodiless : (Object.keys(sharedProblems) as SharedProblem[])),
      ...(key === 'flow' && { 404: notFound('UnknownFlow', 'UnknownCase') }),
    },
  }
}

/** The problems of a request whose headers no route accepts, or that is late. */
const anyRequest = [
  'BadRequest',
  'NotInTime',
  'UnknownExpectation',
  'HeadersTooLarge',
  'UnknownTransferCoding',
] as const

const bodiless: readonly SharedProblem[] = [
  ...anyRequest,
  'Unauthorized',
  'Forbidden',
  'TooMany',
  'Failed',
  'Away',
  'Late',
]

/** A response for each status, with the kinds of results that have it. */
function resultResponses(kinds: readonly ResultKind[]): Json {
  const byStatus = Map.groupBy(kinds, kind => statusByKind[kind])
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => {
      const schemas = some.map(status < 400 ? resultSchema : resultProblem)
      const schema = schemas.length === 1 ? schemas[0] : { oneOf: schemas, discriminator: toDiscriminator(some) }
      const content = status < 400 ? { 'application/json': { schema } } : problemContent(schema as Json)
      return [status, { description: some.join(', '), content }]
    }),
  )
}

function toDiscriminator(kinds: readonly ResultKind[]): Json {
  const mapping = Object.fromEntries(kinds.map(kind => [kind, `#/components/schemas/${kind}`]))
  return { propertyName: 'kind', mapping }
}

function resultSchema(kind: ResultKind): Json {
  return namedSchema(kind, toJsonSchema(resultSchemas[kind], 'output'))
}

/** A result that is a problem: the fields of both. */
function resultProblem(kind: ResultKind): Json {
  return namedSchema(kind, toJsonSchema(problem.extend(resultSchemas[kind].shape), 'output'))
}

/** A result that is a problem as a response. As the data of an event it has the fields of the result only. */
function eventSchema(kind: ResultKind): Json {
  return namedSchema(`${kind}Event`, toJsonSchema(resultSchemas[kind], 'output'))
}

function problemSchema(): Json {
  return toJsonSchema(problem, 'output')
}

function watchItem(): Json {
  const items = watchOperation.kinds.map(kind => (statusByKind[kind] < 400 ? resultSchema(kind) : eventSchema(kind)))
  return {
    operationId: watchOperation.name,
    summary: watchOperation.name,
    description: `${watchOperation.summary} Data of an event: ${watchOperation.kinds.join(', ')}. The last event has the id \`end\`.`,
    security: [{ token: [watchOperation.scope] }],
    parameters: [
      ...pathParameters(watchOperation, []),
      {
        name: 'Last-Event-ID',
        in: 'header',
        required: false,
        description: 'The id of the last event that was received.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: {
        description: 'Events until the flow has ended, or the token has expired.',
        content: { 'text/event-stream': { schema: { type: 'string' }, 'x-items': { oneOf: items } } },
      },
      204: { description: 'The caller has received the end.' },
      404: notFound('UnknownCase'),
      422: { description: 'The id does not belong to an event.', content: problemContent(resultProblem('Refused')) },
      ...shared(bodiless),
    },
  }
}

function pathParameters({ path, key }: Pick<FlowApiOperation, 'path' | 'key'>, flows: readonly string[]): Json[] {
  const [, parameter] = /\{(\w+)\}/.exec(path) ?? []
  if (parameter === undefined) return []
  const isFlow = key === 'flow'
  const description = isFlow ? 'The name of the flow.' : 'The case number.'
  const schema = isFlow ? { type: 'string', examples: flows } : { type: 'string', minLength: 1, maxLength: 60 }
  return [{ name: parameter, in: 'path', required: true, description, schema }]
}

function queryParameters(query: z.ZodObject): Json[] {
  const { properties = {} } = toJsonSchema(query, 'input') as { properties?: Record<string, Json> }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    ...(description !== undefined && { description }),
    // Coerced from a text, so zod says nothing about its type.
    schema: 'type' in schema ? schema : { type: 'integer', ...schema },
  }))
}

function healthItems(): Json {
  const item = (operationId: string, description: string, statuses: readonly number[]) => ({
    get: {
      operationId,
      summary: operationId,
      description,
      security: [],
      responses: {
        ...Object.fromEntries(
          statuses.map(status => [
            status,
            { description, content: { 'application/json': { schema: { type: 'object' } } } },
          ]),
        ),
        ...shared(anyRequest),
      },
    },
  })
  return {
    [healthPaths.live]: item('live', 'Succeeds while the process is alive.', [200]),
    [healthPaths.ready]: item('ready', 'Succeeds while flows can be started.', [200, 503]),
  }
}

function shared(names: readonly SharedProblem[]): Json {
  return Object.fromEntries(
    names.map(name => [statuses[name] ?? statusOf(sharedProblems[name][0]), referenceTo('responses', name)]),
  )
}

/** A case or a flow that is unknown. */
function notFound(...codes: readonly ErrorCode[]): Json {
  const unknown = resultProblem('UnknownCase')
  const schema = codes.length === 1 ? unknown : { oneOf: [unknown, problemSchema()] }
  return { description: listCodes(codes), content: problemContent(schema) }
}

function problemContent(schema: Json): Json {
  return { [problemType]: { schema } }
}

function retryHeader(codes: readonly ErrorCode[]): Json {
  const isRetried = codes.some(code => ['RateLimited', 'Unavailable'].includes(code))
  return isRetried
    ? { 'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer' } } }
    : {}
}

function requestName(operation: string): string {
  return `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Request`
}
