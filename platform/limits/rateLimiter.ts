export interface RateLimit {
  /** Uses at once. */
  readonly burst: number
  /** Milliseconds after which one more is allowed. */
  readonly interval: number
}

/** Keys that are counted at the same time. One that was not used for `burst * interval` is as good as new. */
const maxKeys = 100_000

/** Milliseconds by which sums of fractions may be wrong. */
const rounding = 1e-6

/** A token bucket per key. */
export interface RateLimiter {
  /**
   * Takes one use of each key.
   * @returns 0, or the milliseconds until all keys allow another one; then nothing was taken
   */
  take(...keys: readonly string[]): number
  /** Counts uses of a key, including those that it does not allow. */
  spend(key: string, uses: number): void
  /** The uses that a key allows now. Negative after more were spent. */
  left(key: string): number
}

interface Bucket {
  /** Milliseconds, of which a use costs the interval. */
  credit: number
  filledAt: number
}

/**
 * The keys must be short or verified, so that a forger cannot fill the memory. At the limit, the least recently used key is
 * forgotten.
 * @param clock milliseconds
 * @param maxSize keys
 */
export function createRateLimiter(
  { burst, interval }: RateLimit,
  clock: () => number = () => performance.now(),
  maxSize = maxKeys,
): RateLimiter {
  const maxCredit = burst * interval
  const buckets = new Map<string, Bucket>()

  function fill(key: string, now: number): Bucket {
    const bucket = buckets.get(key) ?? { credit: maxCredit, filledAt: now }
    // A clock that is set back must not drain the bucket.
    bucket.credit = Math.min(maxCredit, bucket.credit + Math.max(0, now - bucket.filledAt))
    bucket.filledAt = now
    return bucket
  }

  function spend(key: string, bucket: Bucket, uses: number): void {
    bucket.credit -= uses * interval
    // Deleted first, because a map keeps the order of the first insertion.
    buckets.delete(key)
    buckets.set(key, bucket)
    if (buckets.size > maxSize) buckets.delete(buckets.keys().next().value as string)
  }

  return {
    take(...keys) {
      const now = clock()
      const filled = keys.map(key => [key, fill(key, now)] as const)
      const wait = interval - Math.min(...filled.map(([, { credit }]) => credit))
      if (wait > rounding) return wait
      for (const [key, bucket] of filled) spend(key, bucket, 1)
      return 0
    },
    spend: (key, uses) => spend(key, fill(key, clock()), uses),
    left: key => fill(key, clock()).credit / interval,
  }
}
