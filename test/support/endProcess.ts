import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** True for a process that has ended by itself or by a signal. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Ends a process, and waits until it has ended and its output is complete. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  // A second end has no event.
  if (hasEnded(child)) return
  const closed = once(child, 'close')
  child.kill(signal)
  await closed
}
