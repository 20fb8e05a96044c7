import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { flows } from '#flows'
import { describeProblem, loadCases, runCases } from '#testing/cases'
import { createSimulatedTarget } from '#testing/story/simulated'

const target = createSimulatedTarget()

afterAll(() => target.stop())

async function problemsOf(text: string): Promise<readonly string[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lockerflow-ends-'))
  await writeFile(join(folder.path, 'cases.yaml'), text)
  const { results } = await runCases(await loadCases(['cases.yaml'], { flows, folder: folder.path }), flows, target)
  return results.flatMap(({ problems }) => problems.map(describeProblem))
}

const wrong = '{ case: a wrong request, flow: issue, request: { PupUid: pup-1 }, story: []'
const failed = 'It is failed with InvalidFlowInput: request: AllowLargerLockers is missing; '

test('a case without an end fails if its flow fails', async () => {
  expect(await problemsOf(`${wrong} }`)).toEqual([
    expect.stringContaining(`cases.yaml:1:1: ends: must be given for a flow that fails. ${failed}`),
  ])
  expect(await problemsOf(`${wrong}, ends: { code: InvalidFlowInput } }`)).toEqual([])
})

test.each([
  ['leftOver', '{ leftOver: [] }'],
  ['no field', '{}'],
])('an end with %s fails if its flow fails', async (_, ends) => {
  expect(await problemsOf(`${wrong}, ends: ${ends} }`)).toEqual([
    expect.stringContaining(`ends.outcome: must be given for a flow that fails. ${failed}`),
  ])
})

test('an event at a shipment that a failed flow has not booked has the message once', async () => {
  const [problem = '', ...others] = await problemsOf(`${wrong.replace('[]', '[{ dropOff: issue }]')} }`)
  expect(others).toEqual([])
  expect(problem.split('AllowLargerLockers is missing')).toHaveLength(2)
})

test('a case without an end passes while its flow waits', async () => {
  const request = '{ $example: CreateLocalShipmentAsIssue }'
  expect(await problemsOf(`{ case: waits, flow: issue, request: ${request}, story: [] }`)).toEqual([])
})

test.each([
  ['an event', wrong.replace('[]', '[{ cancel: x }]'), 'FlowEnded: The flow has ended. '],
  ['another code', `${wrong}, ends: { code: NoLockerAvailable }`, 'but it is "InvalidFlowInput". '],
  ['another outcome', `${wrong}, ends: { outcome: completed }`, 'but it is "failed". '],
])('the problem of %s has the message of the failure, which names the fields', async (_, text, problem) => {
  expect(await problemsOf(`${text} }`)).toEqual([expect.stringContaining(`${problem}${failed}`)])
})
