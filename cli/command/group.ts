import { type Command, CommanderError } from 'commander'

/** The commands of a program, by all words after `lockerflow`. */
export type KnownCommands = ReadonlyMap<string, Command>

/**
 * Adds the name of a group to the errors of its words.
 * @param path the words of the group, '' for the program
 * @param misused called with the words of the group
 */
export function nameErrors(group: Command, path: string, misused: ((name: string) => void) | undefined): Command {
  const name = path === '' ? 'lockerflow' : path
  return group.helpCommand(false).exitOverride(error => {
    if (error.exitCode !== 0) misused?.(name)
    if (error.code === 'commander.unknownOption') throw asPremature(error)
    throw error.code === 'commander.unknownCommand' ? withGroup(error, path) : error
  })
}

/** Adds the help of a group. Commander's own ignores a word that the group has not, and all words but the first. */
export function addHelp(group: Command, path: string, known: KnownCommands): void {
  group
    .command('help')
    .summary('display help for command')
    .argument('[verb...]')
    .action(async (words: string[]) => showHelp(known, path, words))
}

/** The message of commander does not name the group. Its second line is a suggestion. */
function withGroup({ exitCode, code, message }: CommanderError, path: string): CommanderError {
  const [first, ...others] = message.split('\n')
  return new CommanderError(exitCode, code, [`${first} of ${`lockerflow ${path}`.trim()}`, ...others].join('\n'))
}

/** A group has no options: an option of its verbs came too early. */
function asPremature({ exitCode, code, message }: CommanderError): CommanderError {
  return new CommanderError(exitCode, code, message.replace('unknown option', 'premature option'))
}

/** A word too many may be a misspelled verb below the verb. */
export function nameVerbs(error: CommanderError, path: string, { commands }: Command): CommanderError {
  const names = commands.map(command => command.name())
  if (names.length === 0) return error
  const { exitCode, code, message } = error
  return new CommanderError(exitCode, code, `${message}\nThe verbs of lockerflow ${path} are ${names.join(', ')}.`)
}

/** @throws CommanderError for a word that its group has not */
async function showHelp(known: KnownCommands, path: string, [word, ...others]: readonly string[]): Promise<void> {
  const command = known.get(path)
  const next = word === undefined ? undefined : known.get(`${path} ${word}`.trim())
  if (word !== undefined && next !== undefined) return showHelp(known, `${path} ${word}`.trim(), others)
  // A verb that has others below it would run.
  const isGroup = command?.commands.some(child => child.name() === 'help')
  if (word !== undefined && isGroup) await command?.parseAsync([word], { from: 'user' })
  command?.help()
}
