import type { FlowDeclaration } from '#flows'
import type { StoryTarget } from '#testing/story'
import type { LoadedCases } from '../read/load.ts'
import { type CaseResult, runCase } from '../run/run.ts'
import { coverageOf } from './coverage.ts'
import type { CaseReport } from './report.ts'

export interface RunCasesOptions {
  /** Names of flows whose paths are counted even without a case. */
  readonly own?: readonly string[]
  /** Called at the end of each case. */
  readonly onEnd?: (result: CaseResult) => void
}

/** Runs cases one after the other, and counts the paths that they take. */
export async function runCases(
  { cases, faults }: Pick<LoadedCases, 'cases' | 'faults'>,
  flows: Readonly<Record<string, FlowDeclaration>>,
  target: StoryTarget,
  { own = [], onEnd }: RunCasesOptions = {},
): Promise<CaseReport> {
  const results: CaseResult[] = []
  for (const loaded of cases) {
    const flow = flows[loaded.test.flow]
    if (flow === undefined) throw new Error(`flows: must contain ${loaded.test.flow}, since a case runs it.`)
    const result = await runCase(loaded, flow, target)
    results.push(result)
    onEnd?.(result)
  }
  const { parts, windowFactor, windowExceptions } = target
  return {
    parts,
    ...(windowFactor !== undefined && { windowFactor }),
    ...(windowExceptions && { windowExceptions }),
    faults,
    results,
    coverage: coverageOf(results, flows, own),
  }
}
