import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { eventually } from '../flows/eventually.ts'
import type { World } from '../flows/world.ts'
import type { Command } from './languages.ts'

/** An example that runs. */
export interface Running {
  /** Of its standard output, so far. */
  readonly lines: readonly string[]
  /** Waits for a line that begins like this. */
  line(start: string): Promise<string>
  /** Waits until it has ended; `said` is its standard error. */
  readonly ended: Promise<{ code: number | string; said: string }>
}

/** Starts an example with a flow's input as JSON; it is stopped when it does not end by itself. */
export function run(
  { file, words, variables }: Command,
  { taskQueue }: Pick<World, 'taskQueue'>,
  args: readonly string[],
  input: unknown,
): Running {
  const { address, namespace } = inject('temporal')
  const child = spawn(file, [...words, ...args], {
    stdio: 'pipe',
    timeout: 25_000,
    env: {
      PATH: process.env.PATH,
      // Not the developer's own, which may hold a configuration of Temporal.
      HOME: tmpdir(),
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      LOCKERFLOW_TASK_QUEUE: taskQueue,
      ...variables,
    },
  })
  // Some faults are found before the input is read.
  child.stdin.on('error', () => undefined)
  child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input))
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', line => lines.push(line))
  const said = text(child.stderr)
  const ended = once(child, 'close').then(async ([code, signal]) => ({ code: code ?? signal, said: await said }))
  return {
    lines,
    line: start => eventually(() => lines.find(line => line.startsWith(start)), 20_000),
    ended,
  }
}
