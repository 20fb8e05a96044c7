import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { addHelp, nameErrors, nameVerbs } from './group.ts'
import type { Streams } from './output.ts'
import { describeOption, type Verb, type VerbOption } from './verb.ts'
import { readVersion } from './version.ts'

/** A verb with the words and options of one command line. */
export interface GivenVerb {
  readonly verb: Verb
  readonly values: readonly (string | undefined)[]
  readonly options: Readonly<Record<string, unknown>>
}

/** The options of every verb. */
export const commonOptions: readonly VerbOption[] = [
  { flags: '--json', summary: 'Print JSON. A verb that streams prints one object per line' },
]

/** Summaries of the words that several verbs begin with. */
export type GroupSummaries = Readonly<Record<string, string>>

/** The callbacks of a command line. */
export interface ProgramEvents {
  /** Where help is printed; by default the streams of the process. */
  readonly streams?: Streams
  /** Starts the verb of the command line. */
  readonly start: (given: GivenVerb) => Promise<void>
  /** Called with the name of a verb or group whose words are wrong. */
  readonly misused?: (name: string) => void
}

/** Builds the command line of all verbs. Parsing throws a CommanderError instead of ending the process. */
export function createProgram(verbs: readonly Verb[], groups: GroupSummaries, events: ProgramEvents): Command {
  const program = new Command('lockerflow')
    .description('Parcel locker bookings as a service, and the durable flows that drive it on Temporal.')
    .version(readVersion(), '--version', 'Print the version')
    // Otherwise a verb takes the options of those whose names begin with its own.
    .enablePositionalOptions()
    // The frame prints errors itself, with code and remedy.
    .configureOutput({
      outputError: () => undefined,
      ...(events.streams && helpTo(events.streams)),
    })
    // By default, a list beside the names of verbs is not wrapped at the usual width of 80 columns.
    .configureHelp({ showGlobalOptions: false, minWidthToWrap: 20 })
  const known = new Map<string, Command>([['', program]])
  nameErrors(program, '', events.misused)
  // A verb comes before those whose names begin with its own, since it is their parent.
  for (const verb of verbs.toSorted((a, b) => countWords(a.name) - countWords(b.name))) {
    const { name } = verb
    known.set(name, addVerb(parentOf(known, name, groups, events.misused), verb, events))
  }
  const isVerb = (path: string) => verbs.some(({ name }) => name === path)
  for (const [path, group] of known) if (!isVerb(path)) addHelp(group, path, known)
  return program
}

function helpTo({ stdout, stderr }: Streams) {
  return { writeOut: (text: string) => void stdout.write(text), writeErr: (text: string) => void stderr.write(text) }
}

function countWords(name: string): number {
  return name.split(' ').length
}

function parentOf(
  known: Map<string, Command>,
  name: string,
  groups: GroupSummaries,
  misused: ProgramEvents['misused'],
): Command {
  const words = name.split(' ').slice(0, -1)
  const path = words.join(' ')
  const found = known.get(path)
  if (found !== undefined) return found
  const parent = parentOf(known, path, groups, misused)
  const group = parent.command(words.at(-1) ?? '').description(groups[path] ?? '')
  known.set(path, group)
  return nameErrors(group, path, misused)
}

function addVerb(parent: Command, verb: Verb, { start, misused }: ProgramEvents): Command {
  const { name } = verb
  const command = parent
    .command(name.split(' ').at(-1) ?? '', { hidden: verb.hidden === true })
    .summary(verb.summary)
    .description(verb.summary)
  command.exitOverride(error => {
    misused?.(name)
    throw error.code === 'commander.excessArguments' ? nameVerbs(error, name, command) : error
  })
  command.addHelpText('after', `\nExample:\n  $ ${verb.example}\n`)
  for (const { name: argument, summary, optional = false, variadic = false } of verb.arguments ?? []) {
    const text = variadic ? `${argument}...` : argument
    command.addArgument(new Argument(optional ? `[${text}]` : `<${text}>`, summary))
  }
  if (verb.passThrough) command.passThroughOptions().allowUnknownOption().helpOption(false)
  else for (const option of [...(verb.options ?? []), ...commonOptions]) command.addOption(toOption(option))
  if (verb.fields) command.allowUnknownOption().allowExcessArguments()
  return command.action(() =>
    start({
      verb,
      values: verb.fields ? command.args : (command.processedArgs.flat() as (string | undefined)[]),
      options: command.opts(),
    }),
  )
}

function toOption(declared: VerbOption): Option {
  const { flags, multiple, required = false, default: value } = declared
  const option = new Option(flags, describeOption(declared))
  if (value !== undefined) option.default(value)
  if (required) option.makeOptionMandatory()
  if (multiple) option.argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text])
  else if (flags.includes('<')) option.argParser(once(value))
  return option
}

/** A second value would take the place of the first one silently: another tenant, or another person. */
function once(value: VerbOption['default']): (text: string, before: unknown) => string {
  return (text, before) => {
    if (before !== undefined && before !== value) throw new InvalidArgumentError('must be given once.')
    return text
  }
}
