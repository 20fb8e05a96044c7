import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Caller, VerifyBearer } from '../auth/index.ts'
import { OperationError } from '../operationError.ts'
import type { RateLimit } from './rateLimit.ts'
import { Overloaded } from './shedding.ts'
import type { Unread } from './unread.ts'

/** Returns the `onRequest` hook of an operation, which runs before the body is read. The log has its name. */
export type Authenticate = (name: string) => onRequestHookHandler

export interface AuthenticateParts {
  readonly verifyBearer: VerifyBearer
  /** Undefined without a limit. */
  readonly rateLimit: Pick<RateLimit, 'take'> | undefined
  readonly unread: Unread
}

/** Checks the access token, then the limits. The hook throws Unauthorized, Forbidden, RateLimited or Overloaded. */
export function createAuthenticate({ verifyBearer, rateLimit, unread }: AuthenticateParts): Authenticate {
  function accept({ context }: FastifyRequest, caller: Caller): void {
    context.caller = caller
    context.unread = unread
    limitRate(rateLimit, caller.clientId)
    if ((unread.byTenant.get(caller.tenantId) ?? 0) > unread.most) throw new Overloaded()
  }

  return name => (request, _reply, done) => {
    request.context.operation = name
    const caller = verifyBearer(request.headers.authorization)
    if (caller instanceof Promise)
      return void caller.then(verified => accept(request, verified)).then(() => done(), done)
    accept(request, caller)
    done()
  }
}

/** @throws OperationError RateLimited when a client has made too many requests */
export function limitRate(rateLimit: AuthenticateParts['rateLimit'], clientId: string): void {
  const retryAfter = rateLimit?.take(clientId) ?? 0
  if (retryAfter > 0) throw new OperationError('RateLimited', 'Too many requests; try again later.', { retryAfter })
}

/** Work that each tenant may run at once. Fewer would make the commits of one tenant wait for each other. */
const leastWork = 4
/** Requests of a tenant that may wait; more are rejected, since a caller has given up on the last of a longer queue. */
const queueLength = 512
/** Milliseconds for which a tenant counts after its last request. */
const recently = 1_000

/** The longest time for which work gives way to that of others, in milliseconds. */
const longestWay = 25
/** Milliseconds between two checks for work of others. */
const wayInterval = 1

interface Share {
  running: number
  readonly waiting: { readonly weight: number; readonly start: () => void }[]
  lastUsedAt: number
  /** Light works that run. */
  light: number
  /** Heavy works that run or give way. */
  heavy: number
  readonly waitingHeavy: (() => void)[]
  /** Milliseconds of a recent heavy work. */
  heavyTime: number
  /** When the last heavy work ended, by `performance.now()`. */
  heavyEndedAt: number
}

/**
 * Runs the work of a tenant within its share.
 * @param weight how much of the share the work takes; more than 1 is heavy
 * @throws Overloaded when too much work of the tenant waits
 */
export type RunInShare = <Result>(tenantId: string, weight: number, work: () => Promise<Result>) => Promise<Result>

export interface Shares {
  readonly run: RunInShare
  /**
   * Waits while other tenants have light work that runs, for 25 ms at most. Long work calls it before each of its parts.
   * @param atMost milliseconds
   */
  giveWay(tenantId: string, atMost?: number): Promise<void>
  /**
   * Returns a function that long work calls before each of its parts. Beside other tenants it also rests for as long as the
   * part before took, so that the work takes half of the time at most.
   */
  pace(tenantId: string): () => Promise<void>
}

/**
 * Divides the work at once between the tenants that have had requests in the last second (D-174). A tenant alone has no
 * limit. Work that exceeds the share of its tenant waits in the order of arrival, so it delays that tenant only. Beside
 * other tenants, heavy works of a tenant run one at a time, rest for as long as they took, and give way to light work for as
 * long again.
 * @param capacity work that runs at once for all tenants together, while several have requests: the connections to PostgreSQL
 */
export function createShares(capacity: number): Shares {
  // Two tenants must not use up all connections.
  const leastShare = Math.min(leastWork, Math.max(1, Math.floor(capacity / 2)))
  const shares = new Map<string, Share>()
  /** Light works of all tenants that run. */
  let light = 0
  let expiredAt = 0

  function expire(now: number): void {
    expiredAt = now
    for (const [tenantId, { running, waiting, heavy, lastUsedAt }] of shares) {
      const isIdle = running === 0 && waiting.length === 0 && heavy === 0
      if (isIdle && now - lastUsedAt >= recently) shares.delete(tenantId)
    }
  }

  /** The first work of a tenant always runs, whatever its weight. */
  function hasRoom({ running }: Share, weight: number): boolean {
    if (running === 0 || shares.size === 1) return true
    return running + weight <= Math.max(leastShare, Math.floor(capacity / shares.size))
  }

  async function giveWay(tenantId: string, atMost = longestWay): Promise<void> {
    const until = performance.now() + Math.min(atMost, longestWay)
    while (light > (shares.get(tenantId)?.light ?? 0) && performance.now() < until) await delay(wayInterval)
  }

  /** True if other tenants have had requests in the last second. */
  function isBesideOthers(tenantId: string, now: number): boolean {
    for (const [id, { running, lastUsedAt }] of shares)
      if (id !== tenantId && (running > 0 || now - lastUsedAt < recently)) return true
    return false
  }

  function pace(tenantId: string): () => Promise<void> {
    let startedAt: number | undefined
    return async () => {
      const now = performance.now()
      if (startedAt !== undefined && isBesideOthers(tenantId, now)) await delay(Math.min(now - startedAt, longestWay))
      await giveWay(tenantId)
      startedAt = performance.now()
    }
  }

  async function runHeavy<Result>(tenantId: string, share: Share, work: () => Promise<Result>): Promise<Result> {
    const { waitingHeavy } = share
    if (shares.size > 1 && share.heavy > 0) {
      if (waitingHeavy.length >= queueLength) throw new Overloaded()
      const { promise: started, resolve: start } = Promise.withResolvers<void>()
      waitingHeavy.push(start)
      await started
    } else share.heavy++
    try {
      const now = performance.now()
      const rest = share.heavyEndedAt + share.heavyTime - now
      if (rest > 0 && isBesideOthers(tenantId, now)) await delay(Math.min(rest, longestWay))
      if (share.heavyTime > 0) await giveWay(tenantId, share.heavyTime)
      const startedAt = performance.now()
      const result = await work()
      // A cheap page after a costly one counts for little, so that a mix of both cannot hide the costly ones.
      share.heavyTime = Math.max(performance.now() - startedAt, share.heavyTime * 0.9)
      return result
    } finally {
      share.heavyEndedAt = performance.now()
      const next = shares.size === 1 ? waitingHeavy.splice(0) : waitingHeavy.splice(0, 1)
      share.heavy += next.length - 1
      for (const start of next) start()
    }
  }

  async function runWithin<Result>(share: Share, weight: number, work: () => Promise<Result>): Promise<Result> {
    if (share.waiting.length > 0 || !hasRoom(share, weight)) {
      if (share.waiting.length >= queueLength) throw new Overloaded()
      const { promise: started, resolve: start } = Promise.withResolvers<void>()
      share.waiting.push({ weight, start })
      await started
    } else share.running += weight
    const counts = weight === 1 ? 1 : 0
    share.light += counts
    light += counts
    try {
      return await work()
    } finally {
      share.light -= counts
      light -= counts
      share.running -= weight
      for (let next = share.waiting[0]; next !== undefined && hasRoom(share, next.weight); next = share.waiting[0]) {
        share.waiting.shift()
        share.running += next.weight
        next.start()
      }
    }
  }

  return {
    giveWay,
    pace,
    async run(tenantId, weight, work) {
      const now = performance.now()
      if (now - expiredAt >= recently) expire(now)
      const share = shares.get(tenantId) ?? createShare()
      shares.set(tenantId, share)
      share.lastUsedAt = now
      if (weight > 1) return runHeavy(tenantId, share, () => runWithin(share, weight, work))
      return runWithin(share, weight, work)
    },
  }
}

function createShare(): Share {
  return { running: 0, waiting: [], lastUsedAt: 0, light: 0, heavy: 0, waitingHeavy: [], heavyTime: 0, heavyEndedAt: 0 }
}
