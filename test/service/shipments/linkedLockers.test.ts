import { describe, expect, test } from 'vitest'
import { startSite } from '../../support/service/site.ts'

describe('linked shipments share the locker, and the size of the first one where none is given', () => {
  const size = { width: 12, height: 9, length: 31 }
  test.each([
    { step: 'IssueAndSwapIntake', lockers: ['square:M1', 'square:M1'] },
    { step: 'IntakeAndCircularStock', lockers: ['square:M1', 'square:M1'] },
    { step: 'IssueFromStockAndSwapIntake a', lockers: ['square:M1', 'square:M1'] },
    { step: 'IssueFromStockAndSubsequentIntakeAndCircularStock a', lockers: ['square:M1', 'square:M1', 'square:M1'] },
  ] as const)('$step', async ({ step, lockers }) => {
    const site = await startSite()
    if (step.endsWith(' a')) await site.run('Stock', { Dimension: size })
    await site.run(step, { Dimension: size })
    const made = await site.world.service.store.selectFrom('shipments').selectAll().execute()
    expect(made.map(({ locker_uid }) => locker_uid)).toEqual(lockers)
    for (const shipment of made) expect(shipment).toMatchObject(size)
  })

  test('also at the pick up point that the booking overflowed to', async () => {
    const site = await startSite()
    for (let count = 0; count < 4; count++) await site.run('Stock')
    const response = await site.run('IssueAndSwapIntake', { AllowOverflowLockers: true })
    expect(site.lettersIn(response)).toBe('ef')
    for (const letter of 'ef') {
      expect(await site.read(letter)).toMatchObject({ pupUid: 'reserve', lockerUid: 'reserve:R1' })
    }
  })

  test('in the requested locker', async () => {
    const site = await startSite()
    await site.run('IntakeAndCircularStock', { LockerUid: 'square:L1' })
    for (const letter of 'ab') expect(await site.read(letter)).toMatchObject({ lockerUid: 'square:L1' })
  })

  test('and stock with a swap has its own size', async () => {
    const site = await startSite()
    await site.run('Intake')
    const response = await site.run('StockAfterSwapIntake a', { Dimension: { width: 30, height: 10, length: 20 } })
    expect(response.body.error).toBeNull()
    const made = await site.world.service.store.selectFrom('shipments').select('width').orderBy('seq').execute()
    expect(made).toEqual([{ width: 5 }, { width: 30 }])
  })
})
