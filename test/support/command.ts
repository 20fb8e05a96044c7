import { type CommandFailure, toFailure } from '../../cli/command/failure.ts'
import { createProgram, type GivenVerb } from '../../cli/command/program.ts'
import { groups, verbs } from '../../cli/verbs/index.ts'

/** A verb that has run in this process. */
export interface RanVerb {
  readonly code: number
  /** The values of `result` and `item`. */
  readonly values: readonly unknown[]
  /** The same for people. */
  readonly lines: readonly string[]
  readonly notes: readonly string[]
  readonly failure: CommandFailure | undefined
}

/** Runs a command line with an environment in this process, as the program does. */
export async function runVerb(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal = new AbortController().signal,
): Promise<RanVerb> {
  const [values, lines, notes]: [unknown[], string[], string[]] = [[], [], []]
  const before = process.exitCode
  process.exitCode = 0
  const output = {
    json: false,
    colours: false,
    result: (value: unknown, toLines: () => readonly string[]) => {
      values.push(value)
      lines.push(...toLines())
    },
    item: (value: unknown, toLine: () => string) => {
      values.push(value)
      lines.push(toLine())
    },
    note: (text: string) => notes.push(text),
    style: (_: string, text: string) => text,
  }
  let failure: CommandFailure | undefined
  try {
    let given: GivenVerb | undefined
    const events = {
      start: async (found: GivenVerb) => {
        given = found
      },
    }
    await createProgram(verbs, groups, events).parseAsync([...args], { from: 'user' })
    if (given === undefined) throw new Error(`no verb in ${args.join(' ')}`)
    const { verb, values: words, options } = given
    const { run } = await verb.load()
    await run({ values: words, options, output, environment, signal })
  } catch (error) {
    failure = toFailure(error)
  }
  const code = failure?.exitCode ?? Number(process.exitCode ?? 0)
  process.exitCode = before
  return { code, values, lines, notes, failure }
}
