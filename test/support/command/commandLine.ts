import { toFailure } from '../../../cli/command/failure.ts'
import { createProgram, type GivenVerb } from '../../../cli/command/program.ts'
import { groups, verbs } from '../../../cli/verbs.ts'

/** A command line, with the last word of its verb. */
export interface ReadCommand extends GivenVerb {
  readonly act: string
}

/**
 * Reads a command line without running its verb.
 * @throws CommandFailure as the command prints it
 */
export async function readCommand(...args: readonly string[]): Promise<ReadCommand> {
  const found: GivenVerb[] = []
  const program = createProgram(verbs, groups, {
    async start(given) {
      found.push(given)
    },
  })
  program.configureOutput({ writeErr: () => undefined })
  for (const group of program.commands) group.configureOutput({ writeErr: () => undefined })
  try {
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    throw toFailure(error)
  }
  const [given] = found
  if (given === undefined) throw new Error(`no verb ran for ${args.join(' ')}`)
  return { ...given, act: given.verb.name.split(' ').at(-1) ?? '' }
}
