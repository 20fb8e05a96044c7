import { describe, expect, test } from 'vitest'
import { startSite } from '../../support/service/site.ts'
import { expectSound } from '../../support/service/soundness.ts'
import type { Step } from '../../support/service/steps.ts'

interface Graph {
  readonly what: string
  readonly steps: Step[]
  /** For each shipment the letters of those that end with it, in order; or `ended` when it has. */
  readonly cancelled: Readonly<Record<string, string>>
}

const lend = 'IssueFromStockAndSubsequentIntakeAndCircularStock'
const ended = 'ended'
const swap: Step[] = ['IssueAndSwapIntake']
const chain: Step[] = ['IssueAndSwapIntake', 'StockAfterSwapIntake b']
const circle: Step[] = ['IntakeAndCircularStock']
const lent: Step[] = ['Stock', 'dropOff a', `${lend} a`]
const stockSwap: Step[] = ['Stock', 'dropOff a', 'IssueFromStockAndSwapIntake a']

const graphs: Graph[] = [
  { what: 'an intake', steps: ['Intake'], cancelled: { a: 'a' } },
  { what: 'an intake, dropped off', steps: ['Intake', 'dropOff a'], cancelled: { a: 'a' } },
  { what: 'stock issued before it is there', steps: ['Stock', 'IssueFromStock a'], cancelled: { a: 'a' } },
  { what: 'issued stock', steps: ['Stock', 'dropOff a', 'IssueFromStock a'], cancelled: { a: 'a' } },

  { what: 'a swap', steps: swap, cancelled: { a: 'ab', b: 'b' } },
  { what: 'a swap, ready', steps: [...swap, 'dropOff a'], cancelled: { a: 'ab', b: 'b' } },
  { what: 'a swap, swapped', steps: [...swap, 'dropOff a', 'pickUp a'], cancelled: { a: ended, b: 'b' } },
  {
    what: 'a swap, over',
    steps: [...swap, 'dropOff a', 'pickUp a', 'pickUp b'],
    cancelled: { a: ended, b: ended },
  },

  { what: 'a chain of swaps', steps: chain, cancelled: { a: 'abc', b: 'bc', c: 'c' } },
  { what: 'a chain, ready', steps: [...chain, 'dropOff a'], cancelled: { a: 'abc', b: 'bc', c: 'c' } },
  {
    what: 'a chain, swapped once',
    steps: [...chain, 'dropOff a', 'pickUp a'],
    cancelled: { a: ended, b: 'bc', c: 'c' },
  },
  {
    what: 'a chain, swapped twice',
    steps: [...chain, 'dropOff a', 'pickUp a', 'pickUp b'],
    cancelled: { a: ended, b: ended, c: 'c' },
  },

  { what: 'an issue from stock and a swap', steps: stockSwap, cancelled: { a: 'ab', b: 'b' } },
  {
    what: 'an issue from stock and a swap, before the stock is there',
    steps: ['Stock', 'IssueFromStockAndSwapIntake a'],
    cancelled: { a: 'ab', b: 'b' },
  },
  {
    what: 'an issue from stock and a swap, swapped',
    steps: [...stockSwap, 'pickUp a'],
    cancelled: { a: ended, b: 'b' },
  },
  {
    what: 'swapped stock that waits for a receiver',
    steps: ['Stock', 'dropOff a', 'StockSwap a'],
    cancelled: { a: 'ab', b: 'b' },
  },

  { what: 'a circle', steps: circle, cancelled: { a: 'ab', b: 'b' } },
  { what: 'a circle, closed', steps: [...circle, 'dropOff a'], cancelled: { a: ended, b: 'b' } },
  {
    what: 'a circle, closed and issued',
    steps: [...circle, 'dropOff a', 'IssueFromStock b'],
    cancelled: { a: ended, b: 'b' },
  },
  {
    what: 'a circle that is promised',
    steps: [...circle, 'IssueFromStockAndSwapIntake b'],
    cancelled: { a: 'abc', b: 'bc', c: 'c' },
  },

  { what: 'something lent', steps: lent, cancelled: { a: 'abc', b: 'bc', c: 'c' } },
  {
    what: 'something lent before it is there',
    steps: ['Stock', `${lend} a`],
    cancelled: { a: 'abc', b: 'bc', c: 'c' },
  },
  { what: 'something lent, with its user', steps: [...lent, 'pickUp a'], cancelled: { a: ended, b: 'bc', c: 'c' } },
  {
    what: 'something lent, back again',
    steps: [...lent, 'pickUp a', 'dropOff b'],
    cancelled: { a: ended, b: ended, c: 'c' },
  },
  {
    what: 'something lent, and lent again',
    steps: [...lent, 'pickUp a', 'dropOff b', `${lend} c`],
    cancelled: { a: ended, b: ended, c: 'cde', d: 'de', e: 'e' },
  },
]

const rows = graphs.flatMap(({ what, steps, cancelled }) =>
  Object.entries(cancelled).map(([letter, goes]) => ({ what, steps, letter, goes })),
)

describe('a cancellation cancels linked shipments', () => {
  test.each(rows)('$what: $letter cancels $goes', async ({ steps, letter, goes }) => {
    const site = await startSite()
    for (const step of steps) expect((await site.run(step)).body.error).toBeNull()
    const before = await expectSound(site.world)
    const letters = goes === ended ? [] : [...goes]
    await site.callbacks()
    const response = await site.run(`cancel ${letter}`)
    expect(response.body.error).toBe(goes === ended ? 'InvalidShipmentState' : null)
    expect(await site.callbacks()).toEqual(letters.map(gone => `${gone} Cancelled`))
    const after = await expectSound(site.world)
    const gone = letters.map(of => site.uids.get(of))
    const others = (shipments: typeof after) => shipments.filter(({ shipmentUid }) => !gone.includes(shipmentUid))
    expect(others(after)).toEqual(others(before))
  })
})
