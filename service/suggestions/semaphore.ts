import { OperationError } from '../operationError.ts'

/** Runs work once a slot is free. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface SemaphoreLimits {
  readonly concurrency: number
  /** Work that may wait for a slot. */
  readonly queueLength: number
}

/**
 * Limits concurrent work and the queue for it.
 * @throws OperationError Unavailable when the queue is full
 */
export function createSemaphore({ concurrency, queueLength }: SemaphoreLimits): Semaphore {
  const queue: (() => void)[] = []
  let running = 0
  return async work => {
    if (running >= concurrency) {
      if (queue.length >= queueLength)
        throw new OperationError('Unavailable', 'Too many uploads are in progress; try again later.')
      // The finishing work passes its slot on, so that new work cannot overtake the queue.
      await new Promise<void>(resolve => void queue.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

/** A semaphore for each key. A key without work takes no memory. */
export function createSemaphores(limits: SemaphoreLimits): (key: string) => Semaphore {
  const inUse = new Map<string, { readonly semaphore: Semaphore; users: number }>()
  return key => async work => {
    const entry = inUse.get(key) ?? { semaphore: createSemaphore(limits), users: 0 }
    inUse.set(key, entry)
    entry.users++
    try {
      return await entry.semaphore(work)
    } finally {
      entry.users--
      if (entry.users === 0) inUse.delete(key)
    }
  }
}
