import { once } from 'node:events'
import { constants } from 'node:os'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Milliseconds that a command has to stop after a signal. Supervisors kill after ten seconds. */
const stopTimeout = 9_000

/**
 * Runs a command and ends the process: with the exit code that the command returns, with 1 if it throws, and with
 * 128 + signal number if it throws because of a signal. A second signal ends the process immediately.
 * @param command gets a signal that aborts when the process is to stop
 */
export async function runInterruptible(
  name: string,
  command: (interrupted: AbortSignal) => Promise<number>,
): Promise<never> {
  const interruption = new AbortController()
  const { signal: interrupted } = interruption
  let code = 1
  for (const signal of signals) {
    process.on(signal, () => {
      if (interrupted.aborted) process.exit(code)
      code = 128 + constants.signals[signal]
      interruption.abort(new Error(`interrupted by ${signal}`))
      setTimeout(() => process.exit(code), stopTimeout).unref()
    })
  }
  try {
    code = await command(interrupted)
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
  // Not `exitCode`: a connection or native thread that is left over would keep the process.
  process.exit(code)
}

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
