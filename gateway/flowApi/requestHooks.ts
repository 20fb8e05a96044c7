// The hooks that every request of the flow API passes, and its errors.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { commonHeaders } from '#contract'
import {
  checkEncoding,
  collectMethods,
  findHeaderFault,
  isHealthRoute,
  limitStall,
  measureEventLoopDelay,
  rejectNotFound,
  requestIdHeader,
} from '#platform/http'
import { tracing } from '#platform/telemetry'
import type { Observer } from '../observer.ts'
import { toFlowApiError } from './failures.ts'
import type { ConcurrencyLimit } from './limits.ts'
import { FlowApiError, problemHeaders, problemType, toProblem } from './problem.ts'
import { elapsedOf, logRequest, settleStatus } from './requestLog.ts'
import type { FlowApiLimits } from './settings.ts'
import { endSpan, traceRequests } from './traces.ts'

export interface RequestHookParts {
  readonly limits: Pick<FlowApiLimits, 'eventLoopDelay' | 'stall'>
  readonly streams: Pick<ConcurrencyLimit, 'total'>
  /** Aborted when the gateway begins to stop. */
  readonly stopping: AbortSignal
  /** Aborted when a stop closes the connections that are left. */
  readonly forced: AbortSignal
  readonly log: Logger
  readonly observer?: Pick<Observer, 'flowApiAnswered' | 'flowApiStreams'> | undefined
}

/** Adds the hooks of every request. Call it before any route is added. */
export function addRequestHooks(app: FastifyInstance, parts: RequestHookParts): void {
  const { limits, stopping, log } = parts
  const allowedMethods = collectMethods(app)
  const eventLoopDelay = measureEventLoopDelay()
  app.addHook('onClose', async () => eventLoopDelay.stop())
  app.addHook('onRequest', (request, reply, done) => {
    beginRequest(parts, request, reply)
    const fault = findHeaderFault(request.raw)
    if (fault !== undefined) throw new FlowApiError('InvalidRequest', fault.message, fault)
    // Before the body is read, whose type may be unknown too.
    if (request.is404) rejectNotFound(request, reply, allowedMethods, FlowApiError)
    checkEncoding(request, reply, FlowApiError)
    if (!isHealthRoute(request.routeOptions.url)) {
      if (stopping.aborted) throw new FlowApiError('Unavailable', 'The gateway is stopping.')
      if (eventLoopDelay.mean() > limits.eventLoopDelay)
        throw new FlowApiError('Unavailable', 'The gateway is overloaded; try again.')
    }
    done()
  })
  app.addHook('onSend', async (_request, reply) => {
    limitStall(reply, limits.stall)
    if (stopping.aborted) reply.header('connection', 'close')
  })
  if (tracing !== undefined) traceRequests(app, tracing)
  app.setErrorHandler((error, request, reply) => sendError(log, error, request, reply))
}

/** Sets the context of a request, and the headers that every response has. */
export function beginRequest(parts: RequestHookParts, request: FastifyRequest, reply: FastifyReply): void {
  request.flowApi = { startedAt: performance.now(), ends: [], isOver: false }
  // Also for a caller that breaks off, for which Fastify runs no onResponse hook.
  reply.raw.once('close', () => endRequest(parts, request, reply))
  reply.headers({ ...commonHeaders, [requestIdHeader]: request.id })
}

function endRequest(
  { forced, streams, observer, log }: RequestHookParts,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const status = settleStatus(request, reply, forced.aborted)
  const { operation, errorCode, ends } = request.flowApi
  request.flowApi.isOver = true
  for (const finish of ends) finish()
  endSpan(request.flowApi, status)
  observer?.flowApiStreams(streams.total)
  if (operation !== undefined) observer?.flowApiAnswered(operation, errorCode ?? 'ok', elapsedOf(request.flowApi))
  logRequest(log, request, status)
}

/** Sends an error as a problem, and logs a defect. */
export function sendError(log: Logger, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toFlowApiError(error, request.id)
  if (failure.code === 'InternalError') {
    log.error({ logId: 'flow-api-request-failed', requestId: request.id, err: error }, 'request of a caller failed')
  }
  request.flowApi.errorCode = failure.code
  const body = toProblem(failure.code, failure.message, failure.status, request.id)
  return reply
    .code(failure.status)
    .headers(problemHeaders(failure, request.headers.authorization))
    .type(problemType)
    .send(body)
}
