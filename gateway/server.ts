import type { IncomingMessage } from 'node:http'
import { type FastifyInstance, fastify } from 'fastify'
import type { Logger } from 'pino'
import { type Aside, createAside } from './aside.ts'
import { noBody, type RawBody, readBody } from './body.ts'
import type { Flows } from './flows.ts'
import { type Counts, noCounts, outcomes, retryAfter } from './outcomes.ts'
import type { Readiness } from './readiness.ts'
import { receive } from './receive.ts'
import type { Verification } from './verify.ts'

export interface ServerParts {
  readonly verification: Verification
  readonly flows: Flows
  readonly readiness: Readiness
  readonly log: Logger
  readonly stopping: AbortSignal
}

export interface Server {
  readonly app: FastifyInstance
  readonly counts: Counts
  aside(): readonly Aside[]
}

/** The HTTP application: callbacks in, and two questions about health. */
export function createServer({ verification, flows, readiness, log, stopping }: ServerParts): Server {
  const counts = noCounts()
  const aside = createAside()
  const app = fastify({
    requestTimeout: 15_000,
    // What still comes over open connections during a stop is signalled like everything else.
    return503OnClosing: false,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (_request: unknown, payload: IncomingMessage) => readBody(payload))
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close')
  })

  app.post<{ Body: RawBody | undefined }>('/callbacks', async (request, reply) => {
    const received = await receive(verification, flows, request.headers, request.body ?? noBody)
    const { outcome, why } = received
    const { status, level } = outcomes[outcome]
    counts[outcome]++
    if (received.aside !== undefined) aside.keep(received.aside)
    if (outcome === 'away') {
      readiness.temporalAway()
      reply.header('retry-after', retryAfter)
    }
    if (outcome === 'signalled' || outcome === 'noFlow') readiness.temporalUp()
    const { caseNo, shipmentUid } = received
    log[level]({ outcome, case: caseNo, shipmentUid, ...received.aside, why, ms: Math.round(reply.elapsedTime) })
    // The reason is for our log: whoever forges callbacks learns nothing.
    return status === 204 ? reply.code(status).send() : reply.code(status).send({ outcome })
  })
  app.get('/health/live', async () => ({ live: true }))
  app.get('/health/ready', async (_request, reply) => {
    const ready = readiness.isReady()
    return reply.code(ready ? 200 : 503).send({ ready, ...readiness.state })
  })
  return { app, counts, aside: aside.list }
}
