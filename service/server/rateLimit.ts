/** Takes one request of a client; answers 0, or the seconds after which the next one may come. */
export type RateLimit = (clientId: string) => number

interface Bucket {
  tokens: number
  filled: number
}

/**
 * A token bucket for each API client: `perSecond` requests, with bursts of twice as many (docs/decisions.md, Rate
 * limits). 0 is no limit. The buckets are as many as there are clients.
 */
export function createRateLimit(perSecond: number, clock: () => number): RateLimit {
  if (perSecond === 0) return () => 0
  const burst = Math.max(1, perSecond * 2)
  const buckets = new Map<string, Bucket>()
  return clientId => {
    const now = clock()
    const bucket = buckets.get(clientId) ?? { tokens: burst, filled: now }
    buckets.set(clientId, bucket)
    // A clock that is set back must not drain the bucket.
    const passed = Math.max(0, now - bucket.filled) / 1_000
    bucket.tokens = Math.min(burst, bucket.tokens + passed * perSecond)
    bucket.filled = now
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
    bucket.tokens -= 1
    return 0
  }
}
