import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { childEnvironment } from '../childEnvironment.ts'
import { eventually } from '../eventually.ts'
import type { World } from '../world/flowWorld.ts'
import type { Command } from './languages.ts'

/** A running example. */
export interface Running {
  /** Its standard output so far. */
  readonly lines: readonly string[]
  /** Waits for a line with this beginning. */
  line(start: string): Promise<string>
  /** Waits for its end; `said` is its standard error. */
  readonly ended: Promise<{ code: number | string; said: string }>
}

/** Starts an example with the input of a flow as JSON. Kills it at the end of the test. */
export function run(
  { file, words, variables }: Command,
  { taskQueue }: Pick<World, 'taskQueue'>,
  args: readonly string[],
  input: unknown,
): Running {
  const { address, namespace } = inject('temporal')
  const child = spawn(file, [...words, ...args], {
    stdio: 'pipe',
    timeout: 120_000,
    env: {
      ...childEnvironment,
      // The developer's own home may contain a configuration of Temporal.
      HOME: tmpdir(),
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      LOCKERFLOW_TASK_QUEUE: taskQueue,
      ...variables,
    },
  })
  // Some examples fail before they read the input.
  child.stdin.on('error', () => undefined)
  child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input))
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', line => lines.push(line))
  const said = text(child.stderr)
  const ended = once(child, 'close').then(async ([code, signal]) => ({ code: code ?? signal, said: await said }))
  return {
    lines,
    line: start => eventually(() => lines.find(line => line.startsWith(start))),
    ended,
  }
}
