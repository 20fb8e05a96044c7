import underPressure from '@fastify/under-pressure'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Logger } from 'pino'
import {
  commonHeaders,
  failed,
  type OperationName,
  operations,
  type UidSignatureScheme,
  type UploadName,
} from '#contract'
import {
  checkEncoding,
  collectMethods,
  findHeaderFault,
  limitArrival,
  type Malformed,
  readRequestId,
  rejectNotFound,
  requestIdHeader,
  sendClientError,
} from '#http'
import { tracing } from '#telemetry'
import type { SigningKeys, TokenEndpoint, VerifyBearer } from '../auth/index.ts'
import type { Secrets } from '../encryption/index.ts'
import type { AdapterHealth, DoorReports, EventRate, HardwareAdapter, OpenDoor } from '../hardware/index.ts'
import type { Observer } from '../observer.ts'
import { OperationError } from '../operationError.ts'
import type { Handlers } from '../operations/handler.ts'
import type { Outbox } from '../outbox/index.ts'
import type { RetentionTimes } from '../retention/index.ts'
import type { Traffic } from '../sandbox/index.ts'
import { longestWait, type Store } from '../store/index.ts'
import type { UploadLimits } from '../suggestions/index.ts'
import { type TrustProxy, toFastifyTrust } from '../trustProxy.ts'
import { createAuthenticate, createShares } from './admission.ts'
import { apiDocsRoutes } from './apiDocs.ts'
import { createBodyRate } from './bodyRate.ts'
import { drainRequest } from './drain.ts'
import { sendFailure, sendHeaderFault, serviceStopping } from './failures.ts'
import { hardwareRoutes } from './hardwareRoutes.ts'
import { healthRoutes } from './health.ts'
import { operationRoutes } from './operationRoutes.ts'
import { createRates } from './rateLimit.ts'
import { isHealthRoute, logRequest } from './requestLog.ts'
import { jsonType } from './result.ts'
import { createRunOperation } from './runOperation.ts'
import { sandboxRoutes } from './sandboxRoutes.ts'
import { createShed } from './shedding.ts'
import { tokenRoutes } from './tokenRoutes.ts'
import { type TrustedTraces, traceRequests } from './traceRequests.ts'
import { createUnread } from './unread.ts'
import { uploadRoutes } from './uploadRoutes.ts'

export interface ServerParts {
  /** Maximum number of connections to PostgreSQL. Tenants share as many operations at once. */
  readonly connections: number
  readonly environment: 'staging' | 'production'
  readonly store: Store
  readonly secrets: Secrets
  readonly handlers: Handlers
  readonly keys: SigningKeys
  readonly verifyBearer: VerifyBearer
  readonly tokenEndpoint: TokenEndpoint
  readonly hasPublicSecrets: boolean
  /** The public address of the service, known only when it listens. */
  readonly address: () => string
  /** Aborted when the service begins to stop. New requests are rejected from then on. */
  readonly stopping: AbortSignal
  /** Called after every commit that may have enqueued callbacks of a tenant. */
  readonly wake: (tenantId: string) => void
  /** Reserves the delivery of a callback that is about to be enqueued. */
  readonly reserve: Outbox['reserve']
  /** Asks whether the address of a tenant can be reached. */
  readonly probe: Outbox['probe']
  /** Concurrent bookings share a commit on PostgreSQL. */
  readonly batchBookings: boolean
  readonly allowPrivateNetworks: boolean
  /** Serves the reference page and the OpenAPI document. */
  readonly apiDocs: boolean
  /** The service's own signature of callbacks, which the document describes. */
  readonly uidSignatureScheme: UidSignatureScheme
  readonly openDoor: OpenDoor
  readonly hardwareAdapters: readonly HardwareAdapter[]
  readonly hardwareEventRate: EventRate
  /** Absent without adapters. */
  readonly doorReports: DoorReports | undefined
  readonly adapterHealth: Pick<AdapterHealth, 'missing'>
  /** The longest wait for a locker whose door is being opened, in milliseconds. */
  readonly lockTimeout: number
  /** Milliseconds. */
  readonly unlockTimeout: number
  readonly trustProxy: TrustProxy
  readonly trustedTraces: TrustedTraces
  /** Requests per second and API client; 0 is no limit. */
  readonly rateLimit: number
  /** Bytes. */
  readonly bodyLimit: number
  /** Milliseconds within which a request must arrive completely. */
  readonly requestTimeout: number
  /** Bytes of bodies per second and tenant; 0 is no limit. */
  readonly bodyRate: number
  /** Mean delay of the event loop in a second, in milliseconds, past which requests are rejected; 0 is no limit. */
  readonly maxEventLoopDelay: number
  /** The longest wait for a connection to the store, in milliseconds, past which requests are rejected; 0 is no limit. */
  readonly maxStoreWait: number
  /** Bytes of responses that the callers of a tenant may leave unread, past which its requests are rejected. */
  readonly maxUnread: number
  readonly uploadLimits: UploadLimits
  readonly retention: RetentionTimes
  readonly clock: () => number
  readonly log: Logger
  /** Undefined without metrics. */
  readonly observer?: Observer | undefined
  /** In staging, if its setting is on. */
  readonly traffic?: Traffic | undefined
}

export type Server = FastifyInstance

/** Browsers that have seen it use https for a year. Sent only where callers reach the service by https (D-165). */
const strictTransport = { 'strict-transport-security': 'max-age=31536000' } as const

const malformed: Malformed = {
  type: jsonType,
  toBody: () => failed('InvalidRequest', 'Malformed HTTP request.'),
}

/** Creates the HTTP application with a route for each operation that has a handler in this environment. */
export function createServer(parts: ServerParts): Server {
  const { environment, store, handlers, verifyBearer, rateLimit: perSecond, clock, log, stopping, address } = parts
  const setHeaders = ({ id }: FastifyRequest, reply: FastifyReply) => {
    reply.headers(commonHeaders).header(requestIdHeader, id)
    if (environment === 'production' && address().startsWith('https:')) reply.headers(strictTransport)
  }
  const { maxEventLoopDelay, maxStoreWait, traffic } = parts
  const shed = createShed(log)
  const bodyRate = parts.bodyRate > 0 ? createBodyRate(parts.bodyRate) : undefined
  const unread = createUnread(parts.maxUnread)
  const arrival = limitArrival(parts.requestTimeout)
  const app = fastify({
    bodyLimit: parts.bodyLimit,
    ...arrival,
    trustProxy: toFastifyTrust(parts.trustProxy),
    // The onRequest hook below refuses a request without Host.
    http: { ...arrival.http, requireHostHeader: false },
    genReqId: readRequestId,
    // The onRequest hook below responds in the service's own shape before the connection closes.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => sendClientError(error, socket, malformed, log),
    frameworkErrors(error, request, reply) {
      request.context = { startedAt: performance.now() }
      setHeaders(request, reply)
      sendFailure(error, request, reply, log)
      // Framework errors skip the onResponse hook.
      logRequest(log, request, reply)
    },
  })
  const allowedMethods = collectMethods(app)
  // The same hook refuses unknown expectations.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, log))
  // Hooks with a callback, since each promise takes a twentieth of the time of a refusal.
  app.addHook('onRequest', (request, reply, done) => {
    request.context = { startedAt: performance.now() }
    setHeaders(request, reply)
    const fault = findHeaderFault(request.raw)
    if (fault !== undefined) return void sendHeaderFault(fault, request, reply)
    if (request.is404) rejectNotFound(request, reply, allowedMethods, OperationError)
    if (!isHealthRoute(request.routeOptions.url)) {
      if (stopping.aborted) throw serviceStopping()
      const storeWait = maxStoreWait > 0 ? longestWait(store) : 0
      if (storeWait > maxStoreWait) shed('storeWait', storeWait)
    }
    done()
  })
  if (maxEventLoopDelay > 0) {
    app.register(underPressure, {
      maxEventLoopDelay,
      async pressureHandler({ routeOptions }, _reply, _type, delay) {
        if (!isHealthRoute(routeOptions.url)) shed('eventLoopDelay', Number(delay))
      },
    })
  }
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
    if (stopping.aborted) reply.header('connection', 'close')
    if (request.raw.complete) return done()
    void drainRequest(request, { stopping: stopping.aborted, bodyRate }).then(isComplete => {
      // The rest of the body would be read as the next request.
      if (!isComplete) reply.header('connection', 'close')
      done()
    })
  })
  if (tracing !== undefined) traceRequests(app, tracing, parts.trustedTraces)
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(log, request, reply)
    if (traffic !== undefined) noteRequest(traffic, request, reply)
    done()
  })
  parts.observer?.observeServer(app)

  const names = servedOperations(handlers, environment)
  const rates = perSecond > 0 ? createRates({ perSecond, store, clock }) : undefined
  app.addHook('onClose', () => rates?.stop())
  app.register(async scope => tokenRoutes(scope, { ...parts, rates, unread }))
  app.register(async scope => healthRoutes(scope, parts))
  const { doorReports, hardwareAdapters: adapters, hardwareEventRate } = parts
  if (doorReports)
    app.register(async scope =>
      hardwareRoutes(scope, { ...parts, adapters, eventRate: hardwareEventRate, doorReports }),
    )
  if (parts.apiDocs) app.register(async scope => apiDocsRoutes(scope, { ...parts, names }))
  const authenticate = createAuthenticate({ verifyBearer, rateLimit: rates?.operations, unread })
  const shares = createShares(parts.connections)
  const runOperation = createRunOperation({
    ...parts,
    runInShare: shares.run,
    sandbox: environment === 'staging',
  })
  const uploads = names.filter(isUpload)
  const others = names.filter(name => !isUpload(name))
  app.register(async scope => operationRoutes(scope, { names: others, authenticate, runOperation }))
  app.register(async scope =>
    uploadRoutes(scope, { ...parts, ...shares, bodyRate, names: uploads, authenticate, runOperation }),
  )
  if (traffic !== undefined && environment === 'staging')
    app.register(async scope => sandboxRoutes(scope, { ...parts, traffic, authenticate }))
  return app
}

/** Requests without a valid token belong to no tenant, and the traffic has none of them. */
function noteRequest(traffic: Traffic, { id, context, body }: FastifyRequest, { statusCode }: FastifyReply): void {
  const { caller, operation, errorCode, startedAt } = context
  if (caller === undefined || operation === undefined || !Object.hasOwn(operations, operation)) return
  const durationMs = Math.round((performance.now() - startedAt) * 10) / 10
  const request = { requestId: id, operation, status: statusCode, errorCode: errorCode ?? null, durationMs, body }
  traffic.noteRequest({ ...caller, ...request })
}

function isUpload(name: OperationName): name is UploadName {
  return 'upload' in operations[name]
}

function servedOperations(handlers: Handlers, environment: ServerParts['environment']): readonly OperationName[] {
  return (Object.keys(operations) as OperationName[]).filter(
    name => handlers[name] !== undefined && (environment === 'staging' || !('stagingOnly' in operations[name])),
  )
}
