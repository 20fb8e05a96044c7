import { ApiFault } from './failures.ts'
import type { Transport } from './transport.ts'
import { TransportError } from './transportError.ts'

/** Milliseconds before the first retry, doubled each time, with jitter. */
const initialInterval = 50

/** Maximum `Retry-After` that a read waits for, in seconds. With a longer one the caller decides. */
const maxRetryAfter = 1.5

export interface ReadRetries extends Pick<Transport, 'pause'> {
  readonly retries: number
  readonly signal?: AbortSignal
}

/** Retries a read after transient faults. For reads only: a retried change could take effect twice. */
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

/** How a create is sent: within milliseconds, and whether on a new connection. */
export type SendCreate<T> = (timeout: number, newConnection: boolean) => Promise<T>

/**
 * Sends a create that has an idempotency key, and once more if the connection closes before a response begins: a server may
 * close a kept connection at the moment when a request is on its way.
 * @param timeout milliseconds for both together
 */
export async function repeatUnanswered<T>(timeout: number, send: SendCreate<T>): Promise<T> {
  const deadline = performance.now() + timeout
  try {
    return await send(timeout, false)
  } catch (first) {
    if (!isUnanswered(first)) throw first
    return send(Math.max(1, deadline - performance.now()), true).catch((second: unknown) => {
      // The second request had no effect, and the first one may have had one.
      throw second instanceof ApiFault && !second.outcomeUnknown ? first : second
    })
  }
}

/** A sign-in without a response has the same cause. */
function isUnanswered(error: unknown): boolean {
  const { code, cause } = error instanceof ApiFault ? error : {}
  return code === 'NoResponse' && cause instanceof TransportError && cause.unanswered
}
