import { describe, expect, test } from 'vitest'
import { type Site, startSite } from '../../support/service/site.ts'
import { expectSound } from '../../support/service/soundness.ts'
import type { Step } from '../../support/service/steps.ts'

interface Row {
  readonly what: string
  readonly before: Step[]
  /** The shipment that is issued. */
  readonly issued: string
  /** The swap that waits on it. */
  readonly swap: string
}

const rows: Row[] = [
  { what: 'before it is there', before: ['Stock', 'StockSwap a'], issued: 'a', swap: 'b' },
  { what: 'in stock', before: ['Stock', 'dropOff a', 'StockSwap a'], issued: 'a', swap: 'b' },
  {
    what: 'as circular stock, which can be picked up all the time',
    before: ['IntakeAndCircularStock', 'dropOff a', 'StockSwap b'],
    issued: 'b',
    swap: 'c',
  },
  {
    what: 'after another swap was cancelled',
    before: ['Stock', 'StockSwap a', 'cancel b', 'StockSwap a'],
    issued: 'a',
    swap: 'c',
  },
]

describe('an issue from stock changes the pick up code, and the delivery code of the swap that waits on it', () => {
  test.each(rows)('$what', async ({ before, issued, swap }) => {
    const site = await startSite()
    for (const step of before) await site.run(step)
    const old = await site.read(issued)
    expect((await site.read(swap)).deliveryCode).toBe(old.pickUpCode)
    await site.run(`IssueFromStock ${issued}`)
    const { pickUpCode, deliveryCode } = await site.read(issued)
    expect(pickUpCode).not.toBe(old.pickUpCode)
    expect(deliveryCode).toBe(old.deliveryCode)
    expect((await site.read(swap)).deliveryCode).toBe(pickUpCode)
    await expectSound(site.world)
    for (const step of [`pickUp ${issued}`, `dropOff ${swap}`] as const) {
      const { body } = await site.run(step, { pinCode: old.pickUpCode })
      expect(body.error).toBe('InvalidAccessCode')
    }
  })

  test('and a refused one changes none', async () => {
    const site = await startSite()
    for (const step of ['Stock', 'StockSwap a'] as const) await site.run(step)
    const before = await expectSound(site.world)
    await site.run('IssueFromStockAndSwapIntake a')
    expect(await expectSound(site.world)).toEqual(before)
  })
})

test('the common code opens for both, and stays valid for the swap (SPEC-10)', async () => {
  const site = await startSite()
  for (const step of ['IssueAndSwapIntake', 'dropOff a'] as const) await site.run(step)
  const { pickUpCode: common } = await site.read('a')
  expect((await site.run('pickUp a', { pinCode: common })).body.error).toBeNull()
  expect(await codes(site, 'a')).toEqual([null, null])
  expect(await codes(site, 'b')).toEqual([expect.stringMatching(/^\d{6}$/), common])
  await site.run('pickUp b')
  expect(await codes(site, 'b')).toEqual([null, null])
  await expectSound(site.world)
})

test('assigning or removing a receiver changes no code', async () => {
  const site = await startSite()
  await site.run('Stock')
  const before = await codes(site, 'a')
  for (const step of ['setReceiver a', 'removeReceiver a'] as const) await site.run(step)
  expect(await codes(site, 'a')).toEqual(before)
})

async function codes(site: Site, letter: string) {
  const shipmentUid = site.uids.get(letter) ?? ''
  const { pickUpCode, deliveryCode } = await site.world.call('GetShipmentAccessCode', { shipmentUid })
  return [pickUpCode, deliveryCode]
}
