/** Events of one adapter at one process. */
export interface EventRate {
  readonly perSecond: number
  /** The most at once, for example from all doors of a site after an outage. */
  readonly burst: number
}

/** Takes a token of an adapter and returns 0, or the seconds until one is free (D-225). */
export type EventLimit = (adapter: string) => number

/** @param clock milliseconds since any moment; it is never set back */
export function createEventLimit({ perSecond, burst }: EventRate, clock = () => performance.now()): EventLimit {
  const buckets = new Map<string, { tokens: number; filledAt: number }>()
  return adapter => {
    const now = clock()
    const bucket = buckets.get(adapter) ?? { tokens: burst, filledAt: now }
    buckets.set(adapter, bucket)
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1_000) * perSecond)
    bucket.filledAt = now
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
    bucket.tokens -= 1
    return 0
  }
}
