import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultPayloadConverter } from '@temporalio/common'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type FlowDeclaration, type FlowInput, flows } from '#flows'
import { type LoadedCase, loadCases, runCase, runCases, type TestCase } from '#testing/cases'
import type { EventWord, StoryTarget } from '#testing/story'
import { createRealTarget } from '#testing/story/real'
import { createSimulatedTarget } from '#testing/story/simulated'
import { shortestEffect } from '../../../activities/plan/windows.ts'
import { toInput } from '../../../testing/simulator/options.ts'
import type { RealTarget } from '../../../testing/story/real/target.ts'
import { booker, visit } from '../../support/cases/booker.ts'
import { loadShipped } from '../../support/cases/shipped.ts'
import { bundle } from '../../support/world/bundle.ts'
import { installTestRuntime } from '../../support/world/runtime.ts'

/** 48 hours are ten seconds. */
const windowFactor = 10 / (48 * 3_600)

let real: RealTarget
let shipped: readonly LoadedCase[]
let flowOf: (test: TestCase) => FlowDeclaration
const simulated = createSimulatedTarget()

beforeAll(async () => {
  installTestRuntime()
  const loaded = await loadShipped()
  shipped = loaded.cases.cases
  flowOf = ({ flow }) => loaded.flows[flow] as FlowDeclaration
  real = await createRealTarget({ temporal: inject('temporal'), windowFactor, flows: [booker], bundle: await bundle() })
})

afterAll(async () => {
  await real.stop()
  await simulated.stop()
})

/** One case of the flow `issue` for each outcome. */
const cases = {
  completed: 'the user collects the item',
  cancelled: 'the case is cancelled before the item is in the locker',
  expired: 'the item is not placed in time, and the booking expires',
  failed: 'every locker is taken, and nothing is booked',
}

test.each(Object.entries(cases))('%s: "%s" passes on real parts, on the same paths', async (outcome, name) => {
  const loaded = shipped.find(({ test }) => test.flow === 'issue' && test.case === name)
  if (loaded === undefined) throw new Error(`no case ${name}`)
  expect(loaded.test.ends?.outcome).toBe(outcome)
  const { problems, edges } = await runCase(loaded, flows.issue, real)
  expect(problems).toEqual([])
  expect(edges).toEqual((await runCase(loaded, flows.issue, simulated)).edges)
})

/** Cases that need a lost callback, or the result of an activity of the project. */
const withParts = [
  'the case is cancelled before the flow hears of the stock',
  'another program cancels the stock before the flow hears of it',
  'the file is imported',
  'the import is cancelled while it runs',
]

test.each(withParts)('"%s" passes on real parts, on the same paths', async name => {
  const loaded = shipped.find(({ test }) => test.case === name)
  if (loaded === undefined) throw new Error(`no case ${name}`)
  const flow = flows[loaded.test.flow as keyof typeof flows]
  const { problems, edges, skipped } = await runCase(loaded, flow, real)
  expect({ problems, skipped }).toEqual({ problems: [], skipped: undefined })
  expect(edges).toEqual((await runCase(loaded, flow, simulated)).edges)
})

test('an answer and a result have the values of their placeholders', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lockerflow-placeholders-'))
  await writeFile(join(folder.path, 'cases.yaml'), visit)
  const { cases } = await loadCases(['cases.yaml'], { flows: { booker }, folder: folder.path })
  const { results } = await runCases({ cases, faults: [] }, { booker }, real)
  expect(results).toMatchObject([{ problems: [], skipped: undefined }])
})

test('a flow of the project starts with the fingerprint that the simulator sends', async () => {
  const test: TestCase = { case: 'starts', flow: 'booker', request: { pickUpPointUid: 'pup-1' }, story: [] }
  const run = await real.start({ story: test, flow: booker, failing: [] })
  const payloads = (await run.history()).events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads
  await run.close()
  const { declaration } = defaultPayloadConverter.fromPayload<FlowInput>(payloads?.[0] ?? {})
  expect(declaration).toBeDefined()
  expect(declaration).toBe(toInput({ flow: 'booker', caseNo: '', request: test.request }, booker).declaration)
})

describe('the parts', () => {
  test('leave no shipped case out', () => {
    const left = shipped.filter(({ test }) => real.unsupported?.(test, flowOf(test)) !== undefined)
    expect(left.map(({ test }) => test.case)).toEqual([])
    expect(shipped.length).toBeGreaterThan(100)
  })

  test('do not run a case that waits for a date', async () => {
    const [loaded] = shipped
    if (loaded === undefined) throw new Error('no case')
    const story = [{ dropOff: 'issue' }, { at: '2027-03-05T09:00:00Z' }]
    const { problems, edges, skipped } = await runCase(
      { ...loaded, test: { ...loaded.test, story } },
      flows.issue,
      real,
    )
    expect({ problems, edges }).toEqual({ problems: [], edges: [] })
    expect(skipped).toContain('story[1].at: must be { $in } with a time after the start')
  })

  test('say which windows the factor does not scale', () => {
    expect(real.windowExceptions).toEqual([
      expect.stringContaining(`book, call and run steps are not shortened below ${shortestEffect / 1_000} s`),
      expect.stringContaining('after lasts at least 1 s'),
      expect.stringContaining('without a condition counts as 14d'),
    ])
  })
})

test('a case without an end fails if its flow fails, on both parts alike', async () => {
  const loaded = shipped.find(({ test }) => test.flow === 'issue')
  if (loaded === undefined) throw new Error('no case')
  const problemsOn = async (target: StoryTarget, test: Partial<TestCase>) => {
    const { ends: _, before: _before, ...rest } = { ...loaded.test, story: [], ...test }
    return (await runCase({ ...loaded, test: rest }, flows.issue, target)).problems.map(({ message }) => message)
  }
  for (const [request, code] of [
    [{ ...loaded.test.request, PupUid: 'nowhere' }, 'InvalidPupUid'],
    [{ PupUid: 'pup-1' }, 'InvalidFlowInput: request: AllowLargerLockers is missing'],
  ] as const) {
    const problems = await problemsOn(real, { flow: 'issue', request })
    expect(problems).toEqual([expect.stringContaining(`It is failed with ${code}`)])
    expect(problems).toEqual(await problemsOn(simulated, { flow: 'issue', request }))
  }
})

/** Words whose step, booking or state the story has not reached. */
const early: Readonly<Record<string, EventWord>> = {
  'a code that opens no locker yet': { pickUp: 'issue' },
  'a role that is not booked': { dropOff: 'intake' },
  'a decision without an expired window': { decide: 'cancel' },
}

test('a word that comes too early fails soon, with the text of the simulator', async () => {
  const loaded = shipped.find(({ test }) => test.flow === 'issue' && test.case === cases.completed)
  if (loaded === undefined) throw new Error('no case')
  const { ends: _, ...rest } = loaded.test
  const play = async (word: EventWord, target: StoryTarget) => {
    const { problems, durationMs } = await runCase({ ...loaded, test: { ...rest, story: [word] } }, flows.issue, target)
    return { texts: problems.map(({ message }) => message), isSoon: durationMs < 50_000 }
  }
  const played = Object.entries(early).map(async ([what, word]) => ({ what, ...(await play(word, real)) }))
  const expected = Object.entries(early).map(async ([what, word]) => ({ what, ...(await play(word, simulated)) }))
  expect(await Promise.all(played)).toEqual(await Promise.all(expected))
})

test('a moment before the one that the story has reached fails, on both parts alike', async () => {
  const loaded = shipped.find(({ test }) => test.flow === 'issue' && test.case === cases.completed)
  if (loaded === undefined) throw new Error('no case')
  const { ends: _, ...rest } = loaded.test
  // The events take time on real parts, and none in the story.
  const story = [{ after: '1h' }, { dropOff: 'issue' }, { at: { $in: '1h' } }, { at: { $in: '59m' } }] as const
  for (const target of [simulated, real]) {
    const { problems } = await runCase({ ...loaded, test: { ...rest, story } }, flows.issue, target)
    expect(problems).toMatchObject([
      { path: 'story[3]', message: expect.stringContaining('at: must not be in the past.') },
    ])
  }
})

test('a case that fails names the field and the state', async () => {
  const loaded = shipped.find(({ test }) => test.case === cases.cancelled)
  if (loaded === undefined) throw new Error('no case')
  const wrong = { ...loaded, test: { ...loaded.test, ends: { outcome: 'expired' as const } } }
  const { problems } = await runCase(wrong, flows.issue, real)
  expect(problems).toMatchObject([{ path: 'ends.outcome', message: expect.stringContaining('"cancelled"') }])
})
