import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** Something of the cluster that can die and come back. */
export interface Part {
  readonly name: string
  /** Starts it, and answers once it is healthy. */
  start(): Promise<void>
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>
  /** Tells it to stop and waits until it has; throws when it does not stop cleanly. */
  stop(): Promise<void>
}

export interface ProcessOptions {
  readonly name: string
  readonly command: readonly string[]
  readonly folder: string
  readonly environment: Record<string, string>
  readonly logFile: string
  /** The health check: a command that ends with 0. */
  readonly check: () => Promise<boolean>
  /** Milliseconds that compose waits before it kills. */
  readonly grace: number
  /** Exit codes of a clean stop. */
  readonly clean?: readonly (number | null)[]
}

/** Milliseconds until a part has to be healthy. */
const patience = 90_000
const everyMs = 200

/** Part that is a process of this machine, and does not outlive this one. */
export function processPart(options: ProcessOptions): Part {
  const { name, command, folder, environment, logFile, check, grace, clean = [0] } = options
  const [program = '', ...args] = command
  let child: ChildProcess | undefined
  process.once('exit', () => child?.kill('SIGKILL'))

  function failure(what: string): Error {
    return new Error(`${name} ${what}. The end of its log:\n${readFileSync(logFile, 'utf8').slice(-3_000)}`)
  }

  return {
    name,
    async start() {
      const log = openSync(logFile, 'a')
      child = spawn(program, args, {
        cwd: folder,
        env: { PATH: process.env.PATH, ...environment },
        stdio: ['ignore', log, log],
        // An interrupt from the keyboard is for us.
        detached: true,
      })
      closeSync(log)
      await once(child, 'spawn')
      for (const start = Date.now(); !(await check()); await pause(everyMs)) {
        if (child.exitCode !== null) throw failure(`ended at its start with ${child.exitCode}`)
        if (Date.now() - start > patience) throw failure(`is not healthy after ${patience / 1_000} s`)
      }
    },
    async kill() {
      if (child === undefined || child.exitCode !== null) throw failure('was dead already')
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    async stop() {
      if (child === undefined || child.signalCode !== null) return
      if (child.exitCode !== null) throw failure(`had ended by itself with ${child.exitCode}`)
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const late = setTimeout(() => child?.kill('SIGKILL'), grace)
      const [code, signal] = await gone
      clearTimeout(late)
      if (!clean.includes(code)) throw failure(`did not stop cleanly (${signal ?? code})`)
    },
  }
}

/** Whether a command ends with 0. */
export async function succeeds(command: string, args: readonly string[], folder: string): Promise<boolean> {
  const child = spawn(command, args, { cwd: folder, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  return code === 0
}
