import { setTimeout as delay } from 'node:timers/promises'

/** Maximum time for which work yields to that of other tenants, in milliseconds. */
export const maxYield = 25

/** The heavy work of a tenant. */
export interface HeavyShare {
  /** Heavy work that runs or yields. */
  heavy: number
  readonly waitingHeavy: (() => void)[]
  /** Milliseconds of a recent piece of heavy work. */
  heavyTime: number
  /** When the last heavy work ended, by `performance.now()`. */
  heavyEndedAt: number
}

/** The other tenants that have had requests in the last second. */
export interface OtherTenants {
  isOnlyTenant(): boolean
  isBesideOthers(tenantId: string, now: number): boolean
  yieldToOthers(tenantId: string, atMost?: number): Promise<void>
}

export interface QueueLimit {
  /** Work of a key that may wait. */
  readonly maxWaiting: number
  /** Creates the error of further work. */
  readonly toError: () => Error
}

/**
 * Alongside other tenants, the heavy work of a tenant runs one piece at a time. Before each piece it pauses for as long as a recent
 * piece took, 25 ms at most, and then yields to light work for up to as long again.
 */
export function createHeavyQueue(
  { isOnlyTenant, isBesideOthers, yieldToOthers }: OtherTenants,
  { maxWaiting, toError }: QueueLimit,
) {
  async function runHeavy<Result>(tenantId: string, share: HeavyShare, work: () => Promise<Result>): Promise<Result> {
    const { waitingHeavy } = share
    if (!isOnlyTenant() && share.heavy > 0) {
      if (waitingHeavy.length >= maxWaiting) throw toError()
      const { promise: started, resolve: start } = Promise.withResolvers<void>()
      waitingHeavy.push(start)
      await started
    } else share.heavy++
    try {
      const now = performance.now()
      const rest = share.heavyEndedAt + share.heavyTime - now
      if (rest > 0 && isBesideOthers(tenantId, now)) await delay(Math.min(rest, maxYield))
      if (share.heavyTime > 0) await yieldToOthers(tenantId, share.heavyTime)
      const startedAt = performance.now()
      const result = await work()
      // A cheap page after a costly one counts for little, so that a mix of both cannot hide the costly ones.
      share.heavyTime = Math.max(performance.now() - startedAt, share.heavyTime * 0.9)
      return result
    } finally {
      share.heavyEndedAt = performance.now()
      const next = isOnlyTenant() ? waitingHeavy.splice(0) : waitingHeavy.splice(0, 1)
      share.heavy += next.length - 1
      for (const start of next) start()
    }
  }

  function pace(tenantId: string): () => Promise<void> {
    let startedAt: number | undefined
    return async () => {
      const now = performance.now()
      if (startedAt !== undefined && isBesideOthers(tenantId, now)) await delay(Math.min(now - startedAt, maxYield))
      await yieldToOthers(tenantId)
      startedAt = performance.now()
    }
  }

  return { runHeavy, pace }
}
