/** Wrong secrets that cost nothing, per client id and address. */
const free = 5
/** The first lock and the longest one, in milliseconds; each wrong secret after a lock doubles it. */
const firstLock = 30_000
const longestLock = 900_000
/** Pairs that are remembered; the one that failed longest ago is forgotten first. */
const remembered = 10_000

interface Failures {
  readonly count: number
  readonly lockedUntil: number
}

/** Counts wrong secrets. There is no wait between asking and counting, so that many at once gain nothing. */
export interface WrongSecrets {
  /** Seconds until the next attempt is looked at; 0 is now. */
  wait(clientId: string, address: string): number
  failed(clientId: string, address: string): void
  succeeded(clientId: string, address: string): void
}

/** The attempt limit of the token endpoint (docs/decisions.md, Rate limits), always on. */
export function createWrongSecrets(clock: () => number): WrongSecrets {
  const failures = new Map<string, Failures>()
  const keyOf = (clientId: string, address: string) => JSON.stringify([clientId.slice(0, 64), address])

  return {
    wait(clientId, address) {
      const held = failures.get(keyOf(clientId, address))
      return held === undefined ? 0 : Math.max(0, Math.ceil((held.lockedUntil - clock()) / 1_000))
    },
    failed(clientId, address) {
      const key = keyOf(clientId, address)
      const held = failures.get(key)
      // Old failures are forgiven, or a typing mistake a day would end in a lock.
      const recent = held !== undefined && clock() - held.lockedUntil < longestLock ? held.count : 0
      const count = recent + 1
      const lock = count < free ? 0 : Math.min(longestLock, firstLock * 2 ** (count - free))
      failures.delete(key)
      failures.set(key, { count, lockedUntil: clock() + lock })
      const [oldest] = failures.keys()
      if (oldest !== undefined && failures.size > remembered) failures.delete(oldest)
    },
    succeeded: (clientId, address) => void failures.delete(keyOf(clientId, address)),
  }
}
