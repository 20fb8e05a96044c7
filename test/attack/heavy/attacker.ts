import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Target } from '../dispatcher.ts'

const loadProcess = fileURLToPath(new URL('./loadProcess.ts', import.meta.url))

export interface Attacker {
  /** Begins the load. */
  start(): void
  /** Ends the load and its process. Rejects if the process has ended before. */
  stop(): Promise<LoadCounts>
  /** Rejects when the load ends by itself. */
  readonly failed: Promise<never>
}

/** The work of a load. */
export interface LoadCounts {
  /** How often it began its work in each second. A row with 0 shows nothing. */
  readonly rate: number
  /** The part of the time in which its process used a processor. */
  readonly processor: number
}

/** Prepares a load in a process of its own, so that its requests do not delay the measured ones in this one. */
export async function prepareAttacker(name: string, target: Target): Promise<Attacker> {
  const child = fork(loadProcess, [name, JSON.stringify(target)], { stdio: 'inherit' })
  const exited = once(child, 'exit').then(([code, signal]) => code ?? signal)
  const prepared = await Promise.race([once(child, 'message'), exited])
  if (!Array.isArray(prepared)) throw new Error(`the preparation of the load ended with ${prepared}`)
  await yieldProcessors(child.pid ?? 0)
  const failed = exited.then(code => {
    throw new Error(`the load ended with ${code}`)
  })
  failed.catch(() => undefined)
  return {
    failed,
    start: () => void child.send('begin'),
    async stop() {
      const counted = once(child, 'message')
      child.kill('SIGTERM')
      const [counts] = await Promise.race([counted, failed])
      await exited
      return counts as LoadCounts
    },
  }
}

/**
 * Gives a process only what others leave of the processors: an attacker has its own. Linux interrupts an idle process at
 * once when another one has work, and one of the lowest priority only after its slice of some milliseconds.
 */
async function yieldProcessors(pid: number): Promise<void> {
  await promisify(execFile)('chrt', ['--all-tasks', '--idle', '--pid', '0', String(pid)]).catch(() => {
    const { PRIORITY_LOW } = constants.priority
    setPriority(pid, Math.min(getPriority() + PRIORITY_LOW, PRIORITY_LOW))
  })
}
