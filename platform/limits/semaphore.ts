import type { QueueLimit } from './heavyWork.ts'
import { createUsage } from './usage.ts'

/** Limits of work at the same time. By default there is none. */
export interface SemaphoreLimits {
  /** Of all keys together. */
  readonly total?: number
  readonly perKey?: number
  readonly queue?: QueueLimit
}

/**
 * Waits for a place, in the order of arrival. A key that has all of its places does not delay others.
 * @returns a function that frees the place
 * @throws the reason of the signal when it aborts before; the error of a full queue
 */
export type Semaphore = (key: string, signal?: AbortSignal) => Promise<() => void>

export function createSemaphore(limits: SemaphoreLimits): Semaphore {
  const { total = Number.POSITIVE_INFINITY, perKey = Number.POSITIVE_INFINITY, queue } = limits
  const running = createUsage()
  const queued = createUsage()
  const waiting = new Set<{ readonly key: string; readonly begin: (free: () => void) => void }>()

  const hasRoom = (key: string) => running.total < total && running.of(key) < perKey

  function take(key: string): () => void {
    const end = running.begin(key)
    return () => {
      end()
      // At once, so that new work cannot overtake the queue.
      for (const next of waiting) if (hasRoom(next.key)) next.begin(take(next.key))
    }
  }

  return async (key, signal) => {
    signal?.throwIfAborted()
    if (hasRoom(key)) return take(key)
    if (queue !== undefined && queued.of(key) >= queue.maxWaiting) throw queue.toError()
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const unqueue = queued.begin(key)
    const leave = () => {
      waiting.delete(mine)
      unqueue()
      signal?.removeEventListener('abort', abort)
    }
    const abort = () => {
      leave()
      reject(signal?.reason)
    }
    const mine = {
      key,
      begin(free: () => void) {
        leave()
        resolve(free)
      },
    }
    waiting.add(mine)
    signal?.addEventListener('abort', abort)
    return promise
  }
}
