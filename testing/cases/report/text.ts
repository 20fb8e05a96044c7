import { toPrintable } from '#contract/terms'
import type { Edge } from '#flows'
import { describeCaseFault } from '../format/fault.ts'
import type { CaseResult, Problem } from '../run/run.ts'
import type { Coverage } from './coverage.ts'
import type { CaseReport } from './report.ts'

/** The report for people: a line for each case, the problems of those that failed, and the coverage of each flow. */
export function formatReport(report: CaseReport): string {
  const { faults, results, coverage } = report
  return [
    ...headline(report),
    ...faults.map(describeCaseFault),
    ...[...Map.groupBy(results, ({ flow }) => flow)].flatMap(([flow, ofFlow]) => [
      '',
      flow,
      ...ofFlow.flatMap(toLines),
    ]),
    '',
    ...coverage.flatMap(coverageLines),
    sum(report),
  ]
    .map(toPrintable)
    .join('\n')
}

function headline({ parts, windowFactor, windowExceptions = [] }: CaseReport): string[] {
  const place = `On ${parts === 'simulator' ? 'the simulator' : parts}.`
  if (windowFactor === undefined) return [place]
  const scaled = `indows are ${windowFactor} of their length: ${describeHour(windowFactor)}`
  if (windowExceptions.length === 0) return [`${place} All w${scaled}.`]
  return [`${place} W${scaled}. Exceptions:`, ...windowExceptions.map(exception => `  ${exception}`)]
}

/** An hour times the factor, as people read it. */
function describeHour(factor: number): string {
  const seconds = 3_600 * factor
  return `an hour takes ${seconds >= 1 ? `${Number(seconds.toFixed(1))} s` : `${Number((seconds * 1_000).toFixed(1))} ms`}`
}

/** A line for a case, and one for each of its problems. */
export function formatResult(result: CaseResult): string {
  return toLines(result).map(toPrintable).join('\n')
}

function toLines({ case: name, problems, skipped, durationMs }: CaseResult): string[] {
  if (skipped !== undefined) return [`  - ${name}: not run, ${skipped}`]
  if (problems.length === 0) return [`  ✓ ${name} (${Math.round(durationMs)} ms)`]
  return [`  ✗ ${name}`, ...problems.map(problem => `      ${describeProblem(problem)}`)]
}

/** One line: the place, the field and the sentence. */
export function describeProblem({ place: { file, line, column }, path, message }: Problem): string {
  const place = [file, line, column].filter(part => part !== undefined).join(':')
  return `${place}: ${path && `${path}: `}${message}`
}

function coverageLines({ flow, edges, unseen, unknown }: Coverage): string[] {
  if (edges === undefined) return [`${flow.name}: too complex to count its paths`]
  return [
    `${flow.name}: ${edges.length - unseen.length} of ${edges.length} paths taken`,
    ...unseen.map(edge => `  not taken: ${describeEdge(edge)}`),
    ...unknown.map(edge => `  unknown: ${describeUnknown(edge)}`),
  ]
}

export function describeEdge({ step, cause, next }: Edge): string {
  return `${step} → ${next} (${cause})`
}

/** The sentence for an edge that the exploration does not know. */
export function describeUnknown(edge: Edge): string {
  return `${describeEdge(edge)}. A case took this way, and the check of declarations does not know it: a defect of the check.`
}

function sum({ results, faults }: CaseReport): string {
  const failed = results.filter(({ problems }) => problems.length > 0).length
  const skipped = results.filter(({ skipped }) => skipped !== undefined).length
  const parts = [
    `${results.length - failed - skipped} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} not run`] : []),
    ...(faults.length > 0 ? [`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} in files`] : []),
  ]
  return parts.join(', ')
}
