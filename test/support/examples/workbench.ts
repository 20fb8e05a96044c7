import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inject } from 'vitest'
import { readEnvironment } from '../../../platform/environment.ts'
import { endProcess, hasEnded } from '../endProcess.ts'
import { eventually } from '../eventually.ts'
import { findPython, pythonWith } from '../setup/python.ts'
import type { Temporal } from '../world/settings.ts'
import { examples } from './languages.ts'

/** The Python worker of the repair shop, as a process. */
export interface Workbench {
  /** Its standard output so far. */
  readonly lines: readonly string[]
  line(start: string): Promise<string>
  /** Ends it without a chance to report to Temporal. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** The reason why the machine cannot run the worker; undefined if it can. */
export const lacksPython = (await findPython()) === undefined ? 'the PATH has no Python 3.10 or later' : undefined

const folder = join(examples, 'repair-shop', 'python')

/** Starts the worker, and waits until it polls. @param seconds of each of its three stages */
export async function startWorkbench(seconds: number, temporal: Temporal = inject('temporal')): Promise<Workbench> {
  const { command, variables } = await pythonWith({
    name: 'example',
    requirements: join(folder, 'requirements.txt'),
    cacheFolder: readEnvironment().cacheFolder,
    progress: line => console.error(line),
  })
  const child = spawn(command, [join(folder, 'repair.py')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      // The developer's own home may contain a configuration of Temporal.
      HOME: tmpdir(),
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      PYTHONDONTWRITEBYTECODE: '1',
      REPAIR_SECONDS: String(seconds),
      ...variables,
    },
  })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', line => lines.push(line))
  const line = (start: string) => eventually(() => lines.find(each => each.startsWith(start)))
  await line('worker ready')
  return { lines, line, kill: () => endProcess(child, 'SIGKILL'), stop: () => interrupt(child) }
}

/** Ends a process as Ctrl-C does. @throws Error if it does not end cleanly */
async function interrupt(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  await endProcess(child, 'SIGINT')
  if (child.exitCode !== 0) throw new Error(`the worker ended with ${child.exitCode ?? child.signalCode}, not with 0`)
}
