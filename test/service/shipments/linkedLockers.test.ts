import { describe, expect, test } from 'vitest'
import { startSite } from './site.ts'

describe('linked shipments share the locker, and the size of the first one where none is given', () => {
  const size = { width: 12, height: 9, length: 31 }
  test.each([
    { step: 'IssueAndSwapIntake', lockers: ['square:M1', 'square:M1'] },
    { step: 'IntakeAndCircularStock', lockers: ['square:M1', 'square:M1'] },
    { step: 'IssueFromStockAndSwapIntake a', lockers: ['square:M1', 'square:M1'] },
    { step: 'IssueFromStockAndSubsequentIntakeAndCircularStock a', lockers: ['square:M1', 'square:M1', 'square:M1'] },
  ] as const)('$step', async ({ step, lockers }) => {
    const site = await startSite()
    if (step.endsWith(' a')) await site.take('Stock', { Dimension: size })
    await site.take(step, { Dimension: size })
    const made = await site.world.service.store.selectFrom('shipments').selectAll().execute()
    expect(made.map(({ locker_uid }) => locker_uid)).toEqual(lockers)
    for (const shipment of made) expect(shipment).toMatchObject(size)
  })

  test('also at the pick up point that the booking overflowed to', async () => {
    const site = await startSite()
    for (let count = 0; count < 4; count++) await site.take('Stock')
    const answer = await site.take('IssueAndSwapIntake', { AllowOverflowLockers: true })
    expect(site.lettersIn(answer)).toBe('ef')
    for (const letter of 'ef') {
      expect(await site.look(letter)).toMatchObject({ pupUid: 'reserve', lockerUid: 'reserve:R1' })
    }
  })

  test('in the very locker that was asked for', async () => {
    const site = await startSite()
    await site.take('IntakeAndCircularStock', { LockerUid: 'square:L1' })
    for (const letter of 'ab') expect(await site.look(letter)).toMatchObject({ lockerUid: 'square:L1' })
  })

  test('and stock that swaps has a size of its own', async () => {
    const site = await startSite()
    await site.take('Intake')
    const answer = await site.take('StockAfterSwapIntake a', { Dimension: { width: 30, height: 10, length: 20 } })
    expect(answer.body.error).toBeNull()
    const made = await site.world.service.store.selectFrom('shipments').select('width').orderBy('seq').execute()
    expect(made).toEqual([{ width: 5 }, { width: 30 }])
  })
})
