import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const graceMs = 5_000
const tailLines = 20

/** A child of this process that does not outlive it. */
export type ServerProcess = {
  pid: number
  /** Aborts when the process has ended for any reason. */
  ended: AbortSignal
  logTail(): readonly string[]
  stop(): Promise<void>
}

const guardScript = fileURLToPath(new URL('./guard.sh', import.meta.url))

/** Starts a server and writes its output to a file. */
export async function startProcess(command: string, args: readonly string[], logFile: string): Promise<ServerProcess> {
  const log = openSync(logFile, 'w')
  // In a session of its own: Ctrl-C reaches only this process, which stops the server last.
  const child = spawn(command, args, { stdio: ['ignore', log, log], detached: true })
  closeSync(log)
  await once(child, 'spawn')
  if (child.pid === undefined) throw new Error(`${command} did not start`)

  const end = new AbortController()
  guardChild(child, graceMs / 1_000)
  const killAtExit = () => child.kill('SIGTERM')
  process.once('exit', killAtExit)
  child.once('exit', () => {
    process.off('exit', killAtExit)
    end.abort()
  })
  child.unref()
  return {
    pid: child.pid,
    ended: end.signal,
    logTail: () => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-tailLines),
    stop: () => stop(child),
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = new AbortController()
  await Promise.race([exit, delay(graceMs, undefined, { signal: timer.signal }).catch(() => undefined)])
  timer.abort()
  child.kill('SIGKILL')
  await exit
}

/**
 * Ends a child when this process is gone, even by SIGKILL. A shell reads from a pipe that only this process holds open.
 * Without a shell (Windows) the child outlives a SIGKILL of this process.
 * @param graceSeconds between SIGTERM and SIGKILL
 */
export function guardChild(child: ChildProcess, graceSeconds: number): void {
  // `spawn` emitted or is about to emit an error.
  if (child.pid === undefined) return
  const guard = spawn('sh', [guardScript, String(child.pid), String(graceSeconds)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C in a terminal must not end the guard before its child.
    detached: true,
  })
  guard.once('error', () => undefined)
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  guard.unref()
  child.once('exit', () => guard.kill('SIGKILL'))
}
