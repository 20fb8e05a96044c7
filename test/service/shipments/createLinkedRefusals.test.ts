import { describe, expect, test } from 'vitest'
import { operations } from '#contract'
import type { ErrorCode } from '#contract/terms'
import { expectNothing } from './refused.ts'
import { startSite } from './site.ts'
import { makingOf, type Step } from './steps.ts'

interface Row {
  /** What was done before. */
  readonly before: Step[]
  readonly step: Step
  readonly fields?: object
  readonly error: ErrorCode
}

const lend = 'IssueFromStockAndSubsequentIntakeAndCircularStock'
const nothing = 'no-such-thing'
const nobody = { ToUserUid: nothing, FromUserUid: nothing }
const huge = { Dimension: { width: 1, height: 1, length: 41 } }
const full: Step[] = ['Stock', 'Stock', 'Stock', 'Stock']

const booking = (['Intake', 'IntakeAndCircularStock', 'IssueAndSwapIntake'] as const).flatMap((step): Row[] => [
  { before: [], step, fields: { PupUid: nothing, ...nobody, ...huge }, error: 'InvalidPupUid' },
  { before: [], step, fields: { PupUid: 'harbour' }, error: 'InvalidPupUid' },
  { before: [], step, fields: { ...nobody, ...huge, LockerUid: nothing }, error: 'InvalidUserUid' },
  { before: [], step, fields: { LockerUid: nothing }, error: 'InvalidLocker' },
  { before: [], step, fields: { LockerUid: 'reserve:R1' }, error: 'InvalidLocker' },
  { before: [], step, fields: huge, error: 'InvalidDimension' },
  { before: full, step, error: 'NoLockerAvailable' },
  { before: ['Stock'], step, fields: { LockerUid: 'square:S1' }, error: 'NoLockerAvailable' },
])

const issuing = (['IssueFromStock', 'IssueFromStockAndSwapIntake', lend] as const).flatMap((operation): Row[] => {
  const step: Step = `${operation} a`
  const error = 'InvalidShipmentState'
  return [
    { before: [], step: `${operation} ${nothing}`, fields: nobody, error: 'InvalidShipment' },
    { before: ['Stock', 'cancel a'], step, fields: nobody, error: 'InvalidUserUid' },
    // It has a receiver.
    { before: ['Issue'], step, error },
    { before: ['Intake', 'dropOff a'], step, error },
    { before: ['Stock', 'setReceiver a'], step, error },
    { before: ['Stock', 'dropOff a', 'IssueFromStock a'], step, error },
    // It is no stock.
    { before: ['Issue', 'removeReceiver a'], step, error },
    { before: ['Issue', 'removeReceiver a', 'dropOff a'], step, error },
    // It has ended.
    { before: ['Stock', 'cancel a'], step, error },
    { before: ['Stock', 'dropOff a', 'IssueFromStock a', 'pickUp a'], step, error },
  ]
})

/** What only one shipment can do: come after another one in its locker. */
const following: Row[] = [
  ...(['IssueFromStockAndSwapIntake a', `${lend} a`, 'StockAfterSwapIntake a'] as const).flatMap((step): Row[] => [
    { before: ['Stock', 'StockAfterSwapIntake a'], step, error: 'InvalidShipmentState' },
    { before: ['Stock', `${lend} a`, 'removeReceiver a'], step, error: 'InvalidShipmentState' },
  ]),
  { before: ['IntakeAndCircularStock'], step: 'StockAfterSwapIntake a', error: 'InvalidShipmentState' },
  { before: ['IssueAndSwapIntake'], step: 'StockAfterSwapIntake a', error: 'InvalidShipmentState' },
  { before: ['Intake', 'cancel a'], step: 'StockAfterSwapIntake a', fields: huge, error: 'InvalidShipmentState' },
  { before: ['Intake', 'dropOff a', 'pickUp a'], step: 'StockAfterSwapIntake a', error: 'InvalidShipmentState' },
  { before: [], step: `StockAfterSwapIntake ${nothing}`, fields: huge, error: 'InvalidShipment' },
  { before: ['Intake'], step: 'StockAfterSwapIntake a', fields: huge, error: 'InvalidDimension' },
  {
    // It would fit other lockers of the pick up point.
    before: ['Intake'],
    step: 'StockAfterSwapIntake a',
    fields: { Dimension: { width: 11, height: 20, length: 30 } },
    error: 'InvalidDimension',
  },
]

const rows = [...booking, ...issuing, ...following]

describe('refused, and nothing has happened:', () => {
  test.each(rows)('$error: $step after $before, with $fields', async ({ before, step, fields, error }) => {
    const site = await startSite()
    for (const one of before) expect((await site.take(one)).body.error).toBeNull()
    await expectNothing(site, async () => {
      const { status, body } = await site.take(step, fields)
      expect(status).toBe(200)
      expect(body).toEqual({ success: false, error, message: expect.stringMatching(/./) })
    })
  })

  test.each(['StockAfterSwapIntake a', 'IssueFromStockAndSwapIntake a', `${lend} a`] as const)(
    'InvalidShipmentState: %s for a single collection',
    async step => {
      const site = await startSite()
      // Of a stock shipment only this is changed: that of the operations would be refused for its receiver already.
      await site.take('Stock')
      await site.world.service.store.updateTable('shipments').set({ shipment_type: 'CollectOnlyShipment' }).execute()
      await expectNothing(site, async () => {
        expect((await site.take(step)).body.error).toBe('InvalidShipmentState')
      })
    },
  )
})

test.each([...new Set(rows.map(({ step }) => makingOf(step)))])('every refusal that %s declares is here', name => {
  const here = new Set(rows.filter(({ step }) => makingOf(step) === name).map(({ error }) => error))
  expect([...here].sort()).toEqual([...operations[name].errors].sort())
})

describe('a body without what it needs is InvalidRequest, whatever else is wrong:', () => {
  const needs: [Step, string[]][] = [
    ['Intake', ['PupUid', 'FromUserUid', 'AllowLargerLockers', 'AllowOverflowLockers', 'Dimension']],
    ['IntakeAndCircularStock', ['PupUid', 'FromUserUid', 'AllowLargerLockers', 'AllowOverflowLockers', 'Dimension']],
    ['IssueAndSwapIntake', ['PupUid', 'ToUserUid', 'AllowLargerLockers', 'AllowOverflowLockers', 'Dimension']],
    [`StockAfterSwapIntake ${nothing}`, ['PriorShipmentUid', 'Dimension']],
    [`IssueFromStock ${nothing}`, ['PriorShipmentUid', 'ToUserUid']],
    [`IssueFromStockAndSwapIntake ${nothing}`, ['PriorShipmentUid', 'ToUserUid']],
    [`${lend} ${nothing}`, ['PriorShipmentUid', 'ToUserUid']],
  ]
  test.each(needs)('%s: %s', async (step, fields) => {
    const site = await startSite()
    for (const field of fields) {
      const { status, body } = await site.take(step, { PupUid: nothing, [field]: undefined })
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { error: 'InvalidRequest', message: `${field} is missing` },
      })
    }
  })
})
