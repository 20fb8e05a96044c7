import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type CallbackAddress, type CallbackProbe, resendRequest, sandboxPaths, succeeded } from '#contract'
import { type Caller, missingToken, type VerifyBearer } from '../auth/index.ts'
import { type Outbox, resendCallbacks } from '../outbox/index.ts'
import type { Traffic } from '../sandbox/index.ts'
import type { Store } from '../store/index.ts'
import type { Authenticate } from './admission.ts'
import { parseJson, validate } from './parseRequest.ts'
import { createSendRecent } from './recentLines.ts'

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

/** The traffic of the caller's own tenant, in staging only. */
export function sandboxRoutes(app: FastifyInstance, parts: SandboxRouteParts): void {
  const { traffic, store, authenticate, wake, probe, clock } = parts
  const send = createSendRecent(parts)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))

  async function readAddress({ tenantId }: Caller): Promise<string | null> {
    const tenant = store.selectFrom('tenants').select('callback_url').where('tenant_id', '=', tenantId)
    return (await tenant.executeTakeFirst())?.callback_url ?? null
  }

  app.get(sandboxPaths.requests, {
    onRequest: authenticate('recentRequests'),
    async handler(request, reply) {
      const { tenantId } = requireCaller(request)
      return send(request, reply, { tenantId, recent: traffic.requests })
    },
  })

  app.get(sandboxPaths.callbacks, {
    onRequest: authenticate('recentCallbacks'),
    async handler(request, reply) {
      const caller = requireCaller(request)
      const address: CallbackAddress = { callbackUrl: await readAddress(caller) }
      return send(request, reply, { tenantId: caller.tenantId, recent: traffic.callbacks, head: [address] })
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
      const { since, messageId, ...selection } = validate(resendRequest, parseJson(request.body, 'The body'))
      const kept = traffic.callbacks.list(tenantId).find(callback => callback.messageId === messageId)
      const filter = {
        ...selection,
        tenantId,
        ...(since !== undefined && { since: Date.parse(since) }),
        ...(kept === undefined ? { messageId } : { shipmentUid: kept.shipmentUid }),
      }
      const resent = await resendCallbacks(store, clock, filter)
      wake(tenantId)
      return { resent, ...succeeded }
    },
  })
}

function requireCaller({ context }: FastifyRequest): Caller {
  if (context.caller === undefined) throw missingToken()
  return context.caller
}
