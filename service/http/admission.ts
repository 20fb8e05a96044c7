import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { OperationName } from '#contract'
import type { Caller, VerifyBearer } from '../auth/index.ts'
import { OperationError } from '../operationError.ts'
import type { RateLimit } from './rateLimit.ts'
import { Overloaded } from './shedding.ts'

/** Returns the `onRequest` hook of an operation, which runs before the body is read. */
export type Authenticate = (name: OperationName) => onRequestHookHandler

export interface AuthenticateParts {
  readonly verifyBearer: VerifyBearer
  /** Undefined without a limit. */
  readonly rateLimit: Pick<RateLimit, 'take'> | undefined
}

/** Checks the access token, then the rate limit. The hook throws Unauthorized, Forbidden or RateLimited. */
export function createAuthenticate({ verifyBearer, rateLimit }: AuthenticateParts): Authenticate {
  function limitRate({ context }: FastifyRequest, caller: Caller): void {
    context.caller = caller
    const retryAfter = rateLimit?.take(caller.clientId) ?? 0
    if (retryAfter > 0) throw new OperationError('RateLimited', 'Too many requests; try again later.', { retryAfter })
  }

  return name => (request, _reply, done) => {
    request.context.operation = name
    const caller = verifyBearer(request.headers.authorization)
    if (caller instanceof Promise)
      return void caller.then(verified => limitRate(request, verified)).then(() => done(), done)
    limitRate(request, caller)
    done()
  }
}

/** Work that runs at once for all tenants together, while several have requests: the connections to PostgreSQL. */
const capacity = 16
/** Work that each tenant may run at once. Fewer would make the commits of one tenant wait for each other. */
const leastShare = 4
/** Requests of a tenant that may wait; more are rejected, since a caller has given up on the last of a longer queue. */
const queueLength = 512
/** Milliseconds for which a tenant counts after its last request. */
const recently = 1_000

interface Share {
  running: number
  readonly waiting: { readonly weight: number; readonly start: () => void }[]
  lastUsedAt: number
}

/**
 * Runs the work of a tenant within its share.
 * @param weight how much of the share the work takes
 * @throws Overloaded when too much work of the tenant waits
 */
export type RunInShare = <Result>(tenantId: string, weight: number, work: () => Promise<Result>) => Promise<Result>

/**
 * Divides the work at once between the tenants that have had requests in the last second (D-174). A tenant alone has no
 * limit. Work that exceeds the share of its tenant waits in the order of arrival, so it delays that tenant only.
 */
export function createShares(): RunInShare {
  const shares = new Map<string, Share>()
  let expiredAt = 0

  function expire(now: number): void {
    expiredAt = now
    for (const [tenantId, { running, waiting, lastUsedAt }] of shares) {
      if (running === 0 && waiting.length === 0 && now - lastUsedAt >= recently) shares.delete(tenantId)
    }
  }

  /** The first work of a tenant always runs, whatever its weight. */
  function hasRoom({ running }: Share, weight: number): boolean {
    if (running === 0 || shares.size === 1) return true
    return running + weight <= Math.max(leastShare, Math.floor(capacity / shares.size))
  }

  return async (tenantId, weight, work) => {
    const now = performance.now()
    if (now - expiredAt >= recently) expire(now)
    const share = shares.get(tenantId) ?? { running: 0, waiting: [], lastUsedAt: now }
    shares.set(tenantId, share)
    share.lastUsedAt = now
    if (share.waiting.length > 0 || !hasRoom(share, weight)) {
      if (share.waiting.length >= queueLength) throw new Overloaded()
      const { promise: started, resolve: start } = Promise.withResolvers<void>()
      share.waiting.push({ weight, start })
      await started
    } else share.running += weight
    try {
      return await work()
    } finally {
      share.running -= weight
      for (let next = share.waiting[0]; next !== undefined && hasRoom(share, next.weight); next = share.waiting[0]) {
        share.waiting.shift()
        share.running += next.weight
        next.start()
      }
    }
  }
}
