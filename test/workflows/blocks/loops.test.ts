import { afterAll, describe, expect, test } from 'vitest'
import { checkFlows, edgesOf as exploredEdges } from '#flows/check'
import type { CallStep, FlowDeclaration, Step } from '#flows/declaration'
import { closeWorlds } from '#testing/simulator'
import {
  asks,
  block,
  booking,
  books,
  edgesOf,
  effectsOf,
  flowOf,
  play,
  waits,
  work,
} from '../../support/blocks/blockFlows.ts'

afterAll(closeWorlds)

const again = { not: { 'q.answer': 'yes' } } as const
const q = asks('q')
const cancels = (name: string, more: Partial<CallStep> = {}): CallStep => ({
  name,
  summary: `Step ${name}.`,
  call: 'CancelShipment',
  request: { shipmentUid: { from: 'issue.shipmentUid' } },
  onError: { InvalidShipmentState: 'continue' },
  ...more,
})

const bookingFlow = (...parts: Parameters<typeof flowOf>) => ({
  ...flowOf(...parts),
  input: { PupUid: 'uid', ToUserUid: 'uid' } as const,
})

/** Plays a flow, which must be sound and take explored edges only. */
async function playSound(flow: FlowDeclaration, story: Parameters<typeof play>[1]) {
  expect(checkFlows([flow])).toEqual([])
  const run = await play(flow, story)
  const explored = exploredEdges(flow)?.map(({ step, cause, next }) => `${step} ${cause} ${next}`)
  expect(edgesOf(run).filter(edge => !explored?.includes(edge))).toEqual([])
  return run
}

describe('a list whose steps the input leaves out ends at once:', () => {
  const when = { 'input.PupUid': { present: true } } as const
  const steps = [work('a', { when }), work('b', { when })]
  const cases: [string, Step, string[]][] = [
    ['group', block('g', { group: steps }), ['g fork a']],
    ['switch', block('g', { switch: [{ steps }] }), ['g case:1 a']],
    [
      'branch',
      block('g', {
        parallel: [
          { name: 'x', steps: [work('c')] },
          { name: 'y', steps },
        ],
      }),
      ['g fork c', 'g fork a'],
    ],
    ['item', block('g', { forEach: 'input.parts' as const, item: 'part', atMost: 5, steps }), ['g item a']],
    ['round', block('g', { repeat: { atMost: 2 }, steps }), ['g again a']],
  ]

  test.each(cases)('%s', async (_, step, begun) => {
    const run = await playSound(flowOf([step, work('z')]), { request: { parts: [{ sku: 'A' }] } })
    expect(run.run().outcome).toBe('completed')
    expect(effectsOf(run).at(-1)).toBe('work z')
    expect(edgesOf(run)).toEqual(expect.arrayContaining([...begun, 'a skipped b', 'b skipped done']))
  })
})

describe('a round that books', () => {
  const round = [books('book'), waits('dropOff', 'ReadyForPickup'), waits('pickUp', 'Completed'), q]

  test('has a shipment of its own, and the last one stays', async () => {
    const rounds = block('r', { repeat: { atMost: 3 }, until: again, steps: round })
    const flow = bookingFlow([rounds], { last: 'issue.shipmentUid', ended: 'r.ended' })
    const uses = [{ dropOff: 'issue' }, { pickUp: 'issue' }] as const
    const story = [...uses, { answer: 'yes', step: 'q' }, ...uses, { answer: 'no', step: 'q' }]
    const run = await playSound(flow, { request: booking, story })
    const { result } = run.status()
    expect(result).toMatchObject({ outcome: 'completed', ended: 'until' })
    expect(result?.shipments.map(({ role }) => role)).toEqual(['issue#1', 'issue'])
    expect(result).toMatchObject({ last: result?.shipments.at(-1)?.shipmentUid })
  })

  test('keeps the names of three rounds apart', async () => {
    const rounds = block('r', { repeat: { atMost: 3 }, steps: round.slice(0, 3) })
    const uses = [{ dropOff: 'issue' }, { pickUp: 'issue' }] as const
    const run = await playSound(bookingFlow([rounds]), { request: booking, story: [...uses, ...uses, ...uses] })
    expect(run.status().shipments.map(({ role }) => role)).toEqual(['issue#1', 'issue#2', 'issue'])
    expect(run.run().outcome).toBe('completed')
  })

  test('may cancel what it has booked', async () => {
    const rounds = block('r', { repeat: { atMost: 3 }, until: again, steps: [books('book'), q, cancels('cancel')] })
    const story = [...['yes', 'yes', 'no'].map(answer => ({ answer, step: 'q' }))]
    const run = await playSound(bookingFlow([rounds, work('z')]), { request: booking, story })
    expect(run.run().outcome).toBe('completed')
    expect(run.status().shipments.map(({ stateCode }) => stateCode)).toEqual(['Cancelled', 'Cancelled', 'Cancelled'])
  })
})

test('a round may cancel what was booked before the loop', async () => {
  const rounds = block('r', { repeat: { atMost: 3 }, until: again, steps: [cancels('cancel'), q] })
  const story = ['yes', 'yes', 'no'].map(answer => ({ answer, step: 'q' }))
  const run = await playSound(bookingFlow([books('book'), rounds, work('z')]), { request: booking, story })
  expect(run.run().outcome).toBe('completed')
})

describe('a shipment that another program cancels while a block runs without it ends the flow', () => {
  const meanwhile = asks('q', { ask: { yes: {} } })
  const pickUp = waits('pickUp', 'Completed', { wait: { issue: 'Completed' } })
  const story = [{ cancelShipment: 'issue' }] as const
  const cases: [string, Step[]][] = [
    ['a step after it waits', [books('book'), block('g', { group: [meanwhile] }), pickUp]],
    ['a step after it sends it', [books('book'), block('g', { group: [meanwhile] }), cancels('cancel')]],
    ['a group has booked it', [block('g', { group: [books('book'), meanwhile] }), pickUp]],
  ]

  test.each(cases)('%s', async (_, steps) => {
    const run = await playSound(bookingFlow(steps), { request: booking, story })
    expect(run.run().outcome).toBe('cancelled')
    expect(edgesOf(run).at(-1)).toBe('g cancelledOutside end')
  })
})

test('a block takes the loss of a shipment that was booked before it', async () => {
  const put = waits('put', 'ReadyForPickup')
  const more = { onError: { ShipmentCancelled: 'continue' as const } }
  const g = block('g', { group: [put, waits('taken', 'Completed')], ...more })
  const story = [{ cancelShipment: 'issue' }] as const
  const run = await playSound(bookingFlow([books('book'), g, work('z')]), { request: booking, story })
  expect(run.run().outcome).toBe('completed')
  expect(edgesOf(run).slice(-2)).toEqual(['g error:ShipmentCancelled z', 'z reached end'])
})
