import type { IncomingMessage } from 'node:http'
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import type { Logger } from 'pino'
import { healthPaths, toReadiness } from '#contract'
import { createListenerErrors } from '#platform/http'
import { createBodyReader } from './body.ts'
import { createCallbackLog } from './callbackLog.ts'
import type { LimitedSignal } from './limitedSignals.ts'
import type { Observer } from './observer.ts'
import { type Counts, createCounts, createRejectedCallbacks, outcomes, type RejectedCallback } from './outcomes.ts'
import type { Readiness } from './readiness.ts'
import { type Received, receive } from './receive.ts'
import type { Verification } from './verify.ts'

export interface GatewayServerParts {
  readonly verification: Verification
  readonly signal: LimitedSignal
  readonly readiness: Readiness
  readonly log: Logger
  readonly stopping: AbortSignal
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Milliseconds within which a request must arrive completely. */
  readonly arrivalTimeout?: number
  readonly observer?: Pick<Observer, 'received'> | undefined
}

export interface GatewayServer {
  readonly app: FastifyInstance
  readonly counts: Counts
  rejected(): readonly RejectedCallback[]
}

/** A body that was not read is discarded up to this length, so that its sender sees the response. Bytes. */
const maxDiscarded = 1024 * 1024

const defaultArrivalTimeout = 15_000

/** The HTTP application: `POST /callbacks` and the two health endpoints. Any other request is refused as a stray one. */
export function createGatewayServer(serverParts: GatewayServerParts): GatewayServer {
  const {
    verification,
    signal,
    readiness,
    log,
    stopping,
    clock,
    observer,
    arrivalTimeout = defaultArrivalTimeout,
  } = serverParts
  const counts = createCounts()
  const rejected = createRejectedCallbacks()
  const logCallback = createCallbackLog(log)
  const parts = { verification, clock, readBody: createBodyReader(), signal }
  const listenerErrors = createListenerErrors({
    name: 'gateway',
    log,
    arrivalTimeout,
    logDefect: (err, requestId) => log.error({ logId: 'callback-failed', requestId, err }, 'callback not processed'),
  })
  const app = fastify({
    ...listenerErrors.options,
    // Callbacks that arrive over open connections during a stop are still signalled.
    return503OnClosing: false,
  })
  listenerErrors.addTo(app)
  app.removeAllContentTypeParsers()
  // `receive` reads the body, after it has checked the headers.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close')
  })

  /** @param startedAt when the callback arrived, by `performance.now()` */
  function record(received: Received, startedAt: number): void {
    const elapsedMs = performance.now() - startedAt
    const { outcome, rejected: listed } = received
    counts[outcome]++
    observer?.received(outcome, elapsedMs)
    if (listed !== undefined) rejected.add(listed)
    if (outcome === 'unavailable') readiness.temporalUnavailable(startedAt)
    if (outcome === 'signalled' || outcome === 'noFlow') readiness.temporalAvailable()
    logCallback(received, elapsedMs)
  }

  // Fastify refuses a malformed content type, which the signature does not cover, and the sender would retry its callback.
  const ignoreType = async ({ raw }: FastifyRequest) => {
    delete raw.headers['content-type']
  }
  app.post('/callbacks', { onRequest: ignoreType }, async ({ raw, headers }, reply) => {
    // Fastify's `elapsedTime` is 0 without its own log.
    const startedAt = performance.now()
    const received = await receive(parts, headers, raw)
    record(received, startedAt)
    const { outcome, retryAfter } = received
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    if (!raw.complete && !isShort(raw)) reply.header('connection', 'close')
    const { status } = outcomes[outcome]
    // The response leaves the reason out: it would help a forger.
    return status === 204 ? reply.code(status).send() : reply.code(status).send({ outcome })
  })
  app.get(healthPaths.live, async () => ({ live: true }))
  app.get(healthPaths.ready, async (_request, reply) => {
    const body = toReadiness(readiness.missing())
    return reply.code(body.ready ? 200 : 503).send({ ...body, ...readiness.state })
  })
  return { app, counts, rejected: rejected.list }
}

function isShort({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length']) <= maxDiscarded
}
