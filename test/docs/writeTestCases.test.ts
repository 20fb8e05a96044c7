import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { flows as builtIn, type FlowDeclaration } from '#flows'
import { describeProblem, formatReport, loadCases, runCases } from '#testing/cases'
import { createSimulatedTarget } from '#testing/story/simulated'
import { root } from '../project/sources.ts'

const flows: Readonly<Record<string, FlowDeclaration>> = builtIn
const page = await readFile(join(root, 'docs/how-to/test-your-flows.md'), 'utf8')
const [, text = ''] = /```yaml\n(.*?)```/s.exec(page) ?? []
const folder = await mkdtemp(join(tmpdir(), 'lockerflow-page-'))
const target = createSimulatedTarget()

afterAll(async () => {
  await target.stop()
  await rm(folder, { recursive: true, force: true })
})

async function run(cases: string) {
  await writeFile(join(folder, 'issue.yaml'), cases)
  return runCases(await loadCases(['issue.yaml'], { flows, folder }), flows, target)
}

test('the cases of the page pass, and take as many paths as the page says', async () => {
  const report = await run(text)
  expect(report.faults).toEqual([])
  expect(report.results.flatMap(({ problems }) => problems.map(describeProblem))).toEqual([])
  const [, ways] = /^ +(issue: \d+ of \d+ paths taken)$/m.exec(page) ?? []
  expect(formatReport(report)).toContain(ways)
})

test('a case that fails is reported as the page shows', async () => {
  const { results } = await run(text.replace('step: pickUp }', 'step: dropOff }'))
  const [problem] = results[0]?.problems ?? []
  expect(page).toContain(problem && describeProblem(problem))
})
