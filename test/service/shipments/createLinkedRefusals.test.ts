import { describe, expect, test } from 'vitest'
import { failed, operations } from '#contract'
import type { ErrorCode } from '#contract/terms'
import { type Before, byState, useSharedSites } from '../../support/service/sharedSites.ts'
import { startSite } from '../../support/service/site.ts'
import { makingOf, type Step } from '../../support/service/steps.ts'
import { expectNothing } from '../../support/service/unchanged.ts'

interface Row extends Before {
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
  { before: [], broken: true, step, error: 'NoLockerAvailable' },
  { before: [], broken: true, step, fields: { ...huge, LockerUid: 'square:S1' }, error: 'LockerOutOfService' },
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
    { before: ['Stock', 'setReceiver a'], broken: true, step, error },
    { before: ['Stock'], broken: true, step, error: 'LockerOutOfService' },
    // It is no stock.
    { before: ['Issue', 'removeReceiver a'], step, error },
    { before: ['Issue', 'removeReceiver a', 'dropOff a'], step, error },
    // It has ended.
    { before: ['Stock', 'cancel a'], step, error },
    { before: ['Stock', 'dropOff a', 'IssueFromStock a', 'pickUp a'], step, error },
  ]
})

/** Operations that take over the locker, so only one shipment can do them. */
const following: Row[] = [
  ...(['IssueFromStockAndSwapIntake a', `${lend} a`] as const).flatMap((step): Row[] => [
    { before: ['Stock', 'StockSwap a'], step, error: 'InvalidShipmentState' },
    { before: ['Stock', `${lend} a`, 'removeReceiver a'], step, error: 'InvalidShipmentState' },
  ]),
  { before: ['Intake', 'StockAfterSwapIntake a'], step: 'StockAfterSwapIntake a', error: 'InvalidShipmentState' },
  {
    before: ['Stock', `${lend} a`, 'removeReceiver b'],
    step: 'StockAfterSwapIntake b',
    error: 'InvalidShipmentState',
  },
  // Stock is no intake: a swap would give it away.
  ...(
    [
      ['Stock'],
      ['Stock', 'dropOff a'],
      ['Issue'],
      ['Issue', 'removeReceiver a'],
      ['IssueAndSwapIntake'],
      ['CollectOnlyByDispatcher'],
      ['CollectOnlyByUser'],
      ['Issue', 'cancel a'],
    ] satisfies Step[][]
  ).map((before): Row => ({ before, step: 'StockAfterSwapIntake a', fields: huge, error: 'InvalidShipment' })),
  { before: ['IntakeAndCircularStock'], step: 'StockAfterSwapIntake b', fields: huge, error: 'InvalidShipment' },
  { before: ['IntakeAndCircularStock'], step: 'StockAfterSwapIntake a', error: 'InvalidShipmentState' },
  { before: ['Intake', 'cancel a'], step: 'StockAfterSwapIntake a', fields: huge, error: 'InvalidShipmentState' },
  { before: ['Intake', 'dropOff a', 'pickUp a'], step: 'StockAfterSwapIntake a', error: 'InvalidShipmentState' },
  { before: [], step: `StockAfterSwapIntake ${nothing}`, fields: huge, error: 'InvalidShipment' },
  { before: ['Intake'], step: 'StockAfterSwapIntake a', fields: huge, error: 'InvalidDimension' },
  { before: ['Intake'], broken: true, step: 'StockAfterSwapIntake a', fields: huge, error: 'LockerOutOfService' },
  {
    // It would fit other lockers of the pick up point.
    before: ['Intake'],
    step: 'StockAfterSwapIntake a',
    fields: { Dimension: { width: 11, height: 20, length: 30 } },
    error: 'InvalidDimension',
  },
]

const rows = [...booking, ...issuing, ...following]

const siteAt = useSharedSites()

describe('a refusal changes nothing:', () => {
  test.each(byState(rows))('$error: $step after $before, with $fields', async ({ step, fields, error, ...state }) => {
    const site = await siteAt(state)
    await expectNothing(site, async () => {
      const { status, body } = await site.run(step, fields)
      expect(status).toBe(200)
      expect(body).toEqual({ success: false, error, message: expect.stringMatching(/./) })
    })
  })

  test.each(['IssueFromStockAndSwapIntake a', `${lend} a`] as const)(
    'InvalidShipmentState: %s for a single collection',
    async step => {
      const site = await startSite()
      // Only this column changes: after the operation itself, the receiver would be refused first.
      await site.run('Stock')
      await site.world.service.store.updateTable('shipments').set({ shipment_type: 'CollectOnlyShipment' }).execute()
      await expectNothing(site, async () => {
        expect((await site.run(step)).body.error).toBe('InvalidShipmentState')
      })
    },
  )
})

test.each<{ before: Step[]; step: Step; reason: string }>([
  { before: ['Issue', 'cancel a'], step: 'LocalSwap a', reason: 'it has ended' },
  { before: ['CollectOnlyByUser'], step: 'LocalSwap a', reason: 'it is collect-only' },
  { before: ['IntakeAndCircularStock'], step: 'LocalSwap a', reason: 'its item goes to the circular stock' },
  { before: ['Issue', 'LocalSwap a'], step: 'LocalSwap a', reason: 'it has a follower already' },
])('the message of a refused follower names its reason: $reason', async ({ before, step, reason }) => {
  const site = await siteAt({ before })
  const { body } = await site.run(step)
  expect(body).toMatchObject({
    error: 'InvalidShipmentState',
    message: expect.stringMatching(new RegExp(`^The prior shipment .* cannot have a follower: ${reason}\\.$`)),
  })
})

test.each([...new Set(rows.map(({ step }) => makingOf(step)))])('the table has every refusal of %s', name => {
  const here = new Set(rows.filter(({ step }) => makingOf(step) === name).map(({ error }) => error))
  // `chains.test.ts` has that of a full chain.
  const declared = operations[name].errors.filter(code => code !== 'ChainTooLong')
  expect([...here].sort()).toEqual([...declared].sort())
})

describe('a body without a required field is InvalidRequest, before all other checks (SPEC-32):', () => {
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
    const site = await siteAt({ before: [] })
    for (const field of fields) {
      const { status, body } = await site.run(step, { PupUid: nothing, [field]: undefined })
      expect({ status, body }).toMatchObject({
        status: 400,
        body: failed('InvalidRequest', `${field} is missing.`),
      })
    }
  })
})
