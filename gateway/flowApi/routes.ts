import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type FlowApiOperation, flowApiOperations, watchOperation } from './operations.ts'
import { onRequestEnd } from './requestLog.ts'
import { type RunParts, runOperation } from './runOperation.ts'
import type { Caller } from './tokens/caller.ts'
import type { Scope } from './tokens/issuer.ts'
import { type WatchParts, watchFlow } from './watchFlow.ts'
import { compileZodSchema } from './zodSchemas.ts'

export interface RouteParts extends RunParts, WatchParts {
  /** Checks token, rate and scope before the body is read. @throws FlowApiError */
  readonly authorize: (request: FastifyRequest, scope: Scope) => Promise<Caller>
}

/** The routes of the flows. */
export function flowRoutes(app: FastifyInstance, parts: RouteParts): void {
  app.setValidatorCompiler(compileZodSchema)
  for (const operation of flowApiOperations) {
    const { method, path, query, body, mayOmitBody } = operation
    app.route({
      method,
      url: toRoute(path),
      schema: { querystring: query, ...(body && { body }) },
      onRequest: request => beginOperation(parts, operation, request),
      async preValidation(request) {
        if (mayOmitBody) request.body ??= {}
      },
      handler: (request, reply) =>
        inProgress(request, onRequestEnd, () => runOperation(parts, operation, request, reply)),
    })
  }
  app.route({
    method: watchOperation.method,
    url: toRoute(watchOperation.path),
    onRequest: request => beginOperation(parts, watchOperation, request),
    handler: (request, reply) => inProgress(request, atOnce, () => watchFlow(parts, request, reply)),
  })
}

/** The path of a route in the spelling of the router, which needs one name for the parameter of all paths. */
function toRoute(path: string): string {
  return path.replace(/\{\w+\}/, ':key')
}

async function beginOperation(
  { authorize }: RouteParts,
  { name, scope }: Pick<FlowApiOperation, 'name' | 'scope'>,
  request: FastifyRequest,
): Promise<void> {
  request.flowApi.operation = name
  request.flowApi.caller = await authorize(request, scope)
}

type RunEnd = typeof onRequestEnd

/** A stream is counted by a limit of its own from its start. */
const atOnce: RunEnd = (_, end) => end()

/** Counts a request until its work has ended, which can be after the caller has gone. Then `runEnd` ends the count. */
async function inProgress<Result>(
  { flowApi }: FastifyRequest,
  runEnd: RunEnd,
  work: () => Promise<Result>,
): Promise<Result> {
  const ends = flowApi.ends.splice(0)
  try {
    return await work()
  } finally {
    for (const end of ends) runEnd(flowApi, end)
  }
}
