import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { root } from '../../project/sources.ts'
import { childEnvironment } from '../childEnvironment.ts'
import type { CommandRun } from './processLike.ts'

/** Runs a command line in a process of its own, for what a process alone has: standard input and signals. */
export async function runProcess(
  environment: NodeJS.ProcessEnv,
  words: readonly string[],
  input = '',
): Promise<CommandRun> {
  const child = spawn(process.execPath, ['cli/lockerflow.ts', ...words], {
    cwd: root,
    env: { ...childEnvironment, ...environment },
  })
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: Number(code), stdout, stderr }
}
