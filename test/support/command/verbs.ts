import { CommandFailure, toFailure } from '../../../cli/command/failure.ts'
import type { Output } from '../../../cli/command/output.ts'
import { createProgram } from '../../../cli/command/program.ts'
import type { VerbCall } from '../../../cli/command/verb.ts'
import { groups, verbs } from '../../../cli/verbs.ts'
import { eventually } from '../eventually.ts'

export interface RunningVerb {
  /** The values that the verb has printed, in the order of their output. */
  readonly values: readonly unknown[]
  readonly lines: readonly string[]
  readonly notes: readonly string[]
  /** Waits for a note that matches. */
  note(pattern: RegExp): Promise<RegExpExecArray>
  /** As by Ctrl-C. */
  interrupt(reason?: unknown): void
  /** Undefined after a success. */
  readonly ended: Promise<CommandFailure | undefined>
}

/** Starts a verb in this process, with the words of its command line. A process of its own would cost half a second. */
export function startVerb(environment: NodeJS.ProcessEnv, ...words: readonly string[]): RunningVerb {
  const interruption = new AbortController()
  const values: unknown[] = []
  const lines: string[] = []
  const notes: string[] = []
  const output: Output = {
    json: false,
    colours: false,
    result(value, text) {
      values.push(value)
      lines.push(...text())
    },
    item(value, text) {
      values.push(value)
      lines.push([text()].flat().join('\n'))
    },
    note: text => void notes.push([text].flat().join('\n')),
    style: (_style, text) => text,
  }
  const program = createProgram(verbs, groups, {
    async start({ verb, values: given, options }) {
      const { run } = await verb.load()
      const call: VerbCall = { values: given, options, output, environment, signal: interruption.signal }
      await run(call)
    },
  })
  const ended = program.parseAsync([...words], { from: 'user' }).then(
    () => undefined,
    error => toFailure(error),
  )
  return {
    values,
    lines,
    notes,
    note: pattern => eventually(() => notes.map(note => pattern.exec(note)).find(match => match !== null) ?? undefined),
    interrupt: reason => interruption.abort(reason),
    ended,
  }
}

/** Runs a verb to its end. @throws CommandFailure */
export async function runVerb(environment: NodeJS.ProcessEnv, ...words: readonly string[]): Promise<RunningVerb> {
  const running = startVerb(environment, ...words)
  const failure = await running.ended
  if (failure instanceof CommandFailure) throw failure
  return running
}
