// The responses of the document: results, problems, and the problems that several operations share.
import { type Json, listCodes, namedSchema, referenceTo, toJsonSchema } from '#contract/openapi'
import type { ErrorCode } from '#contract/terms'
import { problem, problemType, statusOf } from './problem.ts'
import { type ResultKind, resultSchemas, statusByKind } from './results.ts'

/** Problems that every operation can have. The key is the name of the component, and all its codes have one status. */
export const sharedProblems = {
  BadRequest: ['InvalidRequest'],
  Unauthorized: ['Unauthorized'],
  Forbidden: ['Forbidden'],
  RequestTimeout: ['InvalidRequest'],
  ContentTooLarge: ['RequestTooLarge'],
  HeaderFieldsTooLarge: ['InvalidRequest'],
  UnsupportedMediaType: ['UnsupportedMediaType'],
  ExpectationFailed: ['InvalidRequest'],
  NotImplemented: ['InvalidRequest'],
  TooManyRequests: ['RateLimited'],
  InternalServerError: ['InternalError'],
  ServiceUnavailable: [
    ...(['Unavailable', 'NoWorkerPolls', 'FlowPaused', 'TemporalUnreachable', 'TemporalDenied'] as const),
    'TemporalLimitReached',
  ],
  GatewayTimeout: ['NoResponseInTime'],
} as const satisfies Record<string, readonly ErrorCode[]>

export type SharedProblem = keyof typeof sharedProblems

const problemCodes = [
  ...Object.values(sharedProblems).flat(),
  ...(['UnknownOperation', 'UnknownFlow', 'MethodNotAllowed', 'FlowEnded'] as const),
]

/** The HTTP status of each code of a problem that is not a result. */
export const statusByProblem: ReadonlyMap<ErrorCode, number> = new Map(problemCodes.map(code => [code, statusOf(code)]))

/** The statuses of problems that differ from the status of their code. */
const statuses: Partial<Record<SharedProblem, number>> = {
  RequestTimeout: 408,
  ExpectationFailed: 417,
  HeaderFieldsTooLarge: 431,
  NotImplemented: 501,
}

/** Problems that any request can have, before it reaches a route. */
export const anyRequestProblems = [
  'BadRequest',
  'RequestTimeout',
  'ExpectationFailed',
  'HeaderFieldsTooLarge',
  'NotImplemented',
] as const

export const bodilessProblems: readonly SharedProblem[] = [
  ...anyRequestProblems,
  'Unauthorized',
  'Forbidden',
  'TooManyRequests',
  'InternalServerError',
  'ServiceUnavailable',
  'GatewayTimeout',
]

/**
 * A response for each status, with the kinds of results that have it. All successes of an operation have one schema,
 * because many generated clients read the schema of one successful status only.
 */
export function resultResponses(operation: string, kinds: readonly ResultKind[]): Json {
  const successes = kinds.filter(kind => statusByKind[kind] < 400)
  const success = union(successes, resultSchema, `${toTypeName(operation)}Result`)
  const byStatus = Map.groupBy(kinds, kind => statusByKind[kind])
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => {
      const failure = union(some, resultProblem, `${toTypeName(operation)}Problem`)
      const content = status < 400 ? { 'application/json': { schema: success } } : problemContent(failure)
      return [status, { description: some.join(', '), content }]
    }),
  )
}

/** The schema of one kind, or a union with a name of its own. */
function union(kinds: readonly ResultKind[], toSchema: (kind: ResultKind) => Json, name: string): Json {
  const [first, ...others] = kinds.map(toSchema)
  if (first !== undefined && others.length === 0) return first
  return namedSchema(name, { oneOf: [first, ...others], discriminator: toDiscriminator(kinds) })
}

function toDiscriminator(kinds: readonly ResultKind[]): Json {
  const mapping = Object.fromEntries(kinds.map(kind => [kind, `#/components/schemas/${kind}`]))
  return { propertyName: 'kind', mapping }
}

export function resultSchema(kind: ResultKind): Json {
  return namedSchema(kind, toJsonSchema(resultSchemas[kind], 'output'))
}

/** A result that is a problem: the fields of both. */
export function resultProblem(kind: ResultKind): Json {
  return namedSchema(kind, toJsonSchema(problem.extend(resultSchemas[kind].shape), 'output'))
}

/** A result that is a problem as a response. As the data of an event it has the fields of the result only. */
export function eventSchema(kind: ResultKind): Json {
  return namedSchema(`${kind}Event`, toJsonSchema(resultSchemas[kind], 'output'))
}

export function problemSchema(): Json {
  return toJsonSchema(problem, 'output')
}

export function sharedResponses(names: readonly SharedProblem[]): Json {
  return Object.fromEntries(
    names.map(name => [statuses[name] ?? statusOf(sharedProblems[name][0]), referenceTo('responses', name)]),
  )
}

/** A case or a flow that is unknown. An unknown case fits the schema of a problem too. */
export function notFound(...codes: readonly ErrorCode[]): Json {
  const unknown = resultProblem('UnknownCase')
  const schema = codes.length === 1 ? unknown : { anyOf: [unknown, problemSchema()] }
  return { description: listCodes(codes), content: problemContent(schema) }
}

export function problemContent(schema: Json): Json {
  return { [problemType]: { schema } }
}

export function retryHeader(codes: readonly ErrorCode[]): Json {
  const isRetried = codes.some(code => ['RateLimited', 'Unavailable'].includes(code))
  return isRetried
    ? { 'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer' } } }
    : {}
}

/** The name of an operation as the beginning of a type. */
export function toTypeName(operation: string): string {
  return operation.charAt(0).toUpperCase() + operation.slice(1)
}
