import { escapeXml } from '#flows/check'
import { describeCaseFault } from '../format/fault.ts'
import type { CaseReport } from './report.ts'
import { describeProblem, describeUnknown } from './text.ts'

/** One test of the XML. `text`: the reason of a failure. */
interface Test {
  readonly name: string
  readonly file?: string
  readonly durationMs: number
  readonly failures: readonly string[]
  readonly skipped?: string | undefined
}

/** The report as JUnit XML: a suite for each flow, and a test for each case. Faults of files and unknown edges are failures. */
export function toJUnit(report: CaseReport): string {
  const { parts, windowFactor, windowExceptions = [], faults, results, coverage } = report
  const suites = [...Map.groupBy(results, ({ flow }) => flow)].map(([flow, ofFlow]): [string, Test[]] => [
    flow,
    [
      ...ofFlow.map(({ case: name, file, durationMs, problems, skipped }) => ({
        name,
        file,
        durationMs,
        failures: problems.map(describeProblem),
        skipped,
      })),
      ...coverage
        .filter(({ flow: { name }, unknown }) => name === flow && unknown.length > 0)
        .map(({ unknown }) => ({
          name: 'paths that the check knows',
          durationMs: 0,
          failures: unknown.map(describeUnknown),
        })),
    ],
  ])
  const broken = faults.map(fault => ({ name: describeCaseFault(fault), durationMs: 0, failures: [fault.message] }))
  const all: [string, readonly Test[]][] = [
    ...suites,
    ...(broken.length > 0 ? [['files', broken] as [string, Test[]]] : []),
  ]
  const factor = windowFactor === undefined ? [] : [`    <property name="windowFactor" value="${windowFactor}"/>`]
  const exceptions = windowExceptions.map(
    exception => `    <property name="windowException" value="${escapeXml(exception)}"/>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts(all.flatMap(([, tests]) => tests))}>`,
    ...all.flatMap(([name, tests]) => [
      `  <testsuite name="${escapeXml(name)}" ${counts(tests)}>`,
      '    <properties>',
      `    <property name="parts" value="${parts}"/>`,
      ...factor,
      ...exceptions,
      '    </properties>',
      ...tests.flatMap(test => toLines(name, test)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function counts(tests: readonly Test[]): string {
  const failures = tests.filter(({ failures }) => failures.length > 0).length
  const skipped = tests.filter(({ skipped }) => skipped !== undefined).length
  const seconds = tests.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1_000
  return `tests="${tests.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${seconds.toFixed(3)}"`
}

function toLines(suite: string, { name, file, durationMs, failures, skipped }: Test): string[] {
  const place = file === undefined ? '' : ` file="${escapeXml(file)}"`
  const head = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}"${place} time="${(durationMs / 1_000).toFixed(3)}"`
  if (skipped !== undefined) return [`${head}><skipped message="${escapeXml(skipped)}"/></testcase>`]
  if (failures.length === 0) return [`${head}/>`]
  // One element for all reasons: the schema that most readers follow allows one, and readers show the first or the last.
  const text = failures.join('\n')
  const failure = `<failure type="failure" message="${escapeXml(text.split('\n')[0] ?? '')}">${escapeXml(text)}</failure>`
  return [`${head}>`, `      ${failure}`, '    </testcase>']
}
