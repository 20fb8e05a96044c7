export interface RateLimit {
  /** Uses at once. */
  readonly burst: number
  /** Milliseconds after which one more is allowed. */
  readonly interval: number
}

/** Keys that are counted at the same time. One that was not used for `burst * interval` is as good as new. */
const maxKeys = 100_000

/** A token bucket per key. */
export interface RateLimiter {
  /**
   * Takes one use of each key.
   * @returns 0, or the milliseconds until all keys allow another one; then nothing was taken
   */
  take(keys: readonly string[]): number
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
  /** The moment at which all uses of the key are allowed again. */
  const refilledAt = new Map<string, number>()

  return {
    take(keys) {
      const now = clock()
      const wait = Math.max(...keys.map(key => (refilledAt.get(key) ?? 0) - now - (burst - 1) * interval))
      if (wait > 0) return wait
      for (const key of keys) {
        const refilled = Math.max(refilledAt.get(key) ?? 0, now) + interval
        // Deleted first, because a map keeps the order of the first insertion.
        refilledAt.delete(key)
        refilledAt.set(key, refilled)
      }
      for (const [key] of refilledAt) {
        if (refilledAt.size <= maxSize) break
        refilledAt.delete(key)
      }
      return 0
    },
  }
}
