import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type CallbackAddress,
  type CallbackProbe,
  describeIssue,
  jsonLines,
  recentQuery,
  resendRequest,
  sandboxPaths,
} from '#contract'
import { type Caller, missingToken, type VerifyBearer } from '../auth/index.ts'
import { OperationError } from '../operationError.ts'
import { type Outbox, resendCallbacks } from '../outbox/index.ts'
import type { Recent, Traffic } from '../sandbox/index.ts'
import type { Store } from '../store/index.ts'
import type { Authenticate } from './admission.ts'
import { parseJson } from './parseRequest.ts'

export interface SandboxRouteParts {
  readonly traffic: Traffic
  readonly store: Store
  readonly authenticate: Authenticate
  readonly verifyBearer: VerifyBearer
  readonly stopping: AbortSignal
  readonly clock: () => number
  readonly wake: (tenantId: string) => void
  readonly probe: Outbox['probe']
}

/** Open responses of one tenant. */
const maxFollowers = 8
/** Milliseconds between two blank lines, before each of which the token is checked again. */
const heartbeat = 10_000
/** Bytes that a slow reader may leave unread. */
const maxUnread = 1_048_576

/** The traffic of the caller's own tenant, in staging only (D-265). */
export function sandboxRoutes(app: FastifyInstance, parts: SandboxRouteParts): void {
  const { traffic, store, authenticate, wake, probe, clock } = parts
  const followers = new Map<string, number>()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))

  function send<Entry extends { readonly id: string }>(
    request: FastifyRequest,
    reply: FastifyReply,
    recent: Recent<Entry>,
    head: readonly object[] = [],
  ): FastifyReply {
    const { tenantId } = requireCaller(request)
    const query = recentQuery.safeParse(request.query)
    if (!query.success)
      throw new OperationError('InvalidRequest', 'after and follow must be texts; follow is true or false.')
    const { after, follow } = query.data
    const lines = new Readable({ read: () => undefined })
    for (const line of [...head, ...recent.list(tenantId, after)]) lines.push(toLine(line))
    if (follow === 'true') keepOpen(request, lines, tenantId, recent)
    else lines.push(null)
    return reply.type(jsonLines).header('cache-control', 'no-store').send(lines)
  }

  function keepOpen<Entry extends { readonly id: string }>(
    { headers }: FastifyRequest,
    lines: Readable,
    tenantId: string,
    recent: Recent<Entry>,
  ): void {
    const open = followers.get(tenantId) ?? 0
    if (open >= maxFollowers) {
      throw new OperationError('RateLimited', `A tenant may follow ${maxFollowers} lists at a time.`, {
        retryAfter: 10,
      })
    }
    followers.set(tenantId, open + 1)
    const stop = () => {
      clearInterval(timer)
      unfollow()
      parts.stopping.removeEventListener('abort', end)
    }
    const end = () => {
      stop()
      lines.push(null)
    }
    const unfollow = recent.follow(tenantId, entry => {
      if (lines.readableLength > maxUnread) lines.destroy()
      else lines.push(toLine(entry))
    })
    const timer = setInterval(async () => {
      try {
        await parts.verifyBearer(headers.authorization)
        if (!lines.readableEnded) lines.push('\n')
      } catch {
        // The token has expired or was revoked. The reader returns with a new one.
        end()
      }
    }, heartbeat)
    parts.stopping.addEventListener('abort', end)
    // Sends the headers at once.
    lines.push('\n')
    lines.once('close', () => {
      stop()
      const left = (followers.get(tenantId) ?? 1) - 1
      if (left > 0) followers.set(tenantId, left)
      else followers.delete(tenantId)
    })
  }

  async function readAddress({ tenantId }: Caller): Promise<string | null> {
    const tenant = store.selectFrom('tenants').select('callback_url').where('tenant_id', '=', tenantId)
    return (await tenant.executeTakeFirst())?.callback_url ?? null
  }

  app.get(sandboxPaths.requests, {
    onRequest: authenticate('recentRequests'),
    handler: async (request, reply) => send(request, reply, traffic.requests),
  })

  app.get(sandboxPaths.callbacks, {
    onRequest: authenticate('recentCallbacks'),
    async handler(request, reply) {
      const address: CallbackAddress = { callbackUrl: await readAddress(requireCaller(request)) }
      return send(request, reply, traffic.callbacks, [address])
    },
  })

  app.post(sandboxPaths.probe, {
    onRequest: authenticate('probeCallbacks'),
    async handler(request): Promise<CallbackProbe> {
      const caller = requireCaller(request)
      const callbackUrl = await readAddress(caller)
      if (callbackUrl === null) return { callbackUrl, reachable: false, answer: 'no address' }
      return { callbackUrl, ...(await probe(callbackUrl, caller.tenantId)) }
    },
  })

  app.post(sandboxPaths.resend, {
    onRequest: authenticate('resendCallbacks'),
    async handler(request) {
      const { tenantId } = requireCaller(request)
      const body = parseJson(request.body, 'The body')
      const read = resendRequest.safeParse(body)
      if (!read.success) {
        const problems = read.error.issues.map(issue => describeIssue(issue, body))
        throw new OperationError('InvalidRequest', `${problems.join('; ')}.`)
      }
      const { since, messageId, ...selection } = read.data
      const kept = traffic.callbacks.list(tenantId).find(callback => callback.messageId === messageId)
      const filter = {
        ...selection,
        tenantId,
        ...(since !== undefined && { since: Date.parse(since) }),
        ...(kept === undefined ? { messageId } : { shipmentUid: kept.shipmentUid }),
      }
      const resent = await resendCallbacks(store, clock, filter)
      wake(tenantId)
      return { resent, success: true, error: null, message: null }
    },
  })
}

function requireCaller({ context }: FastifyRequest): Caller {
  if (context.caller === undefined) throw missingToken()
  return context.caller
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`
}
