/** Wrong secrets without a lock, per client id and address. */
const freeFailures = 5
/** The first and the longest lock, in milliseconds. Each further wrong secret doubles the lock. */
const initialLock = 30_000
const maximumLock = 900_000
/** Maximum number of pairs in memory. The one with the oldest failure is dropped first. */
const maxPairs = 10_000

interface Failures {
  readonly count: number
  readonly lockedUntil: number
}

/** Counts wrong secrets. Check and count run synchronously, so concurrent requests gain no extra attempts. */
export interface SecretThrottle {
  /** Seconds until the next secret is checked; 0 is now. */
  retryAfter(clientId: string, address: string): number
  failed(clientId: string, address: string): void
  succeeded(clientId: string, address: string): void
}

/** The limit on wrong secrets at the token endpoint (D-010). It is always on. */
export function createSecretThrottle(clock: () => number): SecretThrottle {
  const failuresByPair = new Map<string, Failures>()
  const toPair = (clientId: string, address: string) => JSON.stringify([clientId.slice(0, 64), address])

  return {
    retryAfter(clientId, address) {
      const failures = failuresByPair.get(toPair(clientId, address))
      return failures === undefined ? 0 : Math.max(0, Math.ceil((failures.lockedUntil - clock()) / 1_000))
    },
    failed(clientId, address) {
      const pair = toPair(clientId, address)
      const failures = failuresByPair.get(pair)
      // Old failures expire, or a mistyped secret a day would end in a lock.
      const isRecent = failures !== undefined && clock() - failures.lockedUntil < maximumLock
      const count = (isRecent ? failures.count : 0) + 1
      const lock = count < freeFailures ? 0 : Math.min(maximumLock, initialLock * 2 ** (count - freeFailures))
      failuresByPair.delete(pair)
      failuresByPair.set(pair, { count, lockedUntil: clock() + lock })
      const [oldest] = failuresByPair.keys()
      if (oldest !== undefined && failuresByPair.size > maxPairs) failuresByPair.delete(oldest)
    },
    succeeded: (clientId, address) => void failuresByPair.delete(toPair(clientId, address)),
  }
}
