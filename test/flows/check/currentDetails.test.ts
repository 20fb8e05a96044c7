import { afterAll, describe, expect, test } from 'vitest'
import { checkFlows } from '#flows/check'
import type { FlowDeclaration, Step } from '#flows/declaration'
import type { Topology } from '#service'
import { closeWorlds, openSimulation, type StoryEvent } from '#testing/simulator'
import { topology as usual } from '../../support/world/settings.ts'

/** Bytes of current details in the Web UI. */
const most = 20_000

/** Lockers with the longest names. */
const topology: Topology = {
  ...usual,
  pickUpPoints: usual.pickUpPoints.map(pickUpPoint =>
    pickUpPoint.pupUid !== 'pup-1'
      ? pickUpPoint
      : {
          ...pickUpPoint,
          lockers: Array.from({ length: 30 }, (_, at) => ({
            names: `${'L'.repeat(98)}${10 + at}`,
            width: 40,
            height: 40,
            length: 60,
          })),
        },
  ),
}

afterAll(closeWorlds)

/** Each mark of it has a backslash in the current details. */
const marks = '!'.repeat(200)

/** Steps in which this many parcels come and go, with names of a length. */
function parcels(count: number, length: number): Step[] {
  return Array.from({ length: count }, (_, at) => {
    const role = `p${String(at).padStart(length - 2, '0')}`
    return [
      {
        name: `b${role}`,
        summary: marks,
        book: 'CreateLocalShipmentAsIntake',
        as: { intake: role },
        request: {
          PupUid: 'pup-1',
          FromUserUid: { from: 'input.userUid' },
          AllowLargerLockers: true,
          AllowOverflowLockers: false,
          Dimension: { width: 10, height: 10, length: 10 },
        },
      },
      {
        name: `w${role}`,
        summary: marks,
        wait: { [role]: 'Completed' },
        window: '1d',
        onTimeout: 'remind',
        leaves: marks,
      },
    ] satisfies Step[]
  }).flat()
}

/** A question with this many answers, whose names and fields have a length. */
function question(answers: number, length: number): Step {
  const names = Array.from({ length: answers }, (_, at) => `a${String(at).padStart(length - 1, '0')}`)
  return {
    name: 'question',
    summary: marks,
    who: marks,
    ask: Object.fromEntries(names.map(name => [name, { [`f${'_'.repeat(length - 1)}`]: { optional: 'text' } }])),
    window: '1d',
    onTimeout: 'remind',
  }
}

function flowOf(steps: readonly Step[]): FlowDeclaration {
  const answers = steps.flatMap(step => ('ask' in step ? [`${step.name}.answer`] : []))
  return {
    name: 'largest',
    summary: marks,
    input: { userUid: 'uid' },
    steps,
    outputs: Object.fromEntries(answers.map(path => ['answer', path])),
  }
}

function isTooLarge(flow: FlowDeclaration): boolean {
  const faults = checkFlows([flow]).filter(({ warning }) => !warning)
  expect(faults.filter(({ code }) => code !== 'LimitExceeded')).toEqual([])
  return faults.length > 0
}

/** The flow with the longest names that the check allows. */
function largestOf(make: (length: number) => FlowDeclaration): FlowDeclaration {
  for (let length = 100; length >= 5; length -= 5) {
    const flow = make(length)
    if (!isTooLarge(flow)) return flow
  }
  throw new Error('every flow is too large')
}

/** The current details after the start and after each event, and after a cancellation. */
async function allCurrentDetails(flow: FlowDeclaration): Promise<string[]> {
  const simulation = await openSimulation({ flows: { [flow.name]: flow }, topology })
  try {
    const events = flow.steps.flatMap((step): StoryEvent[] =>
      'wait' in step ? Object.keys(step.wait).flatMap(role => [{ dropOff: role }, { pickUp: role }]) : [],
    )
    await simulation.start({ flow: flow.name, request: { userUid: { $user: 1 } }, caseNo: '長'.repeat(60) })
    const shown = [simulation.currentDetails]
    for (const event of [...events, { cancel: 'the end' }]) {
      expect(await simulation.apply(event)).toEqual({ kind: 'done' })
      shown.push(simulation.currentDetails)
    }
    while (!simulation.hasEnded && (await simulation.jump()));
    shown.push(simulation.currentDetails)
    expect(shown.at(-1)).toContain('Ended')
    return shown
  } finally {
    await simulation.close()
  }
}

describe('the largest allowed flow fits the Web UI in every step', () => {
  test.each([
    ['with parcels and left-overs', (length: number) => flowOf([...parcels(14, length), question(2, 10)])],
    ['with as many answers as allowed', (length: number) => flowOf([...parcels(1, 10), question(32, length)])],
    ['with both', (length: number) => flowOf([...parcels(8, length), question(32, length)])],
  ])('%s', async (_, make) => {
    const flow = largestOf(make)
    const sizes = (await allCurrentDetails(flow)).map(text => Buffer.byteLength(text))
    expect(Math.max(...sizes)).toBeLessThan(most)
    // It is not far from the limit, so that a smaller estimate would be found.
    expect(Math.max(...sizes)).toBeGreaterThan(most / 2)
  })
})

test('the check counts the sentences of left-overs, and the backslashes of the current details', () => {
  const steps = parcels(24, 50)
  const plain = steps.map(step => ({ ...step, summary: 'A step.', leaves: 'Work is left.' }))
  const withTexts = (summary: string, leaves: string) => flowOf(plain.map(step => ({ ...step, summary, leaves })))
  expect(isTooLarge(withTexts('A step.', 'Work is left.'))).toBe(false)
  const long = 'a'.repeat(120)
  expect(isTooLarge(withTexts('A step.', long))).toBe(false)
  expect(isTooLarge(withTexts(long, '!'.repeat(120)))).toBe(true)
})
