/** How callbacks are delivered; times in milliseconds. */
export interface Delivery {
  /** Attempts under way at once for one tenant, so that one tenant's slow receiver is no other's concern. */
  readonly concurrency: number
  /** An attempt without an answer by then has failed. */
  readonly timeout: number
  /** Wait after the first failure; it doubles with each further one, give or take a fifth. */
  readonly firstRetry: number
  /** The wait grows no longer than this. */
  readonly longestRetry: number
  /** How often the store is asked for what nobody woke the outbox for. */
  readonly poll: number
  /** How long attempts under way are waited for when the service stops. */
  readonly stopGrace: number
}

export const defaultDelivery: Delivery = {
  concurrency: 32,
  timeout: 15_000,
  firstRetry: 1_000,
  longestRetry: 3_600_000,
  poll: 1_000,
  stopGrace: 5_000,
}

/** A receiver may ask for a longer wait than ours, up to a day. */
const longestWish = 86_400_000
const spread = 0.2

/**
 * Milliseconds until the next attempt.
 * @param failures attempts that have failed, this one included
 * @param retryAfter what the receiver asked for, in milliseconds
 */
export function retryDelay(
  { firstRetry, longestRetry }: Delivery,
  failures: number,
  retryAfter: number | undefined,
  random: () => number = Math.random,
): number {
  const jitter = 1 - spread + 2 * spread * random()
  const own = Math.min(firstRetry * 2 ** (failures - 1) * jitter, longestRetry)
  return Math.round(Math.max(own, Math.min(retryAfter ?? 0, longestWish)))
}

/** Milliseconds that a `Retry-After` header asks for: seconds, or an HTTP date; undefined when it says neither. */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
