import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./guard.sh', import.meta.url))

/**
 * Ends a child when this process is gone, even by SIGKILL. A shell reads from a pipe that only this process holds open.
 * Without a shell (Windows) the child outlives a SIGKILL of this process.
 * @param graceSeconds between SIGTERM and SIGKILL
 */
export function guardChild(child: ChildProcess, graceSeconds: number): void {
  // `spawn` emitted or is about to emit an error.
  if (child.pid === undefined) return
  const guard = spawn('sh', [script, String(child.pid), String(graceSeconds)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C in a terminal must not end the guard before its child.
    detached: true,
  })
  guard.once('error', () => undefined)
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  guard.unref()
  child.once('exit', () => guard.kill('SIGKILL'))
}
