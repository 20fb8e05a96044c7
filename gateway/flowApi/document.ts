import { z } from 'zod'
import { healthPaths, readiness } from '#contract'
import { hoistSchemas, type Json, listCodes, namedSchema, toJsonSchema } from '#contract/openapi'
import {
  anyRequestProblems,
  bodilessProblems,
  eventSchema,
  notFound,
  problemContent,
  problemSchema,
  resultProblem,
  resultResponses,
  resultSchema,
  retryHeader,
  type SharedProblem,
  sharedProblems,
  sharedResponses,
  toTypeName,
} from './documentResponses.ts'
import { type FlowApiOperation, flowApiOperations, watchOperation } from './operations.ts'
import { statusByKind } from './results.ts'
import { scopes } from './tokens/issuer.ts'

export interface FlowApiDocumentOptions {
  /** Address of the flow API. A relative one refers to that of the document. */
  readonly url: string
  /** Version in package.json. */
  readonly version: string
  /** The names of the flows that callers may start. */
  readonly flows: readonly string[]
}

const [flowsTag, healthTag] = ['Flows', 'Health']

const tags = [
  { name: flowsTag, description: 'Start, read and change flows by case number.' },
  { name: healthTag, description: 'Probes for operators.' },
]

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
    tags,
    paths: { ...paths, ...probes() },
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
  const { name, method, key, summary, scope, body, mayOmitBody = false } = operation
  return {
    operationId: name,
    tags: [flowsTag],
    summary: name,
    description: summary,
    security: [{ token: [scope] }],
    parameters: [...pathParameters(operation, flows), ...queryParameters(operation.query)],
    ...(body && {
      requestBody: {
        required: !mayOmitBody,
        content: {
          'application/json': { schema: namedSchema(`${toTypeName(name)}Request`, toJsonSchema(body, 'input')) },
        },
      },
    }),
    responses: {
      ...resultResponses(name, operation.kinds),
      // A body is checked even if the operation reads none.
      ...sharedResponses(method === 'GET' ? bodilessProblems : (Object.keys(sharedProblems) as SharedProblem[])),
      ...(key === 'flow' && { 404: notFound('UnknownFlow', 'UnknownCase') }),
    },
  }
}

function watchItem(): Json {
  const items = watchOperation.kinds.map(kind => (statusByKind[kind] < 400 ? resultSchema(kind) : eventSchema(kind)))
  return {
    operationId: watchOperation.name,
    tags: [flowsTag],
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
      ...sharedResponses(bodilessProblems),
    },
  }
}

/** The probes of a supervisor. */
function probes(): Json {
  const live = namedSchema('Liveness', toJsonSchema(z.object({ live: z.boolean() }), 'output'))
  const ready = namedSchema('Readiness', toJsonSchema(readiness, 'output'))
  return {
    [healthPaths.live]: probe('live', 'Succeeds while the process is alive.', live, 200),
    [healthPaths.ready]: probe('ready', 'Succeeds while flows can be started.', ready, 200, 503),
  }
}

function probe(operationId: string, description: string, schema: Json, ...statuses: readonly number[]): Json {
  const response = { description, content: { 'application/json': { schema } } }
  const responses = Object.fromEntries(statuses.map(status => [status, response]))
  return {
    get: {
      ...{ operationId, tags: [healthTag], summary: operationId, description, security: [] },
      responses: { ...responses, ...sharedResponses(anyRequestProblems) },
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
    schema,
  }))
}
