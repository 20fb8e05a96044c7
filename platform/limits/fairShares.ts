import { setTimeout as delay } from 'node:timers/promises'
import { createHeavyQueue, type HeavyShare, maxYield } from './heavyWork.ts'

/** Work that each tenant may run at once. Fewer would make the commits of one tenant wait for each other. */
const minWork = 4
/** Requests of a tenant that may wait; more are rejected, since a caller has given up on the last of a longer queue. */
const maxWaiting = 512
/** Milliseconds for which a tenant counts after its last request. */
const recently = 1_000

/** Milliseconds between two checks for work of others. */
const yieldCheckInterval = 1

interface Share extends HeavyShare {
  running: number
  readonly waiting: { readonly weight: number; readonly start: () => void }[]
  lastUsedAt: number
  /** Light work that runs. */
  light: number
}

/**
 * Runs the work of a tenant within its share.
 * @param weight how much of the share the work takes; more than 1 is heavy
 * @throws the error of the shares when too much work of the tenant waits
 */
export type RunInShare = <Result>(tenantId: string, weight: number, work: () => Promise<Result>) => Promise<Result>

export interface Shares {
  readonly run: RunInShare
  /**
   * Waits while light work of other tenants runs, for at most 25 ms. Long work calls it before each of its parts.
   * @param atMost milliseconds
   */
  yieldToOthers(tenantId: string, atMost?: number): Promise<void>
  /**
   * Returns a function that long work calls before each of its parts. Alongside other tenants it also rests for as long
   * as the part before took, and at most 25 ms.
   */
  pace(tenantId: string): () => Promise<void>
}

/**
 * Divides the work at once between the tenants that have had requests in the last second. A tenant alone has no
 * limit. Work that exceeds the share of its tenant waits in the order of arrival, so it delays that tenant only.
 * @param capacity work that runs at once for all tenants together, while several have requests: the connections to PostgreSQL
 * @param toError creates the error of work beyond the queue of a tenant
 */
export function createShares(capacity: number, toError: () => Error): Shares {
  // Two tenants must not use up all connections.
  const minShare = Math.min(minWork, Math.max(1, Math.floor(capacity / 2)))
  const shares = new Map<string, Share>()
  /** Running light work of all tenants. */
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
    return running + weight <= Math.max(minShare, Math.floor(capacity / shares.size))
  }

  async function yieldToOthers(tenantId: string, atMost = maxYield): Promise<void> {
    const until = performance.now() + Math.min(atMost, maxYield)
    while (light > (shares.get(tenantId)?.light ?? 0) && performance.now() < until) await delay(yieldCheckInterval)
  }

  /** True if other tenants have had requests in the last second. */
  function isBesideOthers(tenantId: string, now: number): boolean {
    for (const [id, { running, lastUsedAt }] of shares)
      if (id !== tenantId && (running > 0 || now - lastUsedAt < recently)) return true
    return false
  }

  const { runHeavy, pace } = createHeavyQueue(
    { isOnlyTenant: () => shares.size === 1, isBesideOthers, yieldToOthers },
    { maxWaiting, toError },
  )

  async function runWithin<Result>(share: Share, weight: number, work: () => Promise<Result>): Promise<Result> {
    if (share.waiting.length > 0 || !hasRoom(share, weight)) {
      if (share.waiting.length >= maxWaiting) throw toError()
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
    yieldToOthers,
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
