import { describe, expect, test } from 'vitest'
import { flows } from '#flows'
import { type CaseReport, coverageOf, formatReport, toJsonReport, toJUnit } from '#testing/cases'

const edge = { step: 'booking', cause: 'reached', next: 'dropOff' } as const
const shared = { flow: 'stock', file: 'stock.yaml', skipped: undefined, durationMs: 12, edges: [edge] }
const problem = {
  place: { file: 'stock.yaml', line: 4, column: 7 },
  path: 'ends.outcome',
  message: 'Expected "a" & <b>.',
}
const results = [
  { ...shared, case: 'it works', problems: [] },
  { ...shared, case: 'it fails', problems: [problem] },
  { ...shared, case: 'it is left out', problems: [], skipped: 'the gateway loses no callbacks', edges: [] },
]
const fault = {
  file: 'x.yaml',
  line: 1,
  column: 2,
  case: '',
  path: '',
  code: 'NoCase',
  message: 'the file: must contain a case.',
} as const
const report: CaseReport = {
  parts: 'real parts',
  windowFactor: 1 / 3_600,
  faults: [fault],
  results,
  coverage: coverageOf(results, flows),
}

describe('the report', () => {
  test('for people names the factor, each case, each problem and each way', () => {
    const lines = formatReport(report).split('\n')
    expect(lines.slice(0, 7)).toEqual([
      'On real parts. All windows are 0.0002777777777777778 of their length: an hour takes 1 s.',
      'x.yaml:1:2: the file: must contain a case. [NoCase]',
      '',
      'stock',
      '  ✓ it works (12 ms)',
      '  ✗ it fails',
      '      stock.yaml:4:7: ends.outcome: Expected "a" & <b>.',
    ])
    expect(lines).toContain('stock: 1 of 9 paths taken')
    expect(lines).toContain('  not taken: booking → end (cancel)')
    expect(lines.at(-1)).toBe('1 passed, 1 failed, 1 not run, 1 fault in files')
  })

  test('names the windows that the factor does not scale', () => {
    const windowExceptions = ['Windows of book steps are not shortened below 20 s.']
    const scaled = { ...report, windowFactor: 0.5, windowExceptions }
    expect(formatReport(scaled).split('\n').slice(0, 2)).toEqual([
      'On real parts. Windows are 0.5 of their length: an hour takes 1800 s. Exceptions:',
      '  Windows of book steps are not shortened below 20 s.',
    ])
    expect(toJsonReport(scaled)).toMatchObject({ windowFactor: 0.5, windowExceptions })
    expect(toJsonReport(report)).not.toHaveProperty('windowExceptions')
    const property = `<property name="windowException" value="${windowExceptions[0]}"/>`
    expect([toJUnit(scaled).includes(property), toJUnit(report).includes('windowException')]).toEqual([true, false])
  })

  test('as JUnit XML has a test for each case, and escapes texts', () => {
    const xml = toJUnit(report)
    expect(xml).toContain('<testsuites tests="4" failures="2" errors="0" skipped="1" time="0.036">')
    expect(xml).toContain('<property name="windowFactor" value="0.0002777777777777778"/>')
    expect(xml).toContain('<testcase classname="stock" name="it works" file="stock.yaml" time="0.012"/>')
    expect(xml).toContain('Expected &quot;a&quot; &amp; &lt;b&gt;.</failure>')
    expect(xml).toContain('<skipped message="the gateway loses no callbacks"/>')
  })

  test('as JUnit XML has one failure for a case with several problems', () => {
    const [works, fails] = results as [(typeof results)[0], (typeof results)[0]]
    const several = { ...fails, problems: [problem, { ...problem, path: 'ends.leftOver' }] }
    const failed = toJUnit({ ...report, faults: [], results: [works, several] })
      .split('<testcase')
      .filter(test => test.includes('<failure'))
    expect(failed).toHaveLength(1)
    expect(failed[0]?.match(/<failure type="failure" message="[^"<]*ends\.outcome[^"<]*">/g)).toHaveLength(1)
    expect(failed[0]).toContain('ends.leftOver')
  })

  test('as JUnit XML leaves out characters that XML cannot have', () => {
    const name = 'a \u0000\u0008\ud800 "b" \u{1f600}'
    const xml = toJUnit({ ...report, results: results.map(result => ({ ...result, case: name })) })
    expect(xml).toContain('name="a  &quot;b&quot; \u{1f600}"')
  })

  test('as JSON has the coverage of each way', () => {
    const json = JSON.parse(JSON.stringify(toJsonReport(report)))
    expect(json).toMatchObject({
      parts: 'real parts',
      passed: false,
      faults: [fault],
      cases: [{ case: 'it works' }, {}, {}],
    })
    expect(json.coverage[0].edges[0]).toEqual({ ...edge, cases: 2 })
    expect(json.coverage[0].unseen).toHaveLength(8)
  })
})
