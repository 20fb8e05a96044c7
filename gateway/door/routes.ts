import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readRequest } from '#contract'
import { withReference } from '#contract/terms'
import { isCaseNo } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { endId, followFlow } from './events.ts'
import type { Usage } from './limits.ts'
import { type DoorOperation, doorOperations, type Flows, watchOperation } from './operations.ts'
import { DoorError, problemType, toProblem } from './problem.ts'
import { type ResultKind, statusByKind } from './results.ts'
import type { Caller } from './tokens/caller.ts'
import type { Scope } from './tokens/issuer.ts'

export interface RouteParts {
  readonly flows: Flows
  /** Every flow that callers may start. */
  readonly declared: ReadonlyMap<string, FlowDeclaration>
  readonly streams: Usage
  readonly stopping: AbortSignal
  /** Checks token, rate and scope before the body is read. @throws DoorError */
  readonly authorize: (request: FastifyRequest, scope: Scope) => Promise<Caller>
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** The routes of the flows. */
export function flowRoutes(app: FastifyInstance, parts: RouteParts): void {
  for (const operation of doorOperations) {
    app.route({
      method: operation.method,
      url: toRoute(operation.path),
      onRequest: request => beginOperation(parts, operation, request),
      handler: (request, reply) => inProgress(request, () => run(parts, operation, request, reply)),
    })
  }
  app.route({
    method: watchOperation.method,
    url: toRoute(watchOperation.path),
    onRequest: request => beginOperation(parts, watchOperation, request),
    handler: (request, reply) => inProgress(request, () => watch(parts, request, reply)),
  })
}

/** The path of a route in the spelling of the router. */
export function toRoute(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

async function beginOperation(
  { authorize }: RouteParts,
  { name, scope }: Pick<DoorOperation, 'name' | 'scope'>,
  request: FastifyRequest,
): Promise<void> {
  request.door.operation = name
  request.door.caller = await authorize(request, scope)
}

/** Counts a request until its work has ended, which can be after the caller broke off. */
async function inProgress<Result>({ door }: FastifyRequest, work: () => Promise<Result>): Promise<Result> {
  const ends = door.ends.splice(0)
  try {
    return await work()
  } finally {
    for (const end of ends) end()
  }
}

async function run(
  { flows, declared }: RouteParts,
  operation: DoorOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = read(operation.query, request.query)
  const body = operation.body === undefined ? {} : read(operation.body, request.body)
  const key = keyOf(request)
  if (operation.name === 'startFlow') {
    if (!declared.has(key)) throw unknownFlow(declared)
  } else if (operation.path !== '/flows' && !isCaseNo(key)) {
    return sendResult(reply, unknownCase(key))
  }
  return sendResult(reply, await operation.run({ flows, key, query, body }))
}

/** Streams the events of a flow until it has ended, the token expires, or the caller goes. */
async function watch(
  { flows, streams, stopping, clock }: RouteParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = keyOf(request)
  if (!isCaseNo(key)) return sendResult(reply, unknownCase(key))
  const { 'last-event-id': lastId } = request.headers
  const after = typeof lastId === 'string' && lastId !== '' ? lastId : undefined
  // The only status that keeps a browser from connecting again.
  if (after === endId) return reply.code(204).send()
  const { caller } = request.door
  if (caller === undefined) throw new DoorError('Unauthorized', 'An access token is required.')
  request.door.ends.push(streams.begin(caller))
  const gone = new AbortController()
  // Longer timers than 24 days overflow.
  const life = Math.min(caller.expiresAt - clock(), 24 * 86_400_000)
  const expired = setTimeout(() => gone.abort(), Math.max(0, life)).unref()
  reply.raw.once('close', () => {
    clearTimeout(expired)
    gone.abort()
  })
  const signal = AbortSignal.any([gone.signal, stopping])
  const { refusal, chunks } = await followFlow(flows, key, { after, signal })
  if (refusal !== undefined) {
    gone.abort()
    return sendResult(reply, refusal)
  }
  const events = Readable.from(untilAborted(chunks(), signal))
  return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(events)
}

/** Ends a stream regularly when its signal aborts. */
async function* untilAborted(chunks: AsyncGenerator<string>, signal: AbortSignal): AsyncGenerator<string> {
  try {
    yield* chunks
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Sends a result, as a problem with the fields of the result if its status says so. */
function sendResult(reply: FastifyReply, result: { readonly kind: ResultKind }): FastifyReply {
  const status = statusByKind[result.kind]
  reply.code(status)
  if (status < 400) return reply.send(result)
  const { code, message } = result as unknown as { code: string; message: string }
  const { door, id } = reply.request
  door.errorCode = code
  return reply.type(problemType).send({ ...toProblem(code, message, status, id), ...result })
}

function read<Schema extends Parameters<typeof readRequest>[0]['request']>(schema: Schema, given: unknown) {
  const parsed = readRequest({ request: schema }, given)
  if (!parsed.ok) throw new DoorError('InvalidRequest', parsed.message)
  return parsed.request as Record<string, unknown>
}

function keyOf({ params }: FastifyRequest): string {
  const { key, caseNo } = params as { key?: string; caseNo?: string }
  return key ?? caseNo ?? ''
}

function unknownFlow(declared: ReadonlyMap<string, FlowDeclaration>): DoorError {
  return new DoorError('UnknownFlow', `The flow must be one of ${[...declared.keys()].join(', ')}.`)
}

function unknownCase(caseNo: string) {
  const message = withReference('UnknownCase', 'No flow has this case number.')
  return { kind: 'UnknownCase', caseNo, code: 'UnknownCase', message } as const
}
