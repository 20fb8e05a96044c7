import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import {
  beginWebhookCheck,
  doorEvent,
  eventPath,
  maxMessageBytes,
  succeeded,
  type WebhookSignatureCheck,
} from '#contract'
import { createRateLimiter } from '#platform/limits'
import { createLogThrottle } from '#platform/logs'
import type { DoorReports, EventRate, HardwareAdapter } from '../hardware/index.ts'
import { OperationError } from '../operationError.ts'
import { parseJson, validate } from './parseRequest.ts'

export interface HardwareRouteParts {
  readonly adapters: readonly HardwareAdapter[]
  readonly doorReports: DoorReports
  readonly eventRate: EventRate
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: Pick<Logger, 'warn'>
}

/** A request whose headers are in order, before its body is read. */
interface Begun {
  readonly adapter: HardwareAdapter | undefined
  readonly check: WebhookSignatureCheck
}

/**
 * The events of hardware adapters, without a token: headers, signature over the raw bytes, limit of the adapter, body,
 * record. The limits of API clients do not count them.
 */
export function hardwareRoutes(app: FastifyInstance, parts: HardwareRouteParts): void {
  const { adapters, doorReports, eventRate, clock, log } = parts
  const begun = new WeakMap<FastifyRequest, Begun>()
  const limiter = createRateLimiter({ burst: eventRate.burst, interval: 1_000 / eventRate.perSecond })
  const throttled = createLogThrottle()
  // An unknown adapter takes as long as a known one, and has the same response.
  const noKeys = [randomBytes(32).toString('hex')]
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: maxMessageBytes },
    (_request, bytes, done) => done(null, bytes),
  )

  function reject(adapter: HardwareAdapter | undefined, reason: string): never {
    const line = { adapter: adapter?.name, reason }
    throttled(reason, suppressed =>
      log.warn({ logId: 'hardware-event-rejected', ...line, suppressed }, 'hardware event rejected'),
    )
    throw new OperationError('Unauthorized', 'The signature of the event or its timestamp is invalid.')
  }

  function begin(request: FastifyRequest<{ Params: { adapter?: string } }>): void {
    request.context.operation = 'hardwareEvent'
    const adapter = adapters.find(({ name }) => name === request.params.adapter)
    const check = beginWebhookCheck(adapter?.keys ?? noKeys, request.headers, Math.floor(clock() / 1_000))
    if (typeof check === 'string') reject(adapter, check)
    begun.set(request, { adapter, check })
  }

  for (const path of [eventPath, `${eventPath}/:adapter`]) {
    app.post<{ Params: { adapter?: string } }>(path, {
      async onRequest(request, reply) {
        // The challenge of RFC 9110 for a 401; the service's own says Bearer.
        reply.header('www-authenticate', 'Webhook-Signature realm="lockerflow"')
        begin(request)
      },
      async handler(request, reply) {
        const { adapter, check } = begun.get(request) as Begun
        if (Buffer.isBuffer(request.body)) check.update(request.body)
        const fault = check.fault()
        if (fault !== undefined || adapter === undefined) return reject(adapter, fault ?? 'unknown adapter')
        reply.removeHeader('www-authenticate')
        const wait = limiter.take(adapter.name ?? '')
        if (wait > 0) {
          const retryAfter = Math.ceil(wait / 1_000)
          throw new OperationError('RateLimited', 'Too many events; send them later.', { retryAfter })
        }
        const event = validate(doorEvent, parseJson(request.body, 'The body'))
        const isOwn = adapter.pickUpPoints?.includes(event.pupUid) ?? !isNamedElsewhere(event.pupUid)
        const outcome = isOwn ? await doorReports.receive(adapter, event) : 'unknownLocker'
        if (outcome === 'unknownLocker') throw new OperationError('InvalidLocker', 'This adapter has no such locker.')
        return succeeded
      },
    })
  }

  function isNamedElsewhere(pupUid: string): boolean {
    return adapters.some(({ pickUpPoints }) => pickUpPoints?.includes(pupUid))
  }
}
