import { describe, expect, test } from 'vitest'
import type { ErrorCode, StateCode } from '#contract/terms'
import { type Site, startSite } from '../../../support/service/site.ts'
import { expectSound } from '../../../support/service/soundness.ts'
import type { Step } from '../../../support/service/steps.ts'

interface Row {
  readonly before: Step[]
  readonly letter: string
  readonly state: StateCode
  readonly receiver: boolean
  /** The result of setting and of removing: a state, or a refusal. */
  readonly set: StateCode | ErrorCode
  readonly remove: StateCode | ErrorCode
}

const refused = 'InvalidShipmentState'
const lend = 'IssueFromStockAndSubsequentIntakeAndCircularStock'
const row = (
  before: Step[],
  letter: string,
  state: StateCode,
  receiver: boolean,
  [set, remove]: [Row['set'], Row['remove']],
): Row => ({ before, letter, state, receiver, set, remove })

const rows: Row[] = [
  row(['Stock'], 'a', 'ReadyForDropOff', false, ['ReadyForDropOff', refused]),
  row(['Issue'], 'a', 'ReadyForDropOff', true, [refused, 'ReadyForDropOff']),
  row(['IntakeAndCircularStock'], 'b', 'WaitForPriorShipment', false, ['WaitForPriorShipment', refused]),
  row(['IssueAndSwapIntake'], 'b', 'WaitForPriorShipment', true, [refused, 'WaitForPriorShipment']),
  row(['Stock', `${lend} a`], 'c', 'WaitForPriorShipment', false, ['WaitForPriorShipment', refused]),
  row(['Stock', 'dropOff a'], 'a', 'WaitForReceiver', false, ['ReadyForPickup', refused]),
  row(['Issue', 'dropOff a'], 'a', 'ReadyForPickup', true, [refused, refused]),
  row(['IntakeAndCircularStock', 'dropOff a'], 'b', 'ReadyForPickup', false, [refused, refused]),
  row(['Issue', 'dropOff a', 'pickUp a'], 'a', 'Completed', true, [refused, refused]),
  row(['IntakeAndCircularStock', 'dropOff a', 'pickUp b'], 'b', 'Completed', false, [refused, refused]),
  row(['Issue', 'cancel a'], 'a', 'Cancelled', true, [refused, refused]),
  row(['Stock', 'cancel a'], 'a', 'Cancelled', false, [refused, refused]),
]

describe.each(rows)(
  '$before (SPEC-23): in $state, with a receiver: $receiver',
  ({ before, letter, state, receiver, ...leads }) => {
    test.each(['set', 'remove'] as const)(`%s: ${leads.set}, ${leads.remove}`, async what => {
      const site = await startSite()
      for (const step of before) expect((await site.run(step)).body.error).toBeNull()
      const { toUserUid, stateCode, stateStart } = await site.read(letter)
      expect({ stateCode, receiver: toUserUid !== null }).toEqual({ stateCode: state, receiver })
      const there = await expectSound(site.world)
      await site.callbacks()

      site.world.service.advance(60_000)
      const response = await site.run(`${what}Receiver ${letter}`)
      const leadsTo = leads[what]
      if (leadsTo === refused) {
        expect(response.body).toEqual({ success: false, error: refused, message: expect.stringMatching(/./) })
        expect(await expectSound(site.world)).toEqual(there)
        expect(await site.callbacks()).toEqual([])
        return
      }
      expect(response.body).toEqual({ success: true, error: null, message: null })
      const after = await site.read(letter)
      expect(after).toMatchObject({ stateCode: leadsTo, toUserUid: what === 'set' ? site.users.ben : null })
      expect(after.stateStart === stateStart, 'the same state has the same start').toBe(leadsTo === state)
      expect(await site.callbacks()).toEqual(leadsTo === state ? [] : [`${letter} ${leadsTo}`])
    })
  },
)

describe('refused in the order of the checks', () => {
  test.each([
    { before: [], fields: { toUserUid: undefined }, error: 'InvalidRequest' },
    { before: [], fields: { toUserUid: '' }, error: 'InvalidRequest' },
    { before: [], fields: { toUserUid: 'nobody' }, error: 'InvalidShipment' },
    { before: ['Stock', 'cancel a'], fields: { toUserUid: 'nobody' }, error: 'InvalidUserUid' },
    { before: ['Stock', 'cancel a'], fields: {}, error: 'InvalidShipmentState' },
  ] satisfies { before: Step[]; fields: object; error: ErrorCode }[])('$error: $before, $fields', async row => {
    const site = await startSite()
    for (const step of row.before) await site.run(step)
    expect((await site.run('setReceiver a', row.fields)).body.error).toBe(row.error)
  })

  test.each(['nobody', '', 'x'.repeat(65), '\0', 7, {}])(
    'a removal ignores any toUserUid, and caseReferenceNew (SPEC-55): %j',
    async toUserUid => {
      const site = await start('Issue')
      const { body } = await site.run('removeReceiver a', { toUserUid, caseReferenceNew: 'other' })
      expect(body.error).toBeNull()
      expect(await site.read('a')).toMatchObject({ toUserUid: null, referenceCaseNo: 'case' })
    },
  )

  test.each(['x'.repeat(101), 'nul \0', 7, {}])(
    'caseReferenceNew: %j is ignored by a removal only',
    async caseReferenceNew => {
      const site = await start('Issue')
      expect((await site.run('removeReceiver a', { caseReferenceNew })).body.error).toBeNull()
      const { status, body } = await site.run('setReceiver a', { caseReferenceNew })
      expect({ status, error: body.error }).toEqual({ status: 400, error: 'InvalidRequest' })
      expect(body.message).toMatch(/^caseReferenceNew: /)
      expect(await site.read('a')).toMatchObject({ toUserUid: null, referenceCaseNo: 'case' })
    },
  )

  test('an empty body lacks both uids, and the message names both', async () => {
    const { world } = await startSite()
    const { body } = await world.service.call('SetShipmentReceiver', {})
    expect(body.error).toBe('InvalidRequest')
    for (const field of ['shipmentUid', 'toUserUid']) expect(body.message).toContain(field)
  })
})

test.each([
  { caseReferenceNew: 'other', referenceCaseNo: 'other' },
  { caseReferenceNew: null, referenceCaseNo: 'case' },
  { caseReferenceNew: '', referenceCaseNo: 'case' },
  { caseReferenceNew: undefined, referenceCaseNo: 'case' },
])(
  'the case number after caseReferenceNew $caseReferenceNew is $referenceCaseNo (SPEC-56)',
  async ({ caseReferenceNew, referenceCaseNo }) => {
    const site = await start('Stock')
    await site.run('dropOff a')
    await site.run('setReceiver a', { caseReferenceNew })
    expect(await site.read('a')).toMatchObject({ referenceCaseNo, referenceNo: 'no' })
    await site.callbacks()
    expect(site.receiver.received.at(-1)?.message).toMatchObject({ toUserUid: site.users.ben, referenceCaseNo })
  },
)

test('a receiver is that of its shipment only, and not of one that waits for it', async () => {
  const site = await start('Stock')
  for (const step of ['dropOff a', 'StockSwap a'] as const) expect((await site.run(step)).body.error).toBeNull()
  await site.run('setReceiver a', { caseReferenceNew: 'other' })
  expect(await site.read('a')).toMatchObject({ stateCode: 'ReadyForPickup', toUserUid: site.users.ben })
  expect(await site.read('b')).toMatchObject({ stateCode: 'ReadyForDropOff', toUserUid: null, referenceCaseNo: null })
})

test('an issue without a receiver is dropped off, waits for a new receiver, and cannot be issued', async () => {
  const site = await start('Issue')
  for (const step of ['removeReceiver a', 'dropOff a'] as const) await site.run(step)
  expect(await site.read('a')).toMatchObject({ stateCode: 'WaitForReceiver', toUserUid: null })
  expect((await site.run('IssueFromStock a')).body.error).toBe('InvalidShipmentState')
  await site.run('setReceiver a')
  expect(await site.read('a')).toMatchObject({ stateCode: 'ReadyForPickup', toUserUid: site.users.ben })
})

test('a removed and a later receiver change no code, and a new object renews it on request', async () => {
  const site = await start('Issue')
  const codesOf = async () => {
    const { pickUpCode, deliveryCode } = await site.read('a')
    return { pickUpCode, deliveryCode }
  }
  const before = await codesOf()
  for (const step of ['removeReceiver a', 'setReceiver a'] as const) await site.run(step)
  expect(await codesOf()).toEqual(before)
  await site.run('addObject a', { changePickUpAccess: true })
  expect((await codesOf()).pickUpCode).not.toBe(before.pickUpCode)
})

test('an intake of a circular pair passes its item on, whether it has a receiver or not (SPEC-24)', async () => {
  const site = await start('IntakeAndCircularStock')
  for (const step of ['removeReceiver a', 'dropOff a'] as const) await site.run(step)
  expect(await site.read('a')).toMatchObject({ stateCode: 'Completed' })
  expect(await site.read('b')).toMatchObject({ stateCode: 'ReadyForPickup', toUserUid: null })
})

async function start(making: Step): Promise<Site> {
  const site = await startSite()
  await site.run(making, { Details: { ReferenceNo: 'no', ReferenceCaseNo: 'case' } })
  return site
}
