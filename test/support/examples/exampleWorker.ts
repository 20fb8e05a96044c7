import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { inject } from 'vitest'
import { childEnvironment } from '../childEnvironment.ts'
import { endProcess, hasEnded } from '../endProcess.ts'
import { eventually } from '../eventually.ts'
import type { Command } from './languages.ts'

/** Milliseconds of the start of a worker on a slow machine. */
const readyWithin = 120_000

/** Starts the worker of an example, on the server of the tests, and waits until it polls. */
export async function startWorker(
  { file, words, variables }: Command,
  settings: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const { address, namespace } = inject('temporal')
  const child = spawn(file, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...childEnvironment,
      // The developer's own home may contain a configuration of Temporal.
      HOME: tmpdir(),
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      ...settings,
      ...variables,
    },
  })
  let said = ''
  let isReady = false
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', line => {
      said += `${line}\n`
      isReady ||= line.startsWith('worker ready')
    })
  }
  const check = () => {
    if (hasEnded(child)) throw new Error(`the worker ended: ${said}`)
    return isReady
  }
  try {
    await eventually(check, readyWithin)
  } catch (error) {
    await endProcess(child)
    throw error
  }
  return child
}
