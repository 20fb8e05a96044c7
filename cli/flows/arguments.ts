import { misuse } from '../command/failure.ts'
import { type Given, isGiven, readMoment, textOf, textsOf } from '../command/values.ts'

/** The verbs after `flows`. */
export type FlowsAct = 'check' | 'types' | 'diagram' | 'test' | 'simulate'

/** The options of `test`. */
export interface CasesArguments {
  /** The declarations of custom flows that cases run. */
  readonly flows: readonly string[]
  /** Cases run on real parts. */
  readonly real: boolean
  /** Scales all windows on real parts. */
  readonly factor: number | undefined
  /** The file of the JUnit report. */
  readonly junit: string | undefined
  /** Prints a picture of the paths of each flow. */
  readonly diagram: boolean
  /** Every way must be taken. */
  readonly covered: boolean
  /** The calendar file. */
  readonly calendars: string | undefined
}

/** The options of `simulate`. */
export interface SimulationArguments {
  /** The declarations of custom flows. */
  readonly flows: readonly string[]
  /** A file with the request of the flow. */
  readonly request: string
  readonly seed: number | undefined
  /** Milliseconds since 1970. */
  readonly start: number | undefined
  /** A file with the events. */
  readonly story: string | undefined
  /** The calendar file. */
  readonly calendars: string | undefined
}

export interface FlowsArguments {
  readonly act: FlowsAct
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
  /** The options of `test`; undefined for other verbs. */
  readonly cases: CasesArguments | undefined
  /** The options of `simulate`; undefined for other verbs. */
  readonly simulation: SimulationArguments | undefined
}

/**
 * Reads the words after `flows <act>`.
 * @throws CommandFailure that names the argument
 */
export function readFlows(act: FlowsAct, given: Given): FlowsArguments {
  const real = isGiven(given, 'real')
  const factor = textOf(given, 'factor')
  if (factor !== undefined && !real) throw misuse('--factor: must be given with --real only.')
  const cases = {
    flows: textsOf(given, 'flows'),
    real,
    factor: factor === undefined ? undefined : readFactor(factor),
    junit: textOf(given, 'junit'),
    diagram: isGiven(given, 'diagram'),
    covered: isGiven(given, 'covered'),
    calendars: textOf(given, 'calendars'),
  }
  return {
    act,
    patterns: given.values.filter(value => value !== undefined),
    activities: textOf(given, 'activities'),
    at: textOf(given, 'at'),
    svg: textOf(given, 'svg'),
    connect: isGiven(given, 'connect'),
    cases: act === 'test' ? cases : undefined,
    simulation: act === 'simulate' ? readSimulation(given) : undefined,
  }
}

function readFactor(text: string): number {
  const factor = Number(text)
  if (!(factor > 0 && factor <= 1)) throw misuse(`--factor: must be above 0 and at most 1, got "${text}".`)
  return factor
}

function readSimulation(given: Given): SimulationArguments {
  const [seedText, startText] = [textOf(given, 'seed'), textOf(given, 'start')]
  const seed = seedText === undefined ? undefined : Number(seedText)
  if (seed !== undefined && !Number.isSafeInteger(seed)) throw misuse(`--seed: must be an integer, got "${seedText}".`)
  const start = readMoment('--start', startText, Date.now())
  const [request = '', story] = [textOf(given, 'request'), textOf(given, 'story')]
  return { flows: textsOf(given, 'flows'), request, story, seed, start, calendars: textOf(given, 'calendars') }
}
