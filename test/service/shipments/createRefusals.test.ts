import { describe, expect, test } from 'vitest'
import { failed, operations } from '#contract'
import type { ErrorCode } from '#contract/terms'
import { type Before, byState, useSharedSites } from '../../support/service/sharedSites.ts'
import { makingOf, type Step } from '../../support/service/steps.ts'
import { expectNothing } from '../../support/service/unchanged.ts'

interface Row extends Before {
  readonly step: Step
  readonly fields?: object
  readonly error: ErrorCode
}

const nothing = 'no-such-thing'
const nobody = { ToUserUid: nothing }
const huge = { Dimension: { width: 1, height: 1, length: 41 } }
const full: Step[] = ['Stock', 'Stock', 'Stock', 'Stock']
const makings = ['Local', 'CollectOnly', 'CollectOnlyByDispatcher', 'CollectOnlyByUser'] as const

const booking = makings.flatMap((step): Row[] => [
  { before: [], step, fields: { PupUid: nothing, ...nobody, ...huge }, error: 'InvalidPupUid' },
  { before: [], step, fields: { PupUid: 'harbour' }, error: 'InvalidPupUid' },
  { before: [], step, fields: { LockerUid: nothing }, error: 'InvalidLocker' },
  { before: [], step, fields: { LockerUid: 'reserve:R1' }, error: 'InvalidLocker' },
  { before: [], step, fields: huge, error: 'InvalidDimension' },
  { before: full, step, error: 'NoLockerAvailable' },
  { before: ['Stock'], step, fields: { LockerUid: 'square:S1' }, error: 'NoLockerAvailable' },
  { before: [], broken: true, step, error: 'NoLockerAvailable' },
  { before: [], broken: true, step, fields: { ...huge, LockerUid: 'square:S1' }, error: 'LockerOutOfService' },
])

const users = (['Local', 'CollectOnly', 'CollectOnlyByUser'] as const).map(
  (step): Row => ({ before: [], step, fields: { ...nobody, ...huge, LockerUid: nothing }, error: 'InvalidUserUid' }),
)

const step = 'LocalSwap a'
const state = 'InvalidShipmentState'
const elsewhere = { PupUid: 'reserve' }
const tooLong = { Dimension: { width: 11, height: 20, length: 30 } }
const swapping: Row[] = [
  {
    before: [],
    step: `LocalSwap ${nothing}`,
    fields: { PupUid: nothing, ...nobody, ...huge },
    error: 'InvalidShipment',
  },
  // The first invalid field of several decides the error.
  { before: ['Issue', 'cancel a'], step, fields: { ...elsewhere, ...nobody, ...huge }, error: 'InvalidPupUid' },
  { before: ['Issue'], step, fields: { PupUid: nothing }, error: 'InvalidPupUid' },
  { before: ['Issue'], step, fields: elsewhere, error: 'InvalidPupUid' },
  { before: ['Issue', 'cancel a'], step, fields: { ...nobody, ...huge, LockerUid: nothing }, error: 'InvalidUserUid' },
  { before: ['Issue', 'cancel a'], step, fields: { FromUserUid: nothing }, error: 'InvalidUserUid' },
  { before: ['Issue', 'cancel a'], step, fields: { ...huge, LockerUid: nothing }, error: state },
  { before: ['Issue', 'dropOff a', 'pickUp a'], step, error: state },
  { before: ['IssueAndSwapIntake'], step, error: state },
  { before: ['IntakeAndCircularStock'], step, error: state },
  { before: ['Issue', 'LocalSwap a'], step, error: state },
  { before: ['CollectOnly'], step, error: state },
  { before: ['CollectOnlyKept'], step, error: state },
  { before: ['Issue'], step, fields: { ...huge, LockerUid: nothing }, error: 'InvalidLocker' },
  { before: ['Issue'], step, fields: { LockerUid: 'square:S2' }, error: 'InvalidLocker' },
  { before: ['Issue'], broken: true, step, fields: huge, error: 'LockerOutOfService' },
  { before: ['Issue', 'LocalSwap a'], broken: true, step, error: state },
  // A locker of the pick up point, and free, but not that of the swapped shipment.
  { before: ['Issue'], step, fields: { LockerUid: 'square:S2' }, error: 'InvalidLocker' },
  { before: ['Issue'], step, fields: tooLong, error: 'InvalidDimension' },
]

const rows = [...booking, ...users, ...swapping]

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
})

test.each([...new Set(rows.map(({ step }) => makingOf(step)))])('the table has every refusal of %s', name => {
  const here = new Set(rows.filter(({ step }) => makingOf(step) === name).map(({ error }) => error))
  // `chains.test.ts` has that of a full chain.
  const declared = operations[name].errors.filter(code => code !== 'ChainTooLong')
  expect([...here].sort()).toEqual([...declared].sort())
})

describe('a body without a required field is InvalidRequest, before all other checks (SPEC-32):', () => {
  const common = ['PupUid', 'AllowLargerLockers', 'AllowOverflowLockers', 'Dimension']
  const needs: [Step, string[]][] = [
    ['Local', common],
    ['CollectOnly', [...common, 'KeepBookedAfterPickUp']],
    ['CollectOnlyByDispatcher', [...common, 'KeepBookedAfterPickUp']],
    ['CollectOnlyByUser', [...common, 'KeepBookedAfterPickUp', 'ToUserUid']],
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

describe('an invalid combination of users is InvalidRequest with the field names (SPEC-43, SPEC-44):', () => {
  const none = { FromUserUid: null, ToUserUid: null }
  const both = ['FromUserUid: must be set if ToUserUid is not']
  const swapped = { SwapsShipmentUid: nothing }
  test.each([
    { what: 'neither', fields: none, named: both },
    { what: 'neither, absent', fields: { FromUserUid: undefined, ToUserUid: undefined }, named: both },
    { what: 'neither, delayed, but no swap', fields: { ...none, IsReceiverDelayed: true }, named: both },
    { what: 'neither, a swap, but not delayed', fields: { ...none, ...swapped }, named: both },
    { what: 'neither, a swap, delayed false', fields: { ...none, ...swapped, IsReceiverDelayed: false }, named: both },
    { what: 'named and delayed', fields: { IsReceiverDelayed: true }, named: ['ToUserUid'] },
    { what: 'named and delayed, a swap', fields: { ...swapped, IsReceiverDelayed: true }, named: ['ToUserUid'] },
    { what: 'neither, and no PupUid', fields: { ...none, PupUid: undefined }, named: [...both, 'PupUid is missing'] },
  ])('$what', async ({ fields, named }) => {
    const site = await siteAt({ before: [] })
    const { status, body } = await site.run('Local', fields)
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'InvalidRequest' })
    for (const field of named) expect(body.message).toContain(field)
  })
})
