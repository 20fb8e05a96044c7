import { createCommandLine } from '../commandLine.ts'

const usage = [
  'npm run flows -- check <files or patterns> [--activities <module>] [--connect] [--json]',
  'npm run flows -- types <files or patterns>',
  'npm run flows -- diagram <files or patterns> [--at <step>]',
].join('\n')

const { parse, usageError } = createCommandLine(usage, {
  activities: { type: 'string' },
  at: { type: 'string' },
  connect: { type: 'boolean' },
  json: { type: 'boolean' },
})

/** The options of each verb. */
const verbs = { check: ['activities', 'connect', 'json'], types: [], diagram: ['at'] } as const satisfies Record<
  string,
  readonly (keyof ReturnType<typeof parse>['values'])[]
>

export interface FlowsArguments {
  readonly act: keyof typeof verbs
  readonly patterns: readonly string[]
  /** The module whose functions are the activities of the worker. */
  readonly activities: string | undefined
  /** A step of the diagram, or `end`. */
  readonly at: string | undefined
  /** The task queues of run steps are checked for workers. */
  readonly connect: boolean
  readonly json: boolean
}

/**
 * Reads the command line.
 * @throws Error that names the argument, with the usage
 */
export function readArguments(args: readonly string[]): FlowsArguments {
  const { values, positionals } = parse(args)
  const [act, ...patterns] = positionals
  if (act === undefined || !isVerb(act)) throw usageError(`verb: must be one of ${Object.keys(verbs).join(', ')}.`)
  if (patterns.length === 0) throw usageError('files: must be given, such as ./flows/*.yaml.')
  const allowed: readonly string[] = verbs[act]
  for (const name of Object.keys(values)) {
    if (!allowed.includes(name)) throw usageError(`--${name}: must not be given to ${act}.`)
  }
  const { activities, at, connect = false, json = false } = values
  return { act, patterns, activities, at, connect, json }
}

function isVerb(text: string): text is keyof typeof verbs {
  return Object.hasOwn(verbs, text)
}
