import { CommanderError } from 'commander'
import { CommandFailure, exitCodes, misuse, ReportedFailure, toFailure } from './failure.ts'
import type { Interruption } from './interruption.ts'
import { createOutput, type Streams, toText } from './output.ts'
import { createProgram, type GivenVerb, type GroupSummaries } from './program.ts'
import type { Verb } from './verb.ts'

export interface CommandOptions {
  readonly verbs: readonly Verb[]
  readonly groups: GroupSummaries
  /** The environment of the process, completed by the stack of the folder. */
  readonly readEnvironment: (verb: Pick<Verb, 'ownStack'>) => NodeJS.ProcessEnv
  readonly interruption: Interruption
  readonly streams: Streams
}

/** Runs a command line. Returns its exit code, after errors are printed. */
export async function runCommand(args: readonly string[], options: CommandOptions): Promise<number> {
  let name = 'lockerflow'
  const program = createProgram(options.verbs, options.groups, {
    streams: options.streams,
    misused: verb => {
      name = verb
    },
    async start(given) {
      name = given.verb.name
      await runVerb(given, options)
    },
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exitCodes.done
  } catch (error) {
    return report(name, error, options, args.includes('--json'))
  }
}

async function runVerb(
  { verb, values, options }: GivenVerb,
  { interruption, readEnvironment, streams }: CommandOptions,
): Promise<void> {
  const environment = readEnvironment(verb)
  if (verb.stopTimeout !== undefined) interruption.stopTimeout = verb.stopTimeout
  const { run } = await verb.load()
  await run({
    values,
    options,
    output: createOutput(options.json === true, streams),
    environment,
    get signal() {
      return interruption.signal
    },
  })
}

/** Prints an error. Returns the exit code. */
async function report(
  name: string,
  error: unknown,
  { interruption: { exitCode }, streams: { stderr } }: CommandOptions,
  json: boolean,
): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done
  // Commander has printed the help of a group.
  const isGroup = error instanceof CommanderError && error.code === 'commander.help'
  const given = isGroup ? misuse('one of these verbs must follow.') : toFailure(error)
  // Its results came before the signal.
  const isReported = given instanceof ReportedFailure
  const failure = exitCode === undefined || isReported ? given : interruptedBy(exitCode, given)
  const remedy = failure.remedy ?? (await findRemedy(name, failure.code))
  stderr.write(toText(json ? [toJson(failure, remedy)] : describe(name, failure, remedy)))
  return failure.exitCode
}

/** The failure of a verb that a signal ended. */
function interruptedBy(exitCode: number, { lines, remedy, requestId }: CommandFailure): CommandFailure {
  return new CommandFailure('Interrupted', lines, { exitCode, remedy, requestId })
}

/** The guide to all errors needs zod, so it is loaded for an error only. */
async function findRemedy(name: string, code: string): Promise<string> {
  if (code === 'InvalidArguments') return `Run lockerflow ${name === 'lockerflow' ? '' : `${name} `}--help.`
  const { errorGuide } = await import('#contract')
  const guide: Readonly<Record<string, { readonly remedy: string }>> = errorGuide
  return Object.hasOwn(guide, code) ? (guide[code]?.remedy ?? '') : (guide.CommandFailed?.remedy ?? '')
}

function describe(name: string, { lines, code, requestId }: CommandFailure, remedy: string): string[] {
  const [first, ...others] = lines
  const id = requestId === undefined ? '' : `, request id ${requestId}`
  return [`${name}: ${first}`, ...others, `  ${remedy}`, `  (${code}${id})`]
}

function toJson({ message, requestId, code, exitCode }: CommandFailure, remedy: string): string {
  return JSON.stringify({ error: { code, message, remedy, requestId, exitCode } })
}
