import type { IncomingMessage } from 'node:http'
import { type FastifyInstance, fastify } from 'fastify'
import type { Logger } from 'pino'
import { noBody, type RawBody, readBody } from './body.ts'
import {
  type Counts,
  createRejectedCallbacks,
  noCounts,
  outcomes,
  type RejectedCallback,
  retryAfter,
} from './outcomes.ts'
import type { Readiness } from './readiness.ts'
import { receive } from './receive.ts'
import type { Signaller } from './signaller.ts'
import type { Verification } from './verify.ts'

export interface ServerParts {
  readonly verification: Verification
  readonly signaller: Signaller
  readonly readiness: Readiness
  readonly log: Logger
  readonly stopping: AbortSignal
}

export interface Server {
  readonly app: FastifyInstance
  readonly counts: Counts
  rejected(): readonly RejectedCallback[]
}

/** The HTTP application: `POST /callbacks` and the two health endpoints. */
export function createServer({ verification, signaller, readiness, log, stopping }: ServerParts): Server {
  const counts = noCounts()
  const rejected = createRejectedCallbacks()
  const app = fastify({
    requestTimeout: 15_000,
    // Callbacks that arrive over open connections during a stop are still signalled.
    return503OnClosing: false,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (_request: unknown, payload: IncomingMessage) => readBody(payload))
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close')
  })

  app.post<{ Body: RawBody | undefined }>('/callbacks', async (request, reply) => {
    const received = await receive(verification, signaller, request.headers, request.body ?? noBody)
    const { outcome, reason, caseNo, shipmentUid } = received
    const { status, level } = outcomes[outcome]
    counts[outcome]++
    if (received.rejected !== undefined) rejected.add(received.rejected)
    if (outcome === 'unavailable') {
      readiness.temporalUnavailable()
      reply.header('retry-after', retryAfter)
    }
    if (outcome === 'signalled' || outcome === 'noFlow') readiness.temporalAvailable()
    const durationMs = Math.round(reply.elapsedTime)
    log[level]({ outcome, caseNo, shipmentUid, ...received.rejected, reason, durationMs }, 'callback received')
    // The response leaves the reason out: it would help a forger.
    return status === 204 ? reply.code(status).send() : reply.code(status).send({ outcome })
  })
  app.get('/health/live', async () => ({ live: true }))
  app.get('/health/ready', async (_request, reply) => {
    const ready = readiness.isReady()
    return reply.code(ready ? 200 : 503).send({ ready, ...readiness.state })
  })
  return { app, counts, rejected: rejected.list }
}
