import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { flows as builtIn } from '#flows'
import { describeProblem, loadCases, runCases } from '#testing/cases'
import { createSimulatedTarget } from '#testing/story/simulated'
import { booker, visit } from '../../support/cases/booker.ts'

const flows = { ...builtIn, booker }
const target = createSimulatedTarget([booker])

afterAll(() => target.stop())

async function run(text: string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lockerflow-placeholders-'))
  await writeFile(join(folder.path, 'cases.yaml'), text)
  const loaded = await loadCases(['cases.yaml'], { flows, folder: folder.path })
  expect(loaded.faults).toEqual([])
  return runCases(loaded, flows, target)
}

test('an answer, a result and an expected output have the values of their placeholders', async () => {
  const { results } = await run(visit)
  expect(results).toMatchObject([{ problems: [] }])
})

test.each([
  ['request: { pickUpPointUid: { $pup: 99 } }\n  story: []', '4:14: request.pickUpPointUid: $pup: must be at most '],
  ['request: { pickUpPointUid: { $item: toy } }\n  story: []', '4:14: request.pickUpPointUid: $item: must be a name '],
  [
    'request: { pickUpPointUid: pup-1 }\n  story: [{ answer: named, step: visit, fields: { visitor: { $user: 99 } } }]',
    '5:51: story[0].fields.visitor: $user: must be one of ',
  ],
  [
    'request: { pickUpPointUid: pup-1 }\n  story: []\n  runs: { findSlot: { returns: { place: { $pup: 99 } } } }',
    '6:34: runs.findSlot.returns.place: $pup: must be at most ',
  ],
  [
    'request: { pickUpPointUid: pup-1 }\n  story: [{ cancel: over }]\n  ends: { outputs: { place: { $pup: 99 } } }',
    '6:22: ends.outputs.place: $pup: must be at most ',
  ],
])('a placeholder without a value is reported at its place: %s', async (fields, problem) => {
  const { results } = await run(`\n- case: c\n  flow: booker\n  ${fields}\n`)
  expect(results.flatMap(({ problems }) => problems.map(describeProblem))).toEqual([
    expect.stringContaining(`cases.yaml:${problem}`),
  ])
})
