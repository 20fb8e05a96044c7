import { setTimeout as delay } from 'node:timers/promises'
import { createSemaphore } from '#platform/limits'
import type { Store } from '../store/index.ts'
import { DoorInUse, isDoorInUse } from './doorLeases.ts'

/** Milliseconds between two reads of a lease. */
const pollInterval = 50

export interface DoorWaitParts {
  readonly store: Store
  /** Maximum wait for a door, in milliseconds. */
  readonly lockTimeout: number
  /** Ends all waits. */
  readonly stopping: AbortSignal
}

/** Repeats `work`, which threw `inUse`, when the door is free. */
export type RetryWhenDoorFree = <Result>(inUse: DoorInUse, work: () => Promise<Result>) => Promise<Result>

/**
 * Creates the queues of requests that wait for a door. A waiting request has no connection and no transaction. Only the
 * first request of each queue reads the lease, so that many of them cost no more than one.
 */
export function createDoorWaits({ store, lockTimeout, stopping }: DoorWaitParts): RetryWhenDoorFree {
  const queue = createSemaphore({ perKey: 1 })

  return async (inUse, work) => {
    const { lockerUid } = inUse
    const timeout = AbortSignal.any([stopping, AbortSignal.timeout(lockTimeout)])
    const leave = await queue(lockerUid, timeout).catch(() => Promise.reject(inUse))
    try {
      for (;;) {
        while (!timeout.aborted && (await isDoorInUse(store, lockerUid))) await delay(pollInterval)
        if (timeout.aborted) throw inUse
        try {
          return await work()
        } catch (error) {
          if (!(error instanceof DoorInUse)) throw error
        }
      }
    } finally {
      leave()
    }
  }
}
