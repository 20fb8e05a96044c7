import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const graceMs = 5_000
const tailLines = 20

/** A server that runs as a child of this process and does not outlive it. */
export type ServerProcess = {
  pid: number
  /** Aborted when the process has ended, whoever ended it. */
  ended: AbortSignal
  logTail(): string
  stop(): Promise<void>
}

/** Starts a server process with its output in a file. */
export async function startProcess(command: string, args: readonly string[], logFile: string): Promise<ServerProcess> {
  const log = openSync(logFile, 'w')
  // In a group of its own: an interrupt from the keyboard is for us, who stop the server last.
  const child = spawn(command, args, { stdio: ['ignore', log, log], detached: true })
  closeSync(log)
  await once(child, 'spawn')
  if (child.pid === undefined) throw new Error(`${command} did not start`)

  const end = new AbortController()
  const guard = guardAgainstOrphan(child.pid)
  const killAtExit = () => child.kill('SIGTERM')
  process.once('exit', killAtExit)
  child.once('exit', () => {
    process.off('exit', killAtExit)
    guard.kill('SIGKILL')
    end.abort()
  })
  child.unref()
  return {
    pid: child.pid,
    ended: end.signal,
    logTail: () => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-tailLines).join('\n'),
    stop: () => stop(child),
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const patience = new AbortController()
  await Promise.race([exit, delay(graceMs, undefined, { signal: patience.signal }).catch(() => undefined)])
  patience.abort()
  child.kill('SIGKILL')
  await exit
}

/**
 * Ends the server when this process is killed without a chance to do it: a shell that reads from a pipe which only
 * we hold open, so that the pipe ends when we do.
 */
function guardAgainstOrphan(pid: number): ChildProcess {
  const script =
    'read _; kill -TERM "$1"; n=0; while kill -0 "$1" && [ $n -lt 50 ]; do sleep 0.1; n=$((n+1)); done; kill -KILL "$1"'
  const guard = spawn('sh', ['-c', script, 'sh', String(pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  // Without a shell (Windows) what remains is the hook on a normal exit.
  guard.once('error', () => undefined)
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  guard.unref()
  return guard
}
