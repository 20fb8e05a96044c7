import { runCommand } from '../../../cli/command/run.ts'
import { groups, verbs } from '../../../cli/verbs.ts'

/** The prints of a process of the command, with its exit code. */
export interface CommandRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command line in this process by the program's own frame: output, errors and exit code. */
export async function runCommandLine(
  environment: NodeJS.ProcessEnv,
  words: readonly string[],
  { terminal, signal = new AbortController().signal }: { terminal?: object; signal?: AbortSignal } = {},
): Promise<CommandRun> {
  const printed = { stdout: '', stderr: '' }
  const streamOf = (name: 'stdout' | 'stderr') => ({
    ...terminal,
    write: (text: string) => {
      printed[name] += text
    },
  })
  const code = await runCommand(words, {
    verbs,
    groups,
    readEnvironment: () => environment,
    interruption: { signal, isUsed: false, exitCode: undefined, stopTimeout: 0 },
    streams: { stdout: streamOf('stdout'), stderr: streamOf('stderr') },
  })
  return { code, ...printed }
}
