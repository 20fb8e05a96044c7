import { exitCodes } from '../command/failure.ts'
import { commonOptions } from '../command/program.ts'
import { describeOption, type Verb, type VerbArgument } from '../command/verb.ts'
import { verbs as allVerbs } from '../verbs.ts'
import { generated, table } from './markdown.ts'

const verbs = allVerbs.filter(({ hidden }) => !hidden)

const introduction = `\`npx lockerflow\` is the one command for operators and integrators. In a clone, \`npm run lockerflow --\` runs the same program:
\`npm run lockerflow -- clients list\` is \`npx lockerflow clients list\`. \`lockerflow <verb> --help\` prints the part of this
page that belongs to a verb.

Results go to standard output, and errors, questions and progress to standard error. Colours appear on a terminal only, and
\`NO_COLOR=1\` switches them off. The first Ctrl-C lets the verb finish its current step. A second one ends it at once.`

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  failed: 'refused or failed',
  misused: 'used incorrectly: the command line or a setting is wrong',
  notReachable: 'the service, Temporal or the database is not reachable',
  pending: 'still pending: what the verb waits for has not happened yet',
}

const errors = `An error has a code of [errors](errors.md), a sentence that says what to do, and the id of the request if the service
answered with one. With \`--json\` it is one line on standard error, even where the results name what failed:
\`{"error":{"code","message","remedy","requestId","exitCode"}}\`. After a signal the code is \`Interrupted\`, and the exit code 128 plus the
number of the signal.`

/** docs/reference/command.md: every verb with its arguments, options and example. */
export function commandPage(): string {
  const codes = Object.entries(exitCodes) as [keyof typeof exitCodes, number][]
  return `${[
    generated,
    '# The command',
    introduction,
    '## Exit codes',
    table(
      ['code', 'meaning'],
      codes.map(([reason, code]) => [String(code), meanings[reason]]),
    ),
    errors,
    '## Options of every verb',
    table(
      ['option', 'meaning'],
      commonOptions.map(({ flags, summary }) => [`\`${flags}\``, summary]),
    ),
    '## Verbs',
    table(
      ['verb', 'what it does'],
      verbs.map(({ name, summary }) => [`[\`${name}\`](#${name.replaceAll(/[^a-z]+/g, '-')})`, summary]),
    ),
    ...verbs.map(entry),
  ].join('\n\n')}\n`
}

function entry(verb: Verb): string {
  const { name, summary, arguments: list = [], options = [], example } = verb
  const known = list.map(each => [`\`${toText(each)}\``, each.summary])
  const named = options.map(option => [
    `\`${option.flags}\``,
    option.default === undefined ? describeOption(option) : `${option.summary}; by default \`${option.default}\``,
  ])
  return [
    `### ${name.replaceAll(':', ' ')}`,
    summary,
    ...(known.length + named.length === 0 ? [] : [table(['argument', 'meaning'], [...known, ...named])]),
    `\`\`\`sh example\n${example}\n\`\`\``,
  ].join('\n\n')
}

function toText({ name, optional = false, variadic = false }: VerbArgument): string {
  const text = variadic ? `${name}...` : name
  return optional ? `[${text}]` : `<${text}>`
}
