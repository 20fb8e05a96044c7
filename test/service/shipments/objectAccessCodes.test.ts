import { describe, expect, test } from 'vitest'
import type { ShipmentItem } from '#contract'
import { type Site, startSite } from '../../support/service/site.ts'
import { expectSound } from '../../support/service/soundness.ts'
import type { Step } from '../../support/service/steps.ts'

type Code = 'pickUpCode' | 'deliveryCode'
const none = { changePickUpAccess: false, changeDropOffAccess: false }
const pickUp = { ...none, changePickUpAccess: true }
const dropOff = { ...none, changeDropOffAccess: true }
const both = { changePickUpAccess: true, changeDropOffAccess: true }

const swap: Step[] = ['IssueAndSwapIntake']
const swapped: Step[] = [...swap, 'dropOff a', 'pickUp a']
const chain: Step[] = [...swap, 'StockAfterSwapIntake b']

interface Row {
  readonly before: Step[]
  readonly of: string
  readonly change: object
  /** The codes that are new, as `a pickUpCode`; all others stay. */
  readonly news: `${string} ${Code}`[]
}

const rows: Row[] = [
  { before: ['Issue'], of: 'a', change: none, news: [] },
  { before: ['Issue'], of: 'a', change: pickUp, news: ['a pickUpCode'] },
  { before: ['Issue'], of: 'a', change: dropOff, news: ['a deliveryCode'] },
  { before: ['Issue'], of: 'a', change: both, news: ['a pickUpCode', 'a deliveryCode'] },
  { before: ['CollectOnly'], of: 'a', change: pickUp, news: ['a pickUpCode'] },
  // The common code of a swap, from either side.
  { before: swap, of: 'a', change: pickUp, news: ['a pickUpCode', 'b deliveryCode'] },
  { before: swap, of: 'b', change: dropOff, news: ['a pickUpCode', 'b deliveryCode'] },
  { before: [...swap, 'dropOff a'], of: 'b', change: dropOff, news: ['a pickUpCode', 'b deliveryCode'] },
  { before: ['Issue', 'LocalSwap a'], of: 'b', change: dropOff, news: ['a pickUpCode', 'b deliveryCode'] },
  { before: swap, of: 'a', change: dropOff, news: ['a deliveryCode'] },
  { before: swap, of: 'b', change: pickUp, news: ['b pickUpCode'] },
  // Once swapped, the code that was common is the swap's alone.
  { before: swapped, of: 'b', change: dropOff, news: ['b deliveryCode'] },
  {
    before: chain,
    of: 'b',
    change: both,
    news: ['a pickUpCode', 'b deliveryCode', 'b pickUpCode', 'c deliveryCode'],
  },
  // A subsequent shipment without a swap has codes of its own.
  { before: ['IntakeAndCircularStock'], of: 'b', change: dropOff, news: ['b deliveryCode'] },
]

describe('adding an object creates the requested new codes, for a swap the common one on both (SPEC-53)', () => {
  test.each(rows)('$before: $of, $change: $news', async ({ before, of, change, news }) => {
    const site = await startSite()
    for (const step of before) expect((await site.run(step)).body.error).toBeNull()
    const old = await codes(site)
    expect((await site.run(`addObject ${of}`, change)).body.error).toBeNull()
    const now = await codes(site)
    const changed = [...now.keys()].filter(code => now.get(code) !== old.get(code))
    expect(changed.sort()).toEqual([...news].sort())
    await expectSound(site.world)
  })
})

test('the new codes open, and the old ones no longer do', async () => {
  const site = await startSite()
  for (const step of ['Issue', 'LocalSwap a'] as const) await site.run(step)
  const old = { a: await site.read('a'), b: await site.read('b') }
  await site.run('addObject a')
  await site.run('addObject b')
  await expectRefused(site, 'dropOff a', old.a.deliveryCode)
  expect((await site.run('dropOff a')).body.error).toBeNull()
  await expectRefused(site, 'dropOff b', old.b.deliveryCode)
  expect((await site.run('dropOff b')).body.error).toBeNull()
  await expectRefused(site, 'pickUp b', old.b.pickUpCode)
  expect((await site.run('pickUp b')).body.error).toBeNull()
})

test('the other shipment of a swap is listed as changed, too', async () => {
  const site = await startSite()
  for (const step of swap) await site.run(step)
  for (const letter of ['a', 'b']) {
    site.world.service.advance(60_000)
    const updatedSince = new Date(site.world.service.settings.clock()).toISOString()
    await site.run(`addObject ${letter}`, letter === 'a' ? pickUp : dropOff)
    expect((await site.world.call('GetShipments', { updatedSince })).totalItems).toBe(2)
  }
})

test('GetShipmentAccessCode returns the new codes (SPEC-53)', async () => {
  const site = await startSite()
  await site.run('Issue')
  const shipmentUid = site.uids.get('a') ?? ''
  const before = await site.world.call('GetShipmentAccessCode', { shipmentUid })
  await site.run('addObject a', both)
  const after = await site.world.call('GetShipmentAccessCode', { shipmentUid })
  for (const code of ['pickUpCode', 'deliveryCode'] as const) {
    expect(after[code]).toMatch(/^\d{6}$/)
    expect(after[code]).not.toBe(before[code])
  }
})

async function expectRefused(site: Site, step: Step, pinCode: string | null): Promise<void> {
  expect((await site.run(step, { pinCode })).body.error).toBe('InvalidAccessCode')
}

/** Every code, by the letter of its shipment and its name. */
async function codes(site: Site): Promise<Map<string, string | null>> {
  const found = new Map<string, string | null>()
  for (const letter of site.uids.keys()) {
    const shipment: ShipmentItem = await site.read(letter)
    for (const code of ['pickUpCode', 'deliveryCode'] as const) found.set(`${letter} ${code}`, shipment[code])
  }
  return found
}

test('a new code does not move the last change of a shipment and its swap back when the clock is behind', async () => {
  const site = await startSite()
  for (const step of swap) expect((await site.run(step)).body.error).toBeNull()
  const { store } = site.world.service
  const ahead = Date.now() + 3_600_000
  await store.updateTable('shipments').set({ updated_at: ahead }).execute()
  expect((await site.run('addObject a', both)).body.error).toBeNull()
  const changes = await store.selectFrom('shipments').select('updated_at').execute()
  expect(changes).toEqual([{ updated_at: ahead }, { updated_at: ahead }])
})
