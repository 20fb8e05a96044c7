import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Edge, FlowDeclaration } from '#flows'
import { edgesOf } from '#flows/check'
import { closeWorlds, type FailingWork, openSimulation, type StoryEvent } from '#testing/simulator'
import { exampleOf } from '../../support/flows/drive.ts'
import { randomFlow } from '../../support/flows/randomFlows.ts'
import { seeded } from '../../support/seed.ts'

/** LOCKERFLOW_TEST_RUNS asks for more. */
const runs = Number(process.env.LOCKERFLOW_TEST_RUNS ?? 150)

/**
 * Ways that the flows have to take. In one of two hundred runs of the test, no flow of the first 150 skips a step, so
 * more flows run.
 */
const expected = ['reached', 'answer', 'skipped', 'cancel', 'cancelledOutside']
const maxRounds = 10

afterAll(closeWorlds)

/** An event of a story, as a function of the flow that it meets. */
type RandomEvent = (flow: FlowDeclaration) => StoryEvent | undefined

const pick = <Value>(values: readonly Value[], choice: number): Value | undefined => values[choice % values.length]

const ofRole = (toEvent: (role: string) => StoryEvent) =>
  fc.nat().map(
    (choice): RandomEvent =>
      flow => {
        const role = pick(rolesOf(flow), choice)
        return role === undefined ? undefined : toEvent(role)
      },
  )

const answer = fc.tuple(fc.nat(), fc.nat()).map(
  ([ofStep, ofAnswer]): RandomEvent =>
    ({ steps }) => {
      const step = pick(
        steps.flatMap(step => ('ask' in step ? [step] : [])),
        ofStep,
      )
      const [name, fields] = pick(Object.entries(step?.ask ?? {}), ofAnswer) ?? []
      if (step === undefined || name === undefined) return undefined
      const given = Object.entries(fields ?? {}).map(([field, type]) => [field, exampleOf(type)] as const)
      return { answer: name, step: step.name, fields: Object.fromEntries(given) }
    },
)

const failing = fc.tuple(fc.nat(), fc.constantFrom('unavailable', 'responseLost', 'NotAllowed')).map(
  ([choice, cause]): RandomEvent =>
    ({ steps }) => {
      const work = pick(
        steps.flatMap((step): Pick<FailingWork, 'book' | 'call' | 'run'>[] => {
          if ('book' in step) return [{ book: step.book }]
          if ('call' in step) return [{ call: step.call }]
          return 'run' in step ? [{ run: step.run }] : []
        }),
        choice,
      )
      if (work === undefined) return undefined
      return {
        fail: { ...work, times: 2, ...(cause === 'NotAllowed' ? { code: cause } : { fault: cause as 'unavailable' }) },
      }
    },
)

const always =
  (event: StoryEvent): RandomEvent =>
  () =>
    event

const event: fc.Arbitrary<RandomEvent> = fc.oneof(
  { weight: 4, arbitrary: ofRole(role => ({ dropOff: role })) },
  { weight: 4, arbitrary: ofRole(role => ({ pickUp: role })) },
  { weight: 1, arbitrary: ofRole(role => ({ cancelShipment: role })) },
  { weight: 5, arbitrary: answer },
  { weight: 1, arbitrary: failing },
  {
    weight: 2,
    arbitrary: fc.constantFrom('50ms' as const, '300ms' as const, '1h' as const).map(after => always({ after })),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('extend' as const, 'keepWaiting' as const, 'cancel' as const)
      .map(decide => always({ decide, ...(decide === 'extend' && { by: '1h' as const }) })),
  },
  { weight: 1, arbitrary: fc.constantFrom<StoryEvent>({ cancel: 'random' }, { cancelInWebUi: true }).map(always) },
  { weight: 1, arbitrary: fc.constant(always({ loseWorker: true })) },
)

test('flows at random take only the paths that the check knows, in any story', async () => {
  const ways = new Set<string>()
  const isComplete = () => expected.every(way => ways.has(way))
  for (let round = 0; round === 0 || (round < maxRounds && !isComplete()); round++) await runFlows(runs, ways)
  expect([...ways]).toEqual(expect.arrayContaining(expected))
})

/** Runs flows at random, and adds the paths that they take. */
async function runFlows(count: number, ways: Set<string>): Promise<void> {
  const story = fc.array(event, { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(randomFlow('random'), story, async ({ flow }, events) => {
      const simulation = await openSimulation({
        flows: { [flow.name]: flow },
        runs: { work: { returns: { at: 1 } }, undoWork: { returns: {} } },
      })
      try {
        await simulation.start({ flow: flow.name, request: { userUid: { $user: 1 } } })
        // An event that comes too early or too late is refused.
        for (const toEvent of events) {
          const next = toEvent(flow)
          if (next !== undefined) await simulation.apply(next).catch(() => undefined)
        }
        if (!simulation.hasEnded) await simulation.apply({ cancel: 'the end of the story' })
        for (let jumps = 0; !simulation.hasEnded && jumps < 1_000; jumps++) await simulation.jump()
        expect(simulation.hasEnded).toBe(true)
        const known = new Set(edgesOf(flow)?.map(toText))
        const taken = simulation.run().edges
        for (const { cause } of taken) ways.add(cause.split(':')[0] ?? '')
        expect(taken.map(toText).filter(edge => !known.has(edge))).toEqual([])
      } finally {
        await simulation.close()
      }
    }),
    seeded(count),
  )
}

function rolesOf({ steps }: FlowDeclaration): readonly string[] {
  return steps.flatMap(step => ('book' in step ? Object.values(step.as ?? {}) : []))
}

function toText({ step, cause, next }: Edge): string {
  return `${step} ${cause} ${next}`
}
