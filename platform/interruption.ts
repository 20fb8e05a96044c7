import { once } from 'node:events'

/** Waits for the abort of a signal. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

/**
 * Waits for a promise, but not longer than until the abort of a signal.
 * @throws the signal's reason
 */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: abort, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  return Promise.race([promise, abort]).finally(() => signal.removeEventListener('abort', onAbort))
}
