import { describe, expect, test } from 'vitest'
import { startSite } from '../../support/service/site.ts'
import { expectSound } from '../../support/service/soundness.ts'
import type { Step } from '../../support/service/steps.ts'

interface Row {
  readonly before: Step[]
  /** Sets the receiver of a to ben. */
  readonly step: Step
}

const lend = 'IssueFromStockAndSubsequentIntakeAndCircularStock'

const rows: Row[] = [
  { before: ['IssueAndSwapIntake', 'removeReceiver a'], step: 'setReceiver a' },
  { before: ['Stock', 'IssueFromStockAndSwapIntake a', 'removeReceiver a'], step: 'setReceiver a' },
  { before: ['Stock', `${lend} a`, 'removeReceiver a'], step: 'setReceiver a' },
  { before: ['Stock', `${lend} a`, 'removeReceiver a'], step: 'IssueFromStock a' },
  { before: ['Stock', 'StockSwap a'], step: 'IssueFromStock a' },
  { before: ['Stock', 'dropOff a', 'StockSwap a'], step: 'IssueFromStock a' },
  { before: ['Stock', 'dropOff a', 'StockSwap a'], step: 'setReceiver a' },
]

describe('the receiver of the prior shipment becomes the sender of a follower that waits', () => {
  test.each(rows)('by $step, after $before', async ({ before, step }) => {
    const site = await startSite()
    for (const one of before) expect((await site.run(one)).body.error).toBeNull()
    const { fromUserUid } = await site.read('b')
    const isSwapOfStock = before.includes('StockSwap a')
    // A removed receiver stays the sender until another one is set.
    expect(fromUserUid).toBe(isSwapOfStock ? site.users.dispatcher : site.users.ada)
    await site.callbacks()
    const stateBefore = (await site.read('b')).stateCode
    const fields = step === 'setReceiver a' ? {} : { ToUserUid: site.users.ben }
    expect((await site.run(step, fields)).body.error).toBeNull()
    const follower = await site.read('b')
    expect(follower.fromUserUid).toBe(site.users.ben)
    const told = site.receiver.received.length
    const callbacks = await site.callbacks()
    expect(callbacks.includes(`b ${follower.stateCode}`)).toBe(follower.stateCode !== stateBefore)
    for (const { message } of site.receiver.received.slice(told))
      if (message.shipmentUid === follower.shipmentUid) expect(message.fromUserUid).toBe(site.users.ben)
    await expectSound(site.world)
  })
})

test.each<{ what: string; step: Step; ada: 'FromUserUid' | undefined }>([
  { what: 'named in the request', step: 'LocalSwap a', ada: 'FromUserUid' },
  { what: 'the dispatcher, as in a shipment that names its receiver', step: 'LocalSwap a', ada: undefined },
])('a sender that is $what stays', async ({ step, ada }) => {
  const site = await startSite()
  await site.run('Stock')
  await site.run(step, ada === undefined ? { FromUserUid: null } : { FromUserUid: site.users.ada })
  await site.run('IssueFromStock a', { ToUserUid: site.users.ben })
  expect((await site.read('b')).fromUserUid).toBe(ada === undefined ? site.users.dispatcher : site.users.ada)
})

test('stock that swaps an intake stays from the dispatcher', async () => {
  const site = await startSite()
  for (const step of ['Intake', 'StockAfterSwapIntake a', 'removeReceiver a', 'setReceiver a'] as const)
    expect((await site.run(step)).body.error).toBeNull()
  expect((await site.read('b')).fromUserUid).toBe(site.users.dispatcher)
})

test('the follower is listed as changed', async () => {
  const site = await startSite()
  for (const step of ['IssueAndSwapIntake', 'removeReceiver a'] as const) await site.run(step)
  site.world.service.advance(60_000)
  await site.run('setReceiver a')
  const { items } = await site.world.call('GetShipments', { sortBy: 'ActivityDesc', userUid: site.users.ben })
  expect(items.map(({ shipmentUid }) => shipmentUid).sort()).toEqual([...site.uids.values()].sort())
})
