import { createRateLimiter } from '../rateLimit.ts'
import { FlowApiError } from './problem.ts'
import { type FlowApiContext, onRequestEnd } from './requestLog.ts'
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
  const counts = new Map<string, number>()
  let total = 0
  return {
    begin({ id }) {
      const count = counts.get(id) ?? 0
      if (count >= perCaller)
        throw new FlowApiError('RateLimited', `The caller has ${perCaller} ${name} already; end one first.`)
      if (total >= all) throw new FlowApiError('Unavailable', `The gateway has ${all} ${name} already; try again.`)
      counts.set(id, count + 1)
      total++
      let ended = false
      return () => {
        if (ended) return
        ended = true
        total--
        const rest = (counts.get(id) ?? 1) - 1
        if (rest === 0) counts.delete(id)
        else counts.set(id, rest)
      }
    },
    get total() {
      return total
    },
  }
}

/**
 * Waits until a caller may begin a limited use.
 * @returns a function that ends the use
 * @throws FlowApiError CallAborted if the caller goes meanwhile
 */
export type FairSemaphore = (context: FlowApiContext, caller: Pick<Caller, 'id'>) => Promise<() => void>

/** Admits callers in the order of their requests. A caller that already has its share waits, and does not delay others. */
export function createFairSemaphore(perCaller: number, all: number): FairSemaphore {
  const running: string[] = []
  const waiting = new Set<{ readonly id: string; readonly begin: () => void }>()

  function beginNext(): void {
    for (const next of waiting) {
      const isFree = running.length < all && running.filter(id => id === next.id).length < perCaller
      if (!isFree) continue
      waiting.delete(next)
      running.push(next.id)
      next.begin()
    }
  }

  return async (context, { id }) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const mine = { id, begin: resolve }
    waiting.add(mine)
    onRequestEnd(context, () => {
      if (waiting.delete(mine)) reject(new FlowApiError('CallAborted', 'The caller has gone.'))
    })
    beginNext()
    await promise
    return () => {
      running.splice(running.indexOf(id), 1)
      beginNext()
    }
  }
}

/** Limits the requests per second of each caller. @returns a function that throws FlowApiError RateLimited */
export function createRateCheck({ rate }: Pick<FlowApiLimits, 'rate'>): (caller: Pick<Caller, 'id'>) => void {
  const limiter = createRateLimiter({ burst: 2 * rate, interval: 1_000 / rate })
  return ({ id }) => {
    const wait = limiter.take([id])
    if (wait === 0) return
    const retryAfter = Math.ceil(wait / 1_000)
    throw new FlowApiError('RateLimited', `The caller must send at most ${rate} requests per second.`, { retryAfter })
  }
}
