import { describe, expect, test } from 'vitest'
import type { Simulation } from '#testing/simulator'
import { tell } from '../../support/simulator/journeys.ts'
import { untilEnd } from '../../support/simulator/useSimulations.ts'
import {
  agree,
  bringIn,
  decline,
  finish,
  repairForDays,
  useSimulatedWorkshop,
  workshopRuns,
} from '../../support/simulator/workshop.ts'

const start = useSimulatedWorkshop()
const refused = (code: string) => ({ kind: 'refused', code })

/** The results of the answers that the flow has completed. */
function answersOf(simulation: Simulation): unknown[] {
  return simulation
    .run()
    .timeLine.flatMap(entry => (entry.kind === 'updateCompleted' && entry.update === 'answer' ? [entry.result] : []))
}

test('a flow takes one answer: too early, wrong, twice at once, and another one', async () => {
  let together = false
  const simulation = await start({
    runs: repairForDays,
    // Two answers arrive before the next workflow task.
    delivery: arrived => (together && arrived.length < 2 ? [] : [...arrived.keys()]),
  })
  expect(simulation.status().stage).toBe('bringIn')
  expect(await simulation.apply(agree)).toMatchObject(refused('NotAskedYet'))
  await simulation.apply(bringIn)
  for (const wrong of [
    { ...agree, step: 'bringIn' },
    { ...agree, answer: 'maybe' },
    { ...agree, answer: ['agree'] },
    { ...agree, step: ['offer'] },
    { ...agree, fields: { cents: 'many' } },
  ]) {
    expect(await simulation.apply(wrong as never)).toMatchObject(refused('InvalidFlowInput'))
  }
  together = true
  await tell(simulation, [
    { ...agree, by: 'kim' },
    { ...agree, by: 'kim' },
  ])
  together = false
  expect(simulation.status().stage).toBe('repair')
  expect(await simulation.apply({ ...agree, by: 'robin' })).toEqual({ kind: 'done' })
  expect(await simulation.apply(decline)).toMatchObject(refused('AlreadyAnswered'))
  const answers = answersOf(simulation)
  expect(answers).toMatchObject([{ step: 'offer', answer: 'agree', fields: { cents: 4_900 }, by: 'kim' }, {}, {}])
  expect(answers).toEqual(answers.map(() => answers[0]))
  // The next attempt repeats the work.
  await tell(simulation, [{ loseWorker: true }, { after: '5d' }])
  await finish(simulation)
  expect(simulation.status().result).toMatchObject({ report: 'repaired' })
})

describe('while a flow is undone', () => {
  const runs = { ...repairForDays, voidLabel: { returns: {}, takes: '5s' } } as const

  test('the result of an answer is repeated, for a caller whose response was lost', async () => {
    const simulation = await start({ runs, events: [bringIn, agree, { cancelInWebUi: true }] })
    expect(simulation.status().state).toBe('cleaningUp')
    await simulation.apply(agree)
    expect(await simulation.apply(decline)).toMatchObject(refused('AlreadyAnswered'))
    const [given, again] = answersOf(simulation)
    expect(again).toEqual(given)
    await untilEnd(simulation)
    expect(simulation.run().outcome).toBe('cancelled')
  })

  test.each([
    ['is cancelled', 'cancelled', [bringIn, { cancelInWebUi: true }]],
    ['has expired', 'expired', [{ after: '1h' }]],
  ] as const)('an answer is refused, since it %s', async (_, outcome, events) => {
    const simulation = await start({ runs: { ...workshopRuns, voidLabel: runs.voidLabel }, events })
    expect(simulation.status().state).toBe('cleaningUp')
    expect(await simulation.apply(agree)).toMatchObject(refused('FlowEnded'))
    await untilEnd(simulation)
    expect(simulation.run().outcome).toBe(outcome)
  })
})
