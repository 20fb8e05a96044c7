import { ApiFault } from './failures.ts'
import type { Transport } from './transport.ts'

/** Milliseconds before the first retry, doubled each time, with jitter. */
const initialInterval = 50

/** The longest `Retry-After` that a read waits for, in seconds. With a longer one the caller decides. */
const maxRetryAfter = 1.5

export interface ReadRetries extends Pick<Transport, 'pause'> {
  readonly retries: number
  readonly signal?: AbortSignal
}

/** Retries a read after transient faults. For reads only: a repeated change could take effect twice. */
export async function retryRead<T>({ retries, pause, signal }: ReadRetries, read: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (attempt >= retries || signal?.aborted || !isRetryable(error)) throw error
      const backoff = initialInterval * 2 ** attempt * (0.5 + Math.random())
      await pause(Math.max(backoff, (error.retryAfter ?? 0) * 1_000), signal)
    }
  }
}

function isRetryable(error: unknown): error is ApiFault {
  if (!(error instanceof ApiFault) || !error.retryable || (error.retryAfter ?? 0) > maxRetryAfter) return false
  // A rejected token or scope stays rejected for the next seconds.
  return error.status !== 401 && error.status !== 403
}
