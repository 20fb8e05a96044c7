import { type FastifyInstance, fastify } from 'fastify'
import { healthPaths, toReadiness } from '#contract'
import {
  type ApiDocs,
  apiDocsRoutes,
  type ClientErrors,
  limitArrival,
  readRequestId,
  rejectConnect,
  sendClientError,
} from '#platform/http'
import { createSemaphore } from '#platform/limits'
import { type TrustProxy, toFastifyTrust } from '#platform/settings'
import { type DecisionParts, decisionRoutes } from '../decisions/index.ts'
import type { Readiness } from '../readiness.ts'
import { parseBodies } from './bodies.ts'
import { createConcurrencyLimit, createRateCheck } from './limits.ts'
import { FlowApiError, problemType, toProblem } from './problem.ts'
import { addRequestHooks, beginRequest, type RequestHookParts, sendError } from './requestHooks.ts'
import { onRequestEnd } from './requestLog.ts'
import { flowRoutes, type RouteParts } from './routes.ts'
import type { FlowApiLimits } from './settings.ts'
import type { Authenticate } from './tokens/authenticate.ts'

export interface FlowApiParts
  extends Pick<RouteParts, 'flows' | 'flowsOf' | 'declared' | 'client' | 'clock'>,
    Pick<RequestHookParts, 'stopping' | 'forced' | 'log' | 'observer'> {
  readonly authenticate: Authenticate
  readonly trustProxy: TrustProxy
  readonly limits: FlowApiLimits
  /** Undefined for a flow API without the document and its page. */
  readonly createDocument: ApiDocs['createDocument'] | undefined
  /** Adds the pages of the links in notifications. */
  readonly decisions?: Pick<DecisionParts, 'client' | 'keys'> | undefined
  readonly readiness: Pick<Readiness, 'missing'>
}

/** Connections at the same time. Further ones are closed. */
const maxConnections = 2_000

/** Bytes of the headers, with the path and its query: a condition of 2,000 characters in percent-encoding, and a token. */
const maxHeaderSize = 32 * 1_024

/** A case number of 60 characters in percent-encoding. */
const maxParamLength = 1_000

const docs = { title: 'lockerflow flows', authentication: { preferredSecurityScheme: 'token' } }

/** The HTTP application of the flow API. Its limits leave the receiver of callbacks its share of the process. */
export function createFlowApi(parts: FlowApiParts): FastifyInstance {
  const { authenticate, trustProxy, limits, readiness, log } = parts
  const requests = createConcurrencyLimit('requests in progress', limits.requests, limits.allRequests)
  const streams = createConcurrencyLimit('open event streams', limits.streams, limits.allStreams)
  const takeRate = createRateCheck(limits)
  const hookParts = { ...parts, streams }
  const arrival = limitArrival(limits.arrival)
  const clientErrors: ClientErrors = {
    type: problemType,
    toBody: (message, status, requestId) => toProblem('InvalidRequest', message, status, requestId),
    maxHeaderSize,
    arrivalTimeout: limits.arrival,
  }
  const note = (line: object) => log.info(line, 'request')
  const app = fastify({
    bodyLimit: limits.body,
    ...arrival,
    http: { ...arrival.http, maxHeaderSize, requireHostHeader: false },
    routerOptions: { maxParamLength },
    exposeHeadRoutes: false,
    trustProxy: toFastifyTrust(trustProxy),
    genReqId: readRequestId,
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => sendClientError(error, socket, clientErrors, note),
    frameworkErrors(error, request, reply) {
      beginRequest(hookParts, request, reply)
      sendError(log, error, request, reply)
    },
  })
  app.server.maxConnections = maxConnections
  // The onRequest hook refuses unknown expectations, and a request without Host.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  rejectConnect(app.server, clientErrors, note)
  parseBodies(app)
  addRequestHooks(app, hookParts)
  app.get(healthPaths.live, async () => ({ live: true }))
  app.get(healthPaths.ready, async (_request, reply) => {
    const body = toReadiness(readiness.missing().filter(({ name }) => name !== 'registration'))
    return reply.code(body.ready ? 200 : 503).send(body)
  })
  const { createDocument, decisions, clock } = parts
  if (createDocument !== undefined) apiDocsRoutes(app, { ...docs, createDocument })
  if (decisions !== undefined) app.register(scope => decisionRoutes(scope, { ...decisions, clock, log }))
  app.register(async scope =>
    flowRoutes(scope, {
      ...parts,
      streams,
      semaphore: createSemaphore({ perKey: limits.lists, total: limits.allLists }),
      lingering: limits.lingering,
      async authorize(request, scopeName) {
        const caller = await authenticate(request.headers.authorization, request.ip)
        takeRate(caller)
        if (!caller.scopes.has(scopeName)) {
          throw new FlowApiError('Forbidden', `The access token lacks the scope ${scopeName}.`)
        }
        onRequestEnd(request.flowApi, requests.begin(caller))
        return caller
      },
    }),
  )
  return app
}
