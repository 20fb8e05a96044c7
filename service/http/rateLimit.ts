import type { Store } from '../store/index.ts'
import { hasRowLocks } from '../store/locks.ts'
import { spendShared } from './sharedBuckets.ts'

/** Least interval in milliseconds between two reports of a process to the buckets that the processes share. */
const shareInterval = 250

interface Bucket {
  tokens: number
  filledAt: number
  /** Tokens taken since the last report. */
  unreported: number
}

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
 * A token bucket per API client with bursts of twice the rate (D-010). Requests are counted in memory. On PostgreSQL
 * the processes share their counts in one statement for all clients, at most every 250 ms, so a call waits for no query
 * (D-151). Memory grows with the number of clients only.
 */
function createRateLimit({ perSecond, kind = '', store, clock }: RateLimitOptions): RateLimit {
  const burst = Math.max(1, perSecond * 2)
  const buckets = new Map<string, Bucket>()
  const isShared = hasRowLocks(store)
  let sharedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let sharing: Promise<void> | undefined
  let stopped = false
  /** The time of the first request since the last report. */
  let spendingSince: number | undefined

  function refill(bucket: Bucket, now: number): void {
    // A clock that is set back must not drain the bucket.
    const elapsed = Math.max(0, now - bucket.filledAt) / 1_000
    bucket.tokens = Math.min(burst, bucket.tokens + elapsed * perSecond)
    bucket.filledAt = now
  }

  async function share(): Promise<void> {
    sharedAt = performance.now()
    const now = clock()
    const since = Math.min(now, spendingSince ?? now)
    spendingSince = undefined
    const spent = [...buckets].filter(([, { unreported }]) => unreported > 0)
    const reports = spent.map(([clientId, bucket]) => ({ clientId, bucket, used: bucket.unreported }))
    for (const { bucket } of reports) bucket.unreported = 0
    try {
      const left = await spendShared(store, { reports, burst, perSecond, since, now })
      for (const { clientId, bucket } of reports) {
        refill(bucket, clock())
        const refilled = (Math.max(0, bucket.filledAt - now) / 1_000) * perSecond
        const shared = (left.get(clientId) ?? burst) - bucket.unreported + refilled
        // Both count the requests of this process, so the lower one is right.
        bucket.tokens = Math.min(bucket.tokens, shared)
      }
    } catch {
      // Without the store, each process limits for itself.
      for (const { bucket, used } of reports) bucket.unreported += used
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
          if ([...buckets.values()].some(({ unreported }) => unreported > 0)) scheduleSharing()
        })
      },
      Math.max(0, sharedAt + shareInterval - performance.now()),
    ).unref()
  }

  return {
    take(clientId) {
      const now = clock()
      const key = kind + clientId
      const bucket = buckets.get(key) ?? { tokens: burst, filledAt: now, unreported: 0 }
      buckets.set(key, bucket)
      refill(bucket, now)
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
      bucket.tokens -= 1
      bucket.unreported += 1
      spendingSince ??= now
      if (isShared) scheduleSharing()
      return 0
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await sharing
    },
  }
}
