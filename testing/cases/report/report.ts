import type { StoryTarget } from '#testing/story'
import type { CaseFault } from '../format/fault.ts'
import type { CaseResult } from '../run/run.ts'
import { type Coverage, toEdgeKey } from './coverage.ts'

/** The results of a run of cases. */
export interface CaseReport {
  readonly parts: StoryTarget['parts']
  /** The factor that scaled all windows; absent where time costs nothing. */
  readonly windowFactor?: number
  /** Sentences about windows that had another length. */
  readonly windowExceptions?: readonly string[]
  readonly faults: readonly CaseFault[]
  readonly results: readonly CaseResult[]
  readonly coverage: readonly Coverage[]
}

/** True if a case has failed, a file has a fault, or a flow took an edge that its exploration does not know. */
export function hasFailed({ faults, results, coverage }: CaseReport): boolean {
  return (
    faults.length > 0 ||
    results.some(({ problems }) => problems.length > 0) ||
    coverage.some(({ unknown }) => unknown.length > 0)
  )
}

/** True if every edge of every flow was taken. */
export function isCovered({ coverage }: CaseReport): boolean {
  return coverage.every(({ edges, unseen }) => edges !== undefined && unseen.length === 0)
}

/** The report for other programs, as a value of JSON. */
export function toJsonReport(report: CaseReport): object {
  const { parts, windowFactor, windowExceptions, faults, results, coverage } = report
  return {
    parts,
    ...(windowFactor !== undefined && { windowFactor }),
    ...(windowExceptions && { windowExceptions }),
    passed: !hasFailed(report),
    faults,
    cases: results.map(({ skipped, ...result }) => ({ ...result, ...(skipped !== undefined && { skipped }) })),
    coverage: coverage.map(({ flow, edges, taken, unseen, unknown }) => ({
      flow: flow.name,
      edges: edges?.map(edge => ({ ...edge, cases: taken.get(toEdgeKey(edge)) ?? 0 })) ?? null,
      unseen,
      unknown,
    })),
  }
}
