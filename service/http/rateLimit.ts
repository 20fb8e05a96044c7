import { createRateLimiter } from '#platform/limits'
import type { Store } from '../store/index.ts'
import { hasRowLocks } from '../store/locks.ts'
import { spendShared } from './sharedBuckets.ts'

/** Minimum interval in milliseconds between two reports of a process to the buckets that the processes share. */
const shareInterval = 250

export interface RateLimit {
  /** Takes a token of an API client and returns 0, or the seconds until one is free. */
  take(clientId: string): number
  stop(): Promise<void>
}

export interface RateLimitOptions {
  /** Requests per second and API client. */
  readonly perSecond: number
  /** Tells apart buckets of other requests of the same clients in the store. */
  readonly kind?: string
  readonly store: Store
  readonly clock: () => number
}

/** The limits of the requests of an API client, each with buckets of its own. */
export interface Rates {
  readonly operations: RateLimit
  readonly signIns: RateLimit
  /** Ten times as many, since a gateway asks about the tokens of all its callers. */
  readonly introspections: RateLimit
  stop(): Promise<unknown>
}

export function createRates(options: Omit<RateLimitOptions, 'kind'>): Rates {
  const { perSecond } = options
  const operations = createRateLimit(options)
  const signIns = createRateLimit({ ...options, kind: 'signIn ' })
  const introspections = createRateLimit({ ...options, perSecond: 10 * perSecond, kind: 'introspection ' })
  const stop = () => Promise.all([operations, signIns, introspections].map(limit => limit.stop()))
  return { operations, signIns, introspections, stop }
}

/**
 * A token bucket per API client with bursts of twice the rate. Requests are counted in memory. On PostgreSQL the processes
 * share their counts in one statement for all clients, at most every 250 ms, so a call waits for no query.
 */
function createRateLimit({ perSecond, kind = '', store, clock }: RateLimitOptions): RateLimit {
  const burst = Math.max(1, perSecond * 2)
  const limiter = createRateLimiter({ burst, interval: 1_000 / perSecond }, clock)
  const isShared = hasRowLocks(store)
  /** Tokens taken since the last report, by key. */
  let unreported = new Map<string, number>()
  /** The time of the first request since the last report. */
  let spendingSince: number | undefined
  let sharedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let sharing: Promise<void> | undefined
  let stopped = false

  function count(key: string, used: number): void {
    unreported.set(key, (unreported.get(key) ?? 0) + used)
  }

  async function share(): Promise<void> {
    sharedAt = performance.now()
    const now = clock()
    const since = Math.min(now, spendingSince ?? now)
    const reports = [...unreported].map(([clientId, used]) => ({ clientId, used }))
    unreported = new Map()
    spendingSince = undefined
    try {
      const left = await spendShared(store, { reports, burst, perSecond, since, now })
      const refilled = (Math.max(0, clock() - now) / 1_000) * perSecond
      for (const { clientId } of reports) {
        const shared = (left.get(clientId) ?? burst) - (unreported.get(clientId) ?? 0) + refilled
        // Both count the requests of this process, so the lower one is right.
        limiter.spend(clientId, Math.max(0, limiter.left(clientId) - shared))
      }
    } catch {
      // Without the store, each process limits for itself.
      for (const { clientId, used } of reports) count(clientId, used)
      spendingSince = since
    }
  }

  function scheduleSharing(): void {
    if (stopped || timer !== undefined || sharing !== undefined) return
    timer = setTimeout(
      () => {
        timer = undefined
        sharing = share().finally(() => {
          sharing = undefined
          if (unreported.size > 0) scheduleSharing()
        })
      },
      Math.max(0, sharedAt + shareInterval - performance.now()),
    ).unref()
  }

  return {
    take(clientId) {
      const key = kind + clientId
      const wait = limiter.take(key)
      if (wait > 0) return Math.ceil(wait / 1_000)
      if (isShared) {
        count(key, 1)
        spendingSince ??= clock()
        scheduleSharing()
      }
      return 0
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await sharing
    },
  }
}
