import { createCommandLine } from '../commandLine.ts'

const usage = [
  'npm run flows -- check <files or patterns> [--activities <module>] [--connect] [--json]',
  'npm run flows -- types <files or patterns>',
  'npm run flows -- diagram <files or patterns> [--at <step>]',
  'npm run flows -- diagram <case or history> [--svg <file>]',
  'npm run flows -- test <cases> [--flows <files or patterns>] [--real [--factor <number>]] [--junit <file>] [--json] [--diagram] [--covered]',
  'npm run flows -- simulate <flow> --request <file> [--story <file>] [--flows <files or patterns>] [--seed <number>] [--start <moment>] [--json]',
].join('\n')

const { parse, usageError } = createCommandLine(usage, {
  activities: { type: 'string' },
  at: { type: 'string' },
  svg: { type: 'string' },
  connect: { type: 'boolean' },
  request: { type: 'string' },
  seed: { type: 'string' },
  start: { type: 'string' },
  story: { type: 'string' },
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
  diagram: ['at', 'svg'],
  test: ['flows', 'real', 'factor', 'junit', 'json', 'diagram', 'covered'],
  simulate: ['flows', 'request', 'seed', 'start', 'story', 'json'],
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

/** The options of `simulate`. */
export interface SimulationArguments {
  /** The declarations of own flows. */
  readonly flows: readonly string[]
  /** A file with the request of the flow. */
  readonly request: string
  readonly seed: number | undefined
  /** Milliseconds since 1970. */
  readonly start: number | undefined
  /** A file with the events. */
  readonly story: string | undefined
}

export interface FlowsArguments {
  readonly act: keyof typeof verbs
  /** For `simulate`, the name of a flow. */
  readonly patterns: readonly string[]
  /** The module whose functions are the activities of the worker. */
  readonly activities: string | undefined
  /** A step of the diagram, or `end`. */
  readonly at: string | undefined
  /** The file of the picture of a case. */
  readonly svg: string | undefined
  /** The task queues of run steps are checked for workers. */
  readonly connect: boolean
  readonly json: boolean
  /** The options of `test`; undefined for other verbs. */
  readonly cases: CasesArguments | undefined
  /** The options of `simulate`; undefined for other verbs. */
  readonly simulation: SimulationArguments | undefined
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
  const { activities, at, svg, connect = false, json = false, junit } = values
  const { flows = [], real = false, diagram = false, covered = false } = values
  if (values.factor !== undefined && !real) throw usageError('--factor: must be given with --real only.')
  const factor = values.factor === undefined ? undefined : readFactor(values.factor)
  const cases = act === 'test' ? { flows, real, factor, junit, diagram, covered } : undefined
  const simulation = act === 'simulate' ? readSimulation(values, patterns) : undefined
  return { act, patterns, activities, at, svg, connect, json, cases, simulation }
}

function readFactor(text: string): number {
  const factor = Number(text)
  if (!(factor > 0 && factor <= 1)) throw usageError(`--factor: must be above 0 and at most 1, got ${text}.`)
  return factor
}

function readSimulation(
  { flows = [], request, story, ...values }: ReturnType<typeof parse>['values'],
  names: readonly string[],
): SimulationArguments {
  if (names.length !== 1) throw usageError('flow: must be the name of one flow.')
  if (request === undefined) throw usageError('--request: must be given, a file with the request as JSON.')
  const seed = values.seed === undefined ? undefined : Number(values.seed)
  if (seed !== undefined && !Number.isSafeInteger(seed)) throw usageError('--seed: must be an integer.')
  const start = values.start === undefined ? undefined : Date.parse(values.start)
  if (Number.isNaN(start)) throw usageError('--start: must be a moment such as 2027-03-01T08:00:00Z.')
  return { flows, request, story, seed, start }
}

function isVerb(text: string): text is keyof typeof verbs {
  return Object.hasOwn(verbs, text)
}
