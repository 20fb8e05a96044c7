import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isCaseNo } from '#flows'
import { endId, followFlow } from './events.ts'
import type { ConcurrencyLimit } from './limits.ts'
import type { Flows } from './operations.ts'
import { FlowApiError, sendResult, unknownCase } from './problem.ts'
import { onRequestEnd } from './requestLog.ts'
import type { FlowApiLimits } from './settings.ts'
import type { Authenticate } from './tokens/authenticate.ts'

export interface WatchParts {
  readonly flows: Flows
  readonly streams: ConcurrencyLimit
  readonly stopping: AbortSignal
  readonly authenticate: Authenticate
  readonly limits: Pick<FlowApiLimits, 'confirmation'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Longer timers than 24 days overflow. Milliseconds. */
const maxLife = 24 * 86_400_000

/** Streams the events of a flow until it has ended, the token expires or is revoked, or the caller goes. */
export async function watchFlow(
  { flows, streams, stopping, authenticate, limits, clock }: WatchParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { key = '' } = request.params as { readonly key?: string }
  if (!isCaseNo(key)) return sendResult(reply, unknownCase(key))
  const { 'last-event-id': lastId } = request.headers
  const after = typeof lastId === 'string' && lastId !== '' ? lastId : undefined
  // The only status that keeps a browser from connecting again.
  if (after === endId) return reply.code(204).send()
  const { caller } = request.flowApi
  if (caller === undefined) throw new FlowApiError('Unauthorized', 'An access token is required.')
  onRequestEnd(request.flowApi, streams.begin(caller))
  const gone = new AbortController()
  const expired = setTimeout(() => gone.abort(), Math.min(caller.expiresAt - clock(), maxLife)).unref()
  const { ip } = request
  const { authorization } = request.headers
  const checks = setInterval(async () => {
    try {
      await authenticate(authorization, ip)
    } catch {
      // The caller connects again, and receives the reason.
      gone.abort()
    }
  }, limits.confirmation.fresh).unref()
  onRequestEnd(request.flowApi, () => {
    clearTimeout(expired)
    clearInterval(checks)
    gone.abort()
  })
  const signal = AbortSignal.any([gone.signal, stopping])
  const { refusal, chunks } = await followFlow(flows, key, { after, signal })
  if (refusal !== undefined) return sendResult(reply, refusal)
  const events = Readable.from(chunks())
  return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(events)
}
