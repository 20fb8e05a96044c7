import { createRateLimiter, createUsage } from '#platform/limits'
import { FlowApiError } from './problem.ts'
import type { FlowApiLimits } from './settings.ts'
import type { Caller } from './tokens/caller.ts'

/** Limits what one caller, and all callers together, use at the same time. */
export interface ConcurrencyLimit {
  /** Begins a use of a caller. @returns a function that ends it @throws FlowApiError RateLimited, Unavailable */
  begin(caller: Pick<Caller, 'id'>): () => void
  readonly total: number
}

/** @param name of the uses, for the message: `requests in progress` */
export function createConcurrencyLimit(name: string, perCaller: number, all: number): ConcurrencyLimit {
  const usage = createUsage()
  return {
    begin({ id }) {
      if (usage.of(id) >= perCaller)
        throw new FlowApiError('RateLimited', `The caller has ${perCaller} ${name} already; end one first.`)
      if (usage.total >= all)
        throw new FlowApiError('Unavailable', `The gateway has ${all} ${name} already; try again.`)
      return usage.begin(id)
    },
    get total() {
      return usage.total
    },
  }
}

/** Limits the requests per second of each caller. @returns a function that throws FlowApiError RateLimited */
export function createRateCheck({ rate }: Pick<FlowApiLimits, 'rate'>): (caller: Pick<Caller, 'id'>) => void {
  const limiter = createRateLimiter({ burst: 2 * rate, interval: 1_000 / rate })
  return ({ id }) => {
    const wait = limiter.take(id)
    if (wait === 0) return
    const retryAfter = Math.ceil(wait / 1_000)
    throw new FlowApiError('RateLimited', `The caller must send at most ${rate} requests per second.`, { retryAfter })
  }
}
