import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../childEnvironment.ts'

/** A process of the project. */
export interface Process {
  /** The part of the ready line that the pattern captured. */
  readonly found: string
  /** The lines of standard error so far. */
  readonly log: readonly string[]
  /** Ends it, and waits until it has ended. */
  stop(): Promise<void>
}

/** The ready line of each process, with what a test needs of it. */
const ready = {
  service: /^service ready: (\S+), /,
  gateway: /^gateway ready: callbacks at (\S+)\/callbacks$/,
  worker: /^(worker ready)/,
} as const

/** Starts a process of the project with these settings only, and waits until it is ready. */
export async function startMain(
  name: keyof typeof ready,
  settings: Readonly<Record<string, string>>,
): Promise<Process> {
  const main = fileURLToPath(new URL(`../../../${name}/main.ts`, import.meta.url))
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...childEnvironment, ...settings },
  })
  const log: string[] = []
  createInterface({ input: child.stderr }).on('line', line => log.push(line))
  const exited = once(child, 'close')
  for await (const line of createInterface({ input: child.stdout })) {
    const found = ready[name].exec(line)?.[1]
    if (found !== undefined) return { found, log, stop: () => end(child, exited) }
  }
  throw new Error(`the ${name} ended before it was ready: ${log.join('\n')}`)
}

async function end(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM')
  await exited
}
