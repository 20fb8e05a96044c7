import { createCommandLine } from '../commandLine.ts'

const usage = [
  'npm run flows -- check <files or patterns> [--activities <module>] [--connect] [--json]',
  'npm run flows -- types <files or patterns>',
  'npm run flows -- diagram <files or patterns> [--at <step>]',
  'npm run flows -- test <cases> [--flows <files or patterns>] [--real [--factor <number>]] [--junit <file>] [--json] [--diagram] [--covered]',
].join('\n')

const { parse, usageError } = createCommandLine(usage, {
  activities: { type: 'string' },
  at: { type: 'string' },
  connect: { type: 'boolean' },
  json: { type: 'boolean' },
  flows: { type: 'string', multiple: true },
  real: { type: 'boolean' },
  factor: { type: 'string' },
  junit: { type: 'string' },
  diagram: { type: 'boolean' },
  covered: { type: 'boolean' },
})

/** The options of each verb. */
const verbs = {
  check: ['activities', 'connect', 'json'],
  types: [],
  diagram: ['at'],
  test: ['flows', 'real', 'factor', 'junit', 'json', 'diagram', 'covered'],
} as const satisfies Record<string, readonly (keyof ReturnType<typeof parse>['values'])[]>

/** The options of `test`. */
export interface CasesArguments {
  /** The declarations of own flows that cases run. */
  readonly flows: readonly string[]
  /** Cases run on real parts. */
  readonly real: boolean
  /** Scales all windows on real parts. */
  readonly factor: number | undefined
  /** The file of the JUnit report. */
  readonly junit: string | undefined
  /** A picture of the ways of each flow is printed. */
  readonly diagram: boolean
  /** Every way must be taken. */
  readonly covered: boolean
}

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
  /** The options of `test`; undefined for other verbs. */
  readonly cases: CasesArguments | undefined
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
  const { activities, at, connect = false, json = false, junit } = values
  const { flows = [], real = false, diagram = false, covered = false } = values
  if (values.factor !== undefined && !real) throw usageError('--factor: must be given with --real only.')
  const factor = values.factor === undefined ? undefined : readFactor(values.factor)
  const cases = act === 'test' ? { flows, real, factor, junit, diagram, covered } : undefined
  return { act, patterns, activities, at, connect, json, cases }
}

function readFactor(text: string): number {
  const factor = Number(text)
  if (!(factor > 0 && factor <= 1)) throw usageError(`--factor: must be above 0 and at most 1, got ${text}.`)
  return factor
}

function isVerb(text: string): text is keyof typeof verbs {
  return Object.hasOwn(verbs, text)
}
