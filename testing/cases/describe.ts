import { resolve } from 'node:path'
import { readCalendars } from '#activities/calendars'
import { flows as builtIn, type Edge, type FlowDeclaration } from '#flows'
import { describeFault, edgesOf, loadFlows } from '#flows/check'
import {
  type CaseResult,
  describeCaseFault,
  describeProblem,
  describeUnknown,
  findUnknown,
  loadCases,
  runCase,
} from '#testing/cases'
import type { StoryTarget } from '#testing/story'
import { createSimulatedTarget } from '#testing/story/simulated'

/** The functions of vitest, jest or node:test that make tests of cases. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown
  test(name: string, body: () => Promise<void>): unknown
}

/** The files of the cases, and the parts that they run on. */
export interface DescribeCasesOptions {
  /** Paths or patterns of files with cases. */
  readonly cases: readonly string[]
  /** Paths or patterns of files that declare your own flows. */
  readonly flows?: readonly string[]
  /** Path of a calendar file. Default: weekdays from nine to five. */
  readonly calendars?: string
  /** Paths and patterns are relative to it. Default: the folder of the process. */
  readonly folder?: string
  /** The parts that the cases run on. Default: the simulator. */
  readonly target?: StoryTarget
}

/**
 * Makes each test case a test, and each flow a group of tests. Await it at the top of a test file:
 *
 * ```ts
 * await describeCases({ describe, test }, { cases: ['cases/*.yaml'], flows: ['flows/*.yaml'] })
 * ```
 * @throws Error with a line for each fault of a file
 */
export async function describeCases({ describe, test }: TestRunner, options: DescribeCasesOptions): Promise<void> {
  const { cases: patterns, flows: own = [], folder = process.cwd() } = options
  const loaded = await loadFlows(own, { taken: Object.keys(builtIn), folder })
  const flows: Readonly<Record<string, FlowDeclaration>> = { ...builtIn, ...loaded.flows }
  const { cases, faults } = await loadCases(patterns, { flows, folder })
  const lines = [
    ...loaded.faults.filter(({ warning }) => !warning).map(describeFault),
    ...faults.map(describeCaseFault),
  ]
  if (lines.length > 0) throw new Error(lines.join('\n'))
  const { calendars } = options
  const read = calendars === undefined ? undefined : readCalendars(resolve(folder, calendars), 'calendars')
  const target = options.target ?? createSimulatedTarget(Object.values(loaded.flows), read)
  for (const [name, ofFlow] of Map.groupBy(cases, ({ test }) => test.flow)) {
    const flow = flows[name] as FlowDeclaration
    let explored: { readonly edges: readonly Edge[] | undefined } | undefined
    describe(name, () => {
      for (const one of ofFlow) {
        test(one.test.case, async () => {
          const result = await runCase(one, flow, target)
          // A complex flow is explored for seconds, and only if one of its cases runs.
          explored ??= { edges: edgesOf(flow) }
          const reasons = reasonsOf(result, explored.edges)
          if (reasons.length > 0) throw new Error(reasons.join('\n'))
        })
      }
    })
  }
}

/** The reasons why the test of a case fails. One that did not run must not look as if it had passed. */
function reasonsOf({ problems, skipped, edges }: CaseResult, explored: readonly Edge[] | undefined): string[] {
  return [
    ...problems.map(describeProblem),
    ...(skipped === undefined ? [] : [`The case was not run: ${skipped}.`]),
    ...new Set(findUnknown(explored, edges).map(describeUnknown)),
  ]
}
