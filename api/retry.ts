import { setTimeout as sleep } from 'node:timers/promises'
import { ApiFault } from './failures.ts'

/** Milliseconds before the first repetition, doubled by each further one, with jitter. */
const firstPause = 50

/** Seconds of Retry-After that a read waits for; after longer ones the caller decides. */
const longestRetryAfter = 1.5

/** Repeats a read after faults that a moment can mend. Nothing but reads may go through here. */
export async function retryingReads<T>(retries: number, read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (attempt >= retries || signal?.aborted || !mendsSoon(error)) throw error
      const pause = firstPause * 2 ** attempt * (0.5 + Math.random())
      await sleep(Math.max(pause, (error.retryAfter ?? 0) * 1_000), undefined, signal ? { signal } : {}).catch(() => {})
    }
  }
}

function mendsSoon(error: unknown): error is ApiFault {
  if (!(error instanceof ApiFault) || !error.retryable || (error.retryAfter ?? 0) > longestRetryAfter) return false
  // A token or a scope is not mended by asking again at once.
  return error.status !== 401 && error.status !== 403
}
