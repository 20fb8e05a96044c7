import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** A process of the cluster that can be killed and restarted. */
export interface Part {
  readonly name: string
  /** Starts the process and resolves when it is healthy. */
  start(): Promise<void>
  /** Kills it without notice, as a power cut would. */
  kill(): Promise<void>
  /** Stops it and waits for its end. @throws Error if it does not stop cleanly */
  stop(): Promise<void>
}

export interface ProcessOptions {
  readonly name: string
  readonly command: readonly string[]
  readonly folder: string
  readonly environment: Record<string, string>
  readonly logFile: string
  /** The health check: a command that exits with 0. */
  readonly check: () => Promise<boolean>
  /** Milliseconds before compose kills a process that does not stop. */
  readonly grace: number
  /** Exit codes of a clean stop. */
  readonly clean?: readonly (number | null)[]
}

/** Milliseconds until a part must be healthy. */
const readyTimeout = 90_000
const checkInterval = 200

/** A part that runs as a child process and ends with this process. */
export function processPart(options: ProcessOptions): Part {
  const { name, command, folder, environment, logFile, check, grace, clean = [0] } = options
  const [program = '', ...args] = command
  let child: ChildProcess | undefined
  process.once('exit', () => child?.kill('SIGKILL'))

  function failure(what: string): Error {
    return new Error(`${name} ${what}. Last lines of its log:\n${readFileSync(logFile, 'utf8').slice(-3_000)}`)
  }

  return {
    name,
    async start() {
      const log = openSync(logFile, 'a')
      child = spawn(program, args, {
        cwd: folder,
        env: { PATH: process.env.PATH, ...environment },
        stdio: ['ignore', log, log],
        // A separate group: Ctrl+C must reach only this process.
        detached: true,
      })
      closeSync(log)
      await once(child, 'spawn')
      for (const start = Date.now(); !(await check()); await pause(checkInterval)) {
        if (child.exitCode !== null) throw failure(`ended during its start with ${child.exitCode}`)
        if (Date.now() - start > readyTimeout) throw failure(`is not healthy after ${readyTimeout / 1_000} s`)
      }
    },
    async kill() {
      if (child === undefined || child.exitCode !== null) throw failure('had already ended')
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    async stop() {
      if (child === undefined || child.signalCode !== null) return
      if (child.exitCode !== null) throw failure(`had already ended with ${child.exitCode}`)
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const late = setTimeout(() => child?.kill('SIGKILL'), grace)
      const [code, signal] = await gone
      clearTimeout(late)
      if (!clean.includes(code)) throw failure(`did not stop cleanly (${signal ?? code})`)
    },
  }
}

/** True if the command exits with 0. */
export async function succeeds(command: string, args: readonly string[], folder: string): Promise<boolean> {
  const child = spawn(command, args, { cwd: folder, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  return code === 0
}
