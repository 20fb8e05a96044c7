import { timestampTolerance } from '#contract'

/** A signed message is valid for this long, in milliseconds: its timestamp may be ahead of the clock, and behind it. */
const validFor = 2 * timestampTolerance * 1_000

/** Messages that are remembered at the same time, some 10 MiB. */
const maxMessages = 100_000

/** The messages whose signal Temporal has accepted. */
export interface SignalledMessages {
  has(message: string): boolean
  add(message: string): void
}

/**
 * Remembers each message as long as it can be replayed.
 * @param clock milliseconds
 */
export function createSignalledMessages(
  clock: () => number = () => performance.now(),
  maxSize = maxMessages,
): SignalledMessages {
  const expiry = new Map<string, number>()
  return {
    has: message => (expiry.get(message) ?? 0) > clock(),
    add(message) {
      const now = clock()
      expiry.delete(message)
      expiry.set(message, now + validFor)
      // In the order of their expiry, the oldest first.
      for (const [oldest, at] of expiry) {
        if (at > now && expiry.size <= maxSize) break
        expiry.delete(oldest)
      }
    },
  }
}
