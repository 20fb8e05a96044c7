// The hooks that every request passes, in the order in which they run.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { commonHeaders, operations } from '#contract'
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
import { OperationError } from '../operationError.ts'
import type { Traffic } from '../sandbox/index.ts'
import { maxWait } from '../store/index.ts'
import type { ServiceAppParts } from './appParts.ts'
import type { BodyRate } from './bodyRate.ts'
import { discardBody } from './discardBody.ts'
import { sendHeaderFault, serviceStopping } from './failures.ts'
import { logRequest } from './requestLog.ts'
import { createShed } from './shedding.ts'
import { traceRequests } from './traceRequests.ts'

/** Browsers that have seen it use https for a year. Sent only where callers reach the service by https. */
const strictTransport = { 'strict-transport-security': 'max-age=31536000' } as const

/** Adds the hooks of every request. Call it before any route is added. */
export function addRequestHooks(app: FastifyInstance, parts: ServiceAppParts, bodyRate: BodyRate | undefined): void {
  const { store, log, stopping, maxEventLoopDelay, maxStoreWait, traffic } = parts
  const shed = createShed(log)
  const allowedMethods = collectMethods(app)
  const eventLoopDelay = maxEventLoopDelay > 0 ? measureEventLoopDelay() : undefined
  app.addHook('onClose', async () => eventLoopDelay?.stop())
  // Hooks with a callback, since each promise takes a twentieth of the time of a refusal.
  app.addHook('onRequest', (request, reply, done) => {
    beginRequest(parts, request, reply)
    const fault = findHeaderFault(request.raw)
    if (fault !== undefined) return void sendHeaderFault(fault, request, reply)
    if (request.is404) rejectNotFound(request, reply, allowedMethods, OperationError)
    if (!isHealthRoute(request.routeOptions.url)) {
      if (stopping.aborted) throw serviceStopping()
      const storeWait = maxStoreWait > 0 ? maxWait(store) : 0
      if (storeWait > maxStoreWait) shed('storeWait', storeWait)
      const delay = eventLoopDelay?.mean() ?? 0
      if (delay > maxEventLoopDelay) shed('eventLoopDelay', delay)
    }
    done()
  })
  // After the token and the rate, which the hooks of the routes check.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.headers['content-encoding'] !== undefined) checkEncoding(request, reply, OperationError)
    const ready = bodyRate?.ready(request)
    if (ready === undefined) done()
    else void ready.then(() => done())
  })
  if (bodyRate !== undefined) {
    app.addHook('preHandler', (request, _reply, done) => {
      if (request.body instanceof Buffer) bodyRate.spend(request, request.body.length)
      done()
    })
  }
  app.addHook('onSend', (request, reply, _payload, done) => {
    limitStall(reply)
    if (stopping.aborted) reply.header('connection', 'close')
    if (request.raw.complete) return done()
    void discardBody(request, { stopping: stopping.aborted, bodyRate }).then(isComplete => {
      // The rest of the body would be read as the next request.
      if (!isComplete) reply.header('connection', 'close')
      done()
    })
  })
  if (tracing !== undefined) traceRequests(app, tracing)
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(log, request, reply)
    if (traffic !== undefined) noteRequest(traffic, request, reply)
    done()
  })
}

/** Sets the context of a request, and the headers that every response has. */
export function beginRequest(
  { environment, address }: Pick<ServiceAppParts, 'environment' | 'address'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  request.context = { startedAt: performance.now() }
  reply.headers(commonHeaders).header(requestIdHeader, request.id)
  if (environment === 'production' && address().startsWith('https:')) reply.headers(strictTransport)
}

/** Requests without a valid token belong to no tenant, and are left out of the traffic. */
function noteRequest(traffic: Traffic, { id, context, body }: FastifyRequest, { statusCode }: FastifyReply): void {
  const { caller, operation, errorCode, startedAt } = context
  if (caller === undefined || operation === undefined || !Object.hasOwn(operations, operation)) return
  const durationMs = Math.round((performance.now() - startedAt) * 10) / 10
  const request = { requestId: id, operation, status: statusCode, errorCode: errorCode ?? null, durationMs, body }
  traffic.noteRequest({ ...caller, ...request })
}
