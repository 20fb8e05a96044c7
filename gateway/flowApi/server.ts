import underPressure from '@fastify/under-pressure'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Logger } from 'pino'
import { commonHeaders, healthPaths, toReadiness } from '#contract'
import {
  type ClientErrors,
  checkEncoding,
  collectMethods,
  findHeaderFault,
  isHealthRoute,
  limitArrival,
  limitStall,
  readRequestId,
  rejectNotFound,
  requestIdHeader,
  sendClientError,
} from '#http'
import { tracing } from '#telemetry'
import { type DecisionParts, decisionRoutes } from '../decisions/index.ts'
import type { Observer } from '../observer.ts'
import type { Readiness } from '../readiness.ts'
import { parseBodies } from './bodies.ts'
import { toFlowApiError } from './failures.ts'
import { createConcurrencyLimit, createRate, createSemaphore } from './limits.ts'
import { FlowApiError, problemHeaders, problemType, toProblem } from './problem.ts'
import { atEnd, elapsedOf, logRequest, settleStatus } from './requestLog.ts'
import { apiDocsRoutes, type CreateDocument, flowRoutes, type RouteParts } from './routes.ts'
import type { FlowApiLimits } from './settings.ts'
import type { Authenticate } from './tokens/authenticate.ts'
import { endSpan, traceRequests } from './traces.ts'

export interface FlowApiParts extends Pick<RouteParts, 'flows' | 'flowsOf' | 'declared' | 'stopping' | 'clock'> {
  readonly authenticate: Authenticate
  readonly limits: FlowApiLimits
  /** Undefined for a flow API without the document and its page. */
  readonly document: CreateDocument | undefined
  /** Adds the pages of the links in notifications. */
  readonly decisions?: Pick<DecisionParts, 'client' | 'keys'> | undefined
  readonly readiness: Pick<Readiness, 'missing'>
  /** Aborted when a stop closes the connections that are left. */
  readonly forced: AbortSignal
  readonly log: Logger
  readonly observer?: Pick<Observer, 'flowApiAnswered' | 'flowApiStreams'> | undefined
}

/** Connections at the same time. Further ones are closed. */
const maxConnections = 2_000

/** Bytes of the headers, with the path and its query: a condition of 2,000 characters in percent-encoding, and a token. */
const maxHeaderSize = 32 * 1_024

/** A case number of 60 characters in percent-encoding. */
const maxParamLength = 1_000

/** The HTTP application of the flow API. Its limits leave the receiver of callbacks its share of the process. */
export function createFlowApi(parts: FlowApiParts): FastifyInstance {
  const { authenticate, limits, readiness, log, observer, stopping, forced } = parts
  const requests = createConcurrencyLimit('requests in progress', limits.requests, limits.allRequests)
  const streams = createConcurrencyLimit('open event streams', limits.streams, limits.allStreams)
  const takeRate = createRate(limits)
  const arrival = limitArrival(limits.arrival)
  const clientErrors: ClientErrors = {
    type: problemType,
    toBody: (message, status, requestId) => toProblem('InvalidRequest', message, status, requestId),
    maxHeaderSize,
    arrivalTimeout: limits.arrival,
  }
  const app = fastify({
    bodyLimit: limits.body,
    ...arrival,
    http: { ...arrival.http, maxHeaderSize, requireHostHeader: false },
    routerOptions: { maxParamLength },
    exposeHeadRoutes: false,
    genReqId: readRequestId,
    return503OnClosing: false,
    clientErrorHandler: (error, socket) =>
      sendClientError(error, socket, clientErrors, line => log.info(line, 'request')),
    frameworkErrors(error, request, reply) {
      begin(request, reply)
      sendError(error, request, reply)
    },
  })
  app.server.maxConnections = maxConnections
  // The onRequest hook below refuses unknown expectations, and a request without Host.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  parseBodies(app)
  const allowedMethods = collectMethods(app)

  function begin(request: FastifyRequest, reply: FastifyReply): void {
    request.flowApi = { startedAt: performance.now(), ends: [], isOver: false }
    // Also for a caller that breaks off, for which Fastify runs no onResponse hook.
    reply.raw.once('close', () => end(request, reply))
    reply.headers({ ...commonHeaders, [requestIdHeader]: request.id })
  }

  function end(request: FastifyRequest, reply: FastifyReply): void {
    const status = settleStatus(request, reply, forced.aborted)
    const { operation, errorCode, ends } = request.flowApi
    request.flowApi.isOver = true
    for (const finish of ends) finish()
    endSpan(request.flowApi, status)
    observer?.flowApiStreams(streams.total)
    if (operation !== undefined) observer?.flowApiAnswered(operation, errorCode ?? 'ok', elapsedOf(request.flowApi))
    logRequest(log, request, status)
  }

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
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

  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply)
    const fault = findHeaderFault(request.raw)
    if (fault !== undefined) throw new FlowApiError('InvalidRequest', fault.message, fault)
    // Before the body is read, whose type may be unknown too.
    if (request.is404) rejectNotFound(request, reply, allowedMethods, FlowApiError)
    checkEncoding(request, reply, FlowApiError)
    if (stopping.aborted && !isHealthRoute(request.routeOptions.url))
      throw new FlowApiError('Unavailable', 'The gateway is stopping.')
    done()
  })
  app.register(underPressure, {
    maxEventLoopDelay: limits.eventLoopDelay,
    async pressureHandler({ routeOptions }) {
      if (isHealthRoute(routeOptions.url)) return
      throw new FlowApiError('Unavailable', 'The gateway is overloaded; try again.')
    },
  })
  app.addHook('onSend', async (_request, reply) => {
    limitStall(reply, limits.stall)
    if (stopping.aborted) reply.header('connection', 'close')
  })
  if (tracing !== undefined) traceRequests(app, tracing)
  app.setErrorHandler(sendError)

  app.get(healthPaths.live, async () => ({ live: true }))
  app.get(healthPaths.ready, async (_request, reply) => {
    const body = toReadiness(readiness.missing().filter(({ name }) => name !== 'registration'))
    return reply.code(body.ready ? 200 : 503).send(body)
  })
  const { document, decisions, clock } = parts
  if (document !== undefined) apiDocsRoutes(app, document)
  if (decisions !== undefined) app.register(scope => decisionRoutes(scope, { ...decisions, clock, log }))
  app.register(async scope =>
    flowRoutes(scope, {
      ...parts,
      streams,
      semaphore: createSemaphore(limits.lists, limits.allLists),
      async authorize(request, scopeName) {
        const caller = await authenticate(request.headers.authorization)
        takeRate(caller)
        if (!caller.scopes.has(scopeName)) {
          throw new FlowApiError('Forbidden', `The access token lacks the scope ${scopeName}.`)
        }
        atEnd(request.flowApi, requests.begin(caller))
        return caller
      },
    }),
  )
  return app
}
