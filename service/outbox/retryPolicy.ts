/** Exponential backoff in milliseconds. */
export interface RetryPolicy {
  /** Wait after the first failure. It doubles with each further one, with a jitter of a fifth. */
  readonly initialInterval: number
  readonly maximumInterval: number
}

/** Delivery of callbacks; times in milliseconds. */
export interface DeliverySettings extends RetryPolicy {
  /** Young deliveries per tenant: those that began within the last `slowAfter`. */
  readonly concurrency: number
  /** A delivery that waits longer for its response no longer counts as young. */
  readonly slowAfter: number
  /** Deliveries of all tenants. One tenant alone has at most a quarter. */
  readonly maximumInFlight: number
  /** Limit of one delivery, response included. */
  readonly timeout: number
  /** Interval at which the outbox reads the store without a wake. */
  readonly pollInterval: number
  /** Limit for deliveries in flight when the service stops. */
  readonly stopTimeout: number
  /** A message that fails at this age is given up. */
  readonly maxAge: number
}

export const defaultDelivery: DeliverySettings = {
  concurrency: 64,
  slowAfter: 200,
  maximumInFlight: 1_024,
  timeout: 15_000,
  initialInterval: 1_000,
  maximumInterval: 3_600_000,
  pollInterval: 1_000,
  stopTimeout: 5_000,
  // Longer than any outage that integrators are expected to survive. The callback then waits for an operator.
  maxAge: 30 * 86_400_000,
}

/** Longest wait that a receiver can request, in milliseconds. */
const maxRetryAfter = 86_400_000
const jitter = 0.2

/**
 * Milliseconds until the next delivery: the longer of the backoff and the receiver's request.
 * @param failures failed deliveries, including the last one
 * @param retryAfter the receiver's request in milliseconds
 */
export function retryDelay(
  { initialInterval, maximumInterval }: RetryPolicy,
  failures: number,
  retryAfter: number | undefined,
  random: () => number = Math.random,
): number {
  const factor = 1 - jitter + 2 * jitter * random()
  const backoff = Math.min(initialInterval * 2 ** (failures - 1) * factor, maximumInterval)
  return Math.round(Math.max(backoff, Math.min(retryAfter ?? 0, maxRetryAfter)))
}

/** Converts a `Retry-After` header, seconds or an HTTP date, to milliseconds; undefined if it is neither. */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
