import { connect } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { closeWorlds, openSimulation, simulate } from '#simulator'
import { runInside } from '../../simulator/ambient.ts'
import { SeededRandom } from '../../simulator/random.ts'

const loan = {
  flow: 'issueFromStockAndSubsequentIntakeAndCircularStock',
  before: { item: 'inStock' },
  request: { PriorShipmentUid: { $item: 'item' }, ToUserUid: { $user: 1 } },
} as const
const issue = { flow: 'issue', request: { $example: 'CreateLocalShipmentAsIssue' } } as const

afterAll(closeWorlds)

test('a whole loan', async () => {
  const run = await simulate({ ...loan, story: [{ pickUp: 'issue' }, { after: '1d' }, { dropOff: 'intake' }] })
  expect(run).toMatchObject({
    outcome: 'completed',
    leftOver: [],
    bookings: [
      { role: 'issue', stateCode: 'Completed' },
      { role: 'intake', stateCode: 'Completed' },
      { role: 'stock', stateCode: 'ReadyForPickup' },
    ],
  })
  expect(run.edges.map(({ step, cause, next }) => `${step} ${cause} ${next}`)).toEqual([
    'booking reached ready',
    'ready reached pickUp',
    'pickUp reached return',
    'return reached restocked',
    'restocked reached end',
  ])
})

describe('time', () => {
  test('passes at once, and windows pass with it', async () => {
    const simulation = await openSimulation()
    await simulation.start(issue)
    await simulation.apply({ dropOff: 'issue' })
    await simulation.advance(3 * 86_400_000)
    expect(simulation.status()).toMatchObject({ step: 'pickUp', overdue: true })
    expect(simulation.board).toContain('Overdue.')
    expect(await simulation.apply({ decide: 'cancel' })).toEqual({ kind: 'done' })
    expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver: [{ step: 'booking' }] })
    await simulation.close()
  })

  test('is that of the process outside of the simulation', async () => {
    const before = Date.now()
    await simulate({ ...issue, startAt: Date.UTC(2040, 0, 1), story: [] })
    expect(Date.now() - before).toBeLessThan(600_000)
  })
})

test('a simulation repeats for a seed, whatever ran before it', async () => {
  const story = [{ pickUp: 'issue' }, { after: '10d' }, { dropOff: 'intake' }] as const
  const first = await simulate({ ...loan, story, seed: 7, cancelling: true })
  await simulate({ ...issue, story: [{ dropOff: 'issue' }], seed: 8 })
  expect(await simulate({ ...loan, story, seed: 7, cancelling: true })).toEqual(first)
  expect((await simulate({ ...loan, story, seed: 8 })).timeLine).not.toEqual(first.timeLine)
})

test.each([
  [{ $user: 12 }, '$user: must be one of 1, 2, 3, 4, 5, 6, 7, 8, 9, got 12.'],
  [{ $pup: 1_000 }, /^\$pup: must be at most \d+, got 1000\.$/],
  [{ $item: 'toy' }, '$item: must be a name of before, one of item, got toy.'],
  [{ $in: 'soon' }, '$in: must be a duration such as "3d", got soon.'],
])('a placeholder without a value is an error: %j', async (value, message) => {
  const request = { ...loan.request, ToUserUid: value }
  await expect(simulate({ ...loan, request, story: [] })).rejects.toThrow(message)
})

test('a socket is an error', async () => {
  const inside = { now: () => 0, random: new SeededRandom(1) }
  expect(() => runInside(inside, () => connect({ port: 9, host: '127.0.0.1' }))).toThrow('must not open a socket')
})
