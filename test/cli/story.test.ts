import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { runVerb } from '../support/command.ts'
import { book } from '../support/flows/booking.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()
const folder = mkdtempSync(join(tmpdir(), 'lockerflow-test-'))
let environment: NodeJS.ProcessEnv

beforeAll(() => {
  const { address, namespace } = inject('temporal')
  const service = `http://127.0.0.1:${world.service.port}`
  environment = {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    LOCKERFLOW_TASK_QUEUE: world.taskQueue,
    LOCKERFLOW_BASE_URL: service,
    LOCKERFLOW_AUTH_URL: service,
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function journey(caseNo: string, text: string, ...words: string[]) {
  const file = join(folder, `${caseNo}.yaml`)
  writeFileSync(file, text)
  return runVerb(['simulate', 'journey', caseNo, '--story', file, ...words], environment)
}

test('a story is played with a running flow, which stays as the story leaves it', async () => {
  const { caseNo } = await book(world, 'stock', { dropOff: '300ms' })
  const story = [
    '- expect: { step: dropOff, overdue: true }',
    '- { decide: extend, by: 1h }',
    '- expect: { step: dropOff, overdue: false }',
  ]
  const played = await journey(caseNo, story.join('\n'))
  expect(played).toMatchObject({ code: 0, values: [{ word: { decide: 'extend', by: '1h' } }, { played: true }] })
  expect(played.lines[0]).toBe('decide extend, by 1h')
  expect(await world.flows.status(caseNo)).toMatchObject({ status: { state: 'waiting' } })

  const other = await journey(caseNo, '- dropOff: stock\n- expect: { outcome: cancelled }')
  expect(other).toMatchObject({ code: 1, values: [{ word: { dropOff: 'stock' } }, { played: false }] })
  expect(other.lines.at(-1)).toContain(`${caseNo}.yaml:2:22: story[1].expect.outcome: Expected "cancelled"`)
})

test('a test case starts its flow', async () => {
  const caseNo = world.newCase(1)
  const test = `
- case: it is cancelled
  flow: issue
  request: { $example: CreateLocalShipmentAsIssue }
  story: [{ cancel: not needed }]
- case: the user collects the item
  flow: issue
  request: { $example: CreateLocalShipmentAsIssue }
  story: [{ dropOff: issue }, { after: 10ms }, { pickUp: issue }]
  ends: { outcome: completed }
`
  expect(await journey(caseNo, test)).toMatchObject({
    code: 2,
    failure: { message: expect.stringContaining('--only: must be a part of the name of exactly one case') },
  })
  expect(await journey(caseNo, test, '--only', 'collects')).toMatchObject({ code: 0 })
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})

test.each([
  ['- dropOff: stock', 1, 'has no flow'],
  ['case: a\nflow: stock\nrequest: {}\nstory: [{ loseWorker: true }]', 2, 'the word loseWorker needs parts of its own'],
])('%j is refused', async (text, code, message) => {
  const refused = await journey('S-none', text)
  expect([refused.code, refused.failure?.message]).toEqual([code, expect.stringContaining(message)])
})

test('a story that goes back in time fails', async () => {
  const { caseNo } = await book(world, 'stock')
  const { code, lines } = await journey(caseNo, '- at: 2020-01-01T00:00:00Z')
  await world.flows.cancel(caseNo, 'over')
  expect([code, lines.at(-1)]).toEqual([1, expect.stringContaining('story[0]: at: must not be in the past.')])
})

const typo = 'case: a\nflow: stock\nrequest: { $example: CreateLocalShipmentAsStock }\nstory: [{ dropof: stock }]'
const word = '.yaml:4:9: "a" story[0]: must be one of dropOff, '

test.each([
  ['a test case with a typo', typo, word],
  [
    'a list of test cases, of which one has a typo',
    `[{ ${typo.replaceAll('\n', ', ')} }]`,
    ' "a" story[0]: must be one of ',
  ],
  [
    'a test case without its flow',
    typo.replace('flow: stock\n', ''),
    '.yaml:1:1: "a" flow: must be given. [MissingField]',
  ],
  ['no YAML', 'story: [', '.yaml:1:9: the file: must be YAML 1.2 or JSON: '],
  ['nothing', '', '.yaml: the file: must contain a case or a story. [NoCase]'],
])('a file with %s is refused with its faults, with a running flow or without one', async (_, text, fault) => {
  const { caseNo } = await book(world, 'stock')
  for (const named of ['S-none', caseNo]) {
    const refused = await journey(named, text)
    expect([refused.code, refused.failure?.message]).toEqual([2, expect.stringContaining(fault)])
    expect(refused.failure?.message).toMatch(/^--story: must be a story or a test case without faults\.\n/)
  }
  await world.flows.cancel(caseNo, 'over')
})

test('a file that does not exist is refused by its name', async () => {
  const { code, failure } = await runVerb(['simulate', 'journey', 'S-none', '--story', '/no/story.yaml'], environment)
  expect([code, failure?.message]).toEqual([
    2,
    expect.stringContaining('/no/story.yaml: the file: must be a file that can be read: ENOENT'),
  ])
})
