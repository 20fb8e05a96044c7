import type { CommandFailure } from '../../cli/command/failure.ts'
import { startVerb } from './command/verbs.ts'

/** A verb that has run in this process. */
export interface RanVerb {
  readonly code: number
  /** The values of `result` and `item`. */
  readonly values: readonly unknown[]
  /** The values of `result` and `item` as people see them. */
  readonly lines: readonly string[]
  readonly notes: readonly string[]
  readonly failure: CommandFailure | undefined
}

/** Runs a command line with an environment in this process to its end, whatever that is. */
export async function runVerb(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<RanVerb> {
  const running = startVerb(environment, ...args)
  signal?.addEventListener('abort', () => running.interrupt(signal.reason))
  const failure = await running.ended
  return { ...running, code: failure?.exitCode ?? 0, failure }
}
