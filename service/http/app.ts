import { type FastifyInstance, fastify } from 'fastify'
import type { Logger } from 'pino'
import { healthPaths, type OperationName, operations, type UploadName, type WeakScheme } from '#contract'
import { createDoors, type Hardware } from '../hardware/index.ts'
import { Refusal } from '../operations/call.ts'
import type { SigningKeys, TokenCheck, TokenEndpoint } from '../signIn/index.ts'
import type { Store } from '../store/index.ts'
import type { UploadLimits } from '../suggestions/index.ts'
import { createAdmission } from './admission.ts'
import { answerClientError } from './clientError.ts'
import { documentRoute } from './document.ts'
import { sendFailure } from './failures.ts'
import { healthRoutes } from './health.ts'
import { operationRoutes } from './operationRoutes.ts'
import { createPathCheck } from './paths.ts'
import { createPerform, type Handlers } from './perform.ts'
import { createRateLimit } from './rateLimit.ts'
import { referenceRoutes } from './referenceRoutes.ts'
import { requestIdHeader, requestIdOf } from './requestId.ts'
import { logRequest } from './requestLog.ts'
import { signInRoutes } from './signInRoutes.ts'
import { uploadRoutes } from './uploadRoutes.ts'

export interface ServerParts {
  readonly environment: 'staging' | 'production'
  readonly store: Store
  readonly handlers: Handlers
  readonly keys: SigningKeys
  readonly check: TokenCheck
  readonly endpoint: TokenEndpoint
  /** The public address of the service, known only when it listens. */
  readonly address: () => string
  /** Whether new requests are turned away. */
  readonly stopping: () => boolean
  /** Called after every commit that may have queued callbacks. */
  readonly wake: () => void
  readonly privateCallbacks: boolean
  /** The service's own signature of callbacks, which the document describes. */
  readonly weakScheme: WeakScheme
  readonly hardware: Hardware
  /** Milliseconds. */
  readonly unlockTimeout: number
  /** Requests per second and API client; 0 is no limit. */
  readonly rateLimit: number
  /** Bytes. */
  readonly bodyLimit: number
  readonly uploadLimits: UploadLimits
  readonly clock: () => number
  readonly log: Logger
}

export type Server = FastifyInstance

/** The HTTP application: the routes of whatever has a handler and exists in this environment. */
export function createServer(parts: ServerParts): Server {
  const { environment, handlers, check, rateLimit, clock, log, stopping } = parts
  const app = fastify({
    bodyLimit: parts.bodyLimit,
    requestTimeout: 60_000,
    genReqId: ({ headers }) => requestIdOf(headers),
    // Ours answers in the service's own shape, and says so before the connection is closed.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, log),
    frameworkErrors(error, request, reply) {
      request.facts = { started: performance.now() }
      reply.header(requestIdHeader, request.id)
      sendFailure(error, request, reply, log)
      // These never reach a hook.
      logRequest(log, request, reply)
    },
  })
  const pathCheck = createPathCheck(app)
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, log))
  app.addHook('onRequest', async (request, reply) => {
    request.facts = { started: performance.now() }
    reply.header(requestIdHeader, request.id)
    if (request.is404) {
      const { refusal, allow } = pathCheck(request)
      if (allow !== undefined) reply.header('allow', allow)
      throw refusal
    }
    const probe = Object.values<string>(healthPaths).includes(request.routeOptions.url ?? '')
    if (stopping() && !probe) throw new Refusal('Unavailable', 'The service is stopping.')
  })
  app.addHook('onSend', async (_request, reply) => {
    if (stopping()) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => logRequest(log, request, reply))

  const names = served(handlers, environment)
  app.register(async scope => signInRoutes(scope, parts))
  app.register(async scope => healthRoutes(scope, parts))
  app.register(async scope => documentRoute(scope, { ...parts, names }))
  app.register(async scope => referenceRoutes(scope))
  const admission = createAdmission({ check, rateLimit: createRateLimit(rateLimit, clock) })
  const perform = createPerform({ ...parts, openDoor: createDoors(parts), sandbox: environment === 'staging' })
  const uploads = names.filter(isUpload)
  const others = names.filter(name => !isUpload(name))
  app.register(async scope => operationRoutes(scope, { names: others, admission, perform }))
  app.register(async scope => uploadRoutes(scope, { ...parts, names: uploads, admission, perform }))
  return app
}

function isUpload(name: OperationName): name is UploadName {
  return 'upload' in operations[name]
}

function served(handlers: Handlers, environment: ServerParts['environment']): readonly OperationName[] {
  return (Object.keys(operations) as OperationName[]).filter(
    name => handlers[name] !== undefined && (environment === 'staging' || !('stagingOnly' in operations[name])),
  )
}
