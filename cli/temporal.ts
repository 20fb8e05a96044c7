import { spawn } from 'node:child_process'
import { findTemporalCommand } from '#testing/temporal'
import { CommandFailure } from './command/failure.ts'
import type { VerbCall } from './command/verb.ts'

/** Runs Temporal's command with the words of the command line, and ends with its exit code. */
export async function run({ values, environment, output, signal }: VerbCall): Promise<void> {
  const command = await findTemporalCommand(line => output.note(line))
  const words = values.filter(value => value !== undefined)
  const child = spawn(command, words, { stdio: 'inherit', env: environment, signal, killSignal: 'SIGTERM' })
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  child.once('error', error => (error.name === 'AbortError' ? resolve(0) : reject(error)))
  child.once('close', code => resolve(code ?? 1))
  const exitCode = await promise
  if (exitCode !== 0)
    throw new CommandFailure('CommandFailed', `Temporal's command ended with ${exitCode}.`, { exitCode })
}
