/** Retries that may be sent at a rate; each success returns some. Times are milliseconds of `performance.now()`. */
export interface RetryBudget {
  /** Retries per second. */
  readonly rate: number
  /** Retries that are allowed at once. */
  readonly capacity: number
  /** Retries that were allowed at `refilledAt`, as a fraction. */
  tokens: number
  refilledAt: number
}

/** Seconds of the rate that are allowed at once: bursts of short failures pass. */
const burstSeconds = 4
/** Retries that a success allows in addition. More than one, so that a receiver that is back is soon served at full rate. */
const refunded = 2

/** @param rate retries per second */
export function createRetryBudget(rate: number): RetryBudget {
  const capacity = rate * burstSeconds
  return { rate, capacity, tokens: capacity, refilledAt: 0 }
}

/** Returns how many retries are allowed now. */
export function availableRetries(budget: RetryBudget, now: number): number {
  add(budget, ((now - budget.refilledAt) / 1_000) * budget.rate)
  budget.refilledAt = now
  return Math.floor(budget.tokens)
}

/** Allows more retries after a success. */
export function refund(budget: RetryBudget): void {
  add(budget, refunded)
}

/** Allows one retry less. More deliveries than the budget has leave it empty, and no debt remains. */
export function spend(budget: RetryBudget): void {
  if (budget.tokens >= 1) budget.tokens--
}

/** Returns the milliseconds until a retry is allowed, counted from the last refill. */
export function untilAvailable({ tokens, rate }: RetryBudget): number {
  return tokens >= 1 ? 0 : ((1 - tokens) / rate) * 1_000
}

function add(budget: RetryBudget, tokens: number): void {
  budget.tokens = Math.min(budget.tokens + tokens, budget.capacity)
}
