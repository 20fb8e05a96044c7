import { toEdgeKey } from './coverage.ts'
import { type CaseReport, hasFailed } from './report.ts'

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
