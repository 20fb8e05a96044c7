import { toEdgeKey } from './coverage.ts'
import { type CaseReport, hasFailed } from './report.ts'

/** The report as JSON, for other programs. */
export function toJsonReport(report: CaseReport): string {
  const { parts, windowFactor, faults, results, coverage } = report
  return JSON.stringify(
    {
      parts,
      ...(windowFactor !== undefined && { windowFactor }),
      passed: !hasFailed(report),
      faults,
      cases: results.map(({ skipped, ...result }) => ({ ...result, ...(skipped !== undefined && { skipped }) })),
      coverage: coverage.map(({ flow, edges, taken, unseen, unknown }) => ({
        flow: flow.name,
        edges: edges?.map(edge => ({ ...edge, cases: taken.get(toEdgeKey(edge)) ?? 0 })) ?? null,
        unseen,
        unknown,
      })),
    },
    undefined,
    2,
  )
}
