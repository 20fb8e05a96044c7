import { describe, expect, test } from 'vitest'
import { type Site, startSite } from '../../../support/service/site.ts'
import { expectSound } from '../../../support/service/soundness.ts'
import type { Step } from '../../../support/service/steps.ts'

const texts = { ReferenceNo: 'no', ReferenceCaseNo: 'case', Description: 'A key' }

describe('who collects (SPEC-47)', () => {
  type Who = Exclude<keyof Site['users'], 'ben'>
  const rows: { step: Step; fields: object; who: Who }[] = [
    { step: 'CollectOnly', fields: {}, who: 'ada' },
    { step: 'CollectOnly', fields: { ToUserUid: null }, who: 'dispatcher' },
    { step: 'CollectOnly', fields: { ToUserUid: undefined }, who: 'dispatcher' },
    { step: 'CollectOnlyByUser', fields: {}, who: 'ada' },
    { step: 'CollectOnlyByUser', fields: { LockerUid: null, Details: null }, who: 'ada' },
    { step: 'CollectOnlyByDispatcher', fields: {}, who: 'dispatcher' },
  ]
  test.each(rows)('$step with $fields: $who, and it is ready for pick up', async ({ step, fields, who }) => {
    const site = await startSite()
    expect(site.lettersIn(await site.run(step, { Details: texts, ...fields }))).toBe('a')
    expect(await site.read('a')).toMatchObject({
      shipmentType: 'CollectOnlyShipment',
      stateCode: 'ReadyForPickup',
      fromUserUid: site.users.dispatcher,
      toUserUid: site.users[who],
      ...('Details' in fields ? { referenceNo: null } : { referenceNo: 'no', referenceCaseNo: 'case' }),
      keepBookedAfterPickUp: false,
    })
    expect(await site.callbacks()).toEqual(['a ReadyForPickup'])
    expect(site.receiver.received.at(-1)?.message.shipmentType).toBe('CollectOnlyShipment')
    await expectSound(site.world)
  })
})

test('the main operation returns the one shipment and its locker (SPEC-36)', async () => {
  const site = await startSite()
  const { body } = await site.run('CollectOnly', { LockerUid: 'square:L1' })
  const shipmentUid = site.uids.get('a')
  expect(body).toEqual({
    shipmentUid,
    pupUid: 'square',
    lockerName: 'L1',
    success: true,
    error: null,
    message: null,
  })
})

describe.each(['pickUp a', 'unlock PickUp a'] as const)('after a collection by %s', pickUp => {
  test('it has ended, and its locker is free (SPEC-48)', async () => {
    const site = await startSite()
    await site.run('CollectOnly')
    expect((await site.run(pickUp)).body.error).toBeNull()
    expect(await site.read('a')).toMatchObject({ stateCode: 'Completed', pickUpCode: null })
    expect(await site.callbacks()).toEqual(['a ReadyForPickup', 'a Completed'])
    await expectSound(site.world)
  })

  test.each(['CollectOnly', 'CollectOnlyByUser', 'CollectOnlyByDispatcher'] as const)(
    'a %s that is kept does not change and sends no callback until it is cancelled (SPEC-49)',
    async step => {
      const site = await startSite()
      await site.run(step, { KeepBookedAfterPickUp: true })
      const before = await site.read('a')
      expect(before).toMatchObject({ stateCode: 'ReadyForPickup', keepBookedAfterPickUp: true })
      await site.callbacks()
      for (let count = 0; count < 2; count++) {
        site.world.service.advance(60_000)
        expect((await site.run(pickUp)).body.error).toBeNull()
        expect(await site.read('a')).toEqual(before)
      }
      await expectSound(site.world)
      expect(await site.callbacks()).toEqual([])
      expect((await site.run('cancel a')).body.error).toBeNull()
      expect(await site.callbacks()).toEqual(['a Cancelled'])
      await expectSound(site.world)
    },
  )
})

test.each([
  { step: 'dropOff a', error: 'InvalidAccessCode' },
  { step: 'unlock DropOff a', error: 'UnlockNotAllowed' },
  { step: 'setReceiver a', error: 'InvalidShipmentState' },
  { step: 'removeReceiver a', error: 'InvalidShipmentState' },
  { step: 'IssueFromStock a', error: 'InvalidShipmentState' },
] satisfies { step: Step; error: string }[])('$step is $error, since only collection is possible', async row => {
  const site = await startSite()
  await site.run('CollectOnly')
  expect((await site.run(row.step)).body.error).toBe(row.error)
})
