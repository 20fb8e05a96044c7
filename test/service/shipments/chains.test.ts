import { expect, test } from 'vitest'
import { maxChain } from '../../../service/shipments/links.ts'
import { type Site, startSite } from '../../support/service/site.ts'
import { expectSound } from '../../support/service/soundness.ts'
import type { Step } from '../../support/service/steps.ts'
import { expectNothing } from '../../support/service/unchanged.ts'

const lend = 'IssueFromStockAndSubsequentIntakeAndCircularStock'

/** The letter of the last shipment. */
const last = ({ uids }: Site) => [...uids.keys()].at(-1) ?? ''

async function errorOf(site: Site, step: Step): Promise<unknown> {
  return (await site.run(step)).body.error
}

test('a full chain takes no further shipment, and a cancellation of the first one releases all of it', async () => {
  const site = await startSite()
  await site.run('Stock')
  // Each loan adds an intake and a circular stock.
  while (site.uids.size + 2 <= maxChain) expect(await errorOf(site, `${lend} ${last(site)}`)).toBeNull()
  expect(site.uids.size).toBe(maxChain - 1)
  const issued = last(site)
  await expectNothing(site, async () => expect(await errorOf(site, `${lend} ${issued}`)).toBe('ChainTooLong'))
  expect(await errorOf(site, `IssueFromStockAndSwapIntake ${issued}`)).toBeNull()
  await expectNothing(site, async () => {
    for (const step of ['LocalSwap', 'StockSwap', 'StockAfterSwapIntake'] as const)
      expect(await errorOf(site, `${step} ${last(site)}`)).toBe('ChainTooLong')
  })
  // Those that have ended do not count.
  expect(await errorOf(site, `cancel ${last(site)}`)).toBeNull()
  expect(await errorOf(site, `LocalSwap ${issued}`)).toBeNull()
  await site.callbacks()
  expect(await errorOf(site, 'cancel a')).toBeNull()
  expect(await site.callbacks()).toHaveLength(maxChain)
  const shipments = await expectSound(site.world)
  expect(new Set(shipments.map(({ stateCode }) => stateCode))).toEqual(new Set(['Cancelled']))
  expect(await site.world.service.store.selectFrom('access_codes').selectAll().execute()).toEqual([])
})
