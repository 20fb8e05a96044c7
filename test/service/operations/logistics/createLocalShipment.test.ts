import { describe, expect, test } from 'vitest'
import type { ShipmentItem } from '#contract'
import { type Site, startSite } from '../../../support/service/site.ts'
import { expectSound } from '../../../support/service/soundness.ts'
import type { Step } from '../../../support/service/steps.ts'

type Users = Site['users']
type Uid = (users: Users) => string | null

const nobody: Uid = () => null
const ada: Uid = users => users.ada
const ben: Uid = users => users.ben
const dispatcher: Uid = users => users.dispatcher

interface Row {
  readonly FromUserUid: Uid
  readonly ToUserUid: Uid
  readonly IsReceiverDelayed?: boolean
  readonly from: Uid
  readonly to: Uid
}

const rows: Record<string, Row> = {
  'both users': { FromUserUid: ada, ToUserUid: ben, from: ada, to: ben },
  'only a sender: the dispatcher receives': { FromUserUid: ada, ToUserUid: nobody, from: ada, to: dispatcher },
  'only a receiver: the dispatcher sends': { FromUserUid: nobody, ToUserUid: ben, from: dispatcher, to: ben },
  'a receiver that is not delayed': {
    FromUserUid: nobody,
    ToUserUid: ben,
    IsReceiverDelayed: false,
    from: dispatcher,
    to: ben,
  },
  'a sender and a delayed receiver': {
    FromUserUid: ada,
    ToUserUid: nobody,
    IsReceiverDelayed: true,
    from: ada,
    to: nobody,
  },
}

describe.each(['Local', 'LocalSwap a'] as const)('who sends and who receives (SPEC-2): %s of', step => {
  test.each(Object.entries(rows))('%s', async (_what, { FromUserUid, ToUserUid, IsReceiverDelayed, from, to }) => {
    const site = await startSite()
    await site.run('Issue', { ToUserUid: site.users.ada })
    const users = { FromUserUid: FromUserUid(site.users), ToUserUid: ToUserUid(site.users) }
    expect((await site.run(step, { ...users, IsReceiverDelayed })).body.error).toBeNull()
    expect(await site.read('b')).toMatchObject({ fromUserUid: from(site.users), toUserUid: to(site.users) })
  })
})

test('the response has the locker, and its references are its own fields (SPEC-36, SPEC-42)', async () => {
  const site = await startSite()
  const texts = { ReferenceNo: 'no', ReferenceCaseNo: 'case', Description: 'A drill' }
  const { body } = await site.run('Local', { ...texts, LockerUid: 'square:M1' })
  const response = { shipmentUid: site.uids.get('a'), pupUid: 'square', lockerName: 'M1' }
  expect(body).toEqual({ ...response, success: true, error: null, message: null })
  expect(await site.read('a')).toMatchObject({
    ...response,
    shipmentType: 'LocalPupShipment',
    stateCode: 'ReadyForDropOff',
    referenceNo: 'no',
    referenceCaseNo: 'case',
    description: 'A drill',
    swapsShipmentUid: null,
    keepBookedAfterPickUp: false,
  })
  expect(await site.callbacks()).toEqual(['a ReadyForDropOff'])
})

test('it is dropped off and picked up at the same pick up point (SPEC-42)', async () => {
  const site = await startSite()
  const { body } = await site.run('Local')
  expect(body.pupUid).toBe('square')
  for (const step of ['dropOff a', 'pickUp a'] as const) {
    const elsewhere = await site.run(step, { pupUid: 'reserve', lockerName: 'R1' })
    expect(elsewhere.body.error).toBe('InvalidAccessCode')
    expect((await site.run(step)).body.error).toBeNull()
    expect((await site.read('a')).pupUid).toBe('square')
  }
  expect((await site.read('a')).stateCode).toBe('Completed')
})

test('the response of a booking that overflowed names its actual pick up point (SPEC-39)', async () => {
  const site = await startSite()
  for (let count = 0; count < 4; count++) await site.run('Stock')
  const { body } = await site.run('Local', { AllowOverflowLockers: true })
  expect(body).toMatchObject({ pupUid: 'reserve', lockerName: 'R1' })
})

test('a delayed receiver makes it stock, which can be issued; otherwise it cannot (SPEC-44)', async () => {
  const site = await startSite()
  await site.run('Local', { ToUserUid: null, IsReceiverDelayed: true })
  await site.run('dropOff a')
  expect(await site.read('a')).toMatchObject({ stateCode: 'WaitForReceiver', toUserUid: null })
  expect((await site.run('IssueFromStock a')).body.error).toBeNull()
  expect(await site.read('a')).toMatchObject({ stateCode: 'ReadyForPickup', toUserUid: site.users.ada })

  for (const step of ['Local', 'removeReceiver b'] as const) await site.run(step)
  expect((await site.run('IssueFromStock b')).body.error).toBe('InvalidShipmentState')
})

describe('a swap', () => {
  const turns: { before: Step[]; state: ShipmentItem['stateCode'] }[] = [
    { before: ['Issue'], state: 'WaitForPriorShipment' },
    { before: ['Stock', 'dropOff a'], state: 'WaitForPriorShipment' },
    { before: ['Issue', 'dropOff a'], state: 'ReadyForDropOff' },
    { before: ['Stock', 'dropOff a', 'setReceiver a'], state: 'ReadyForDropOff' },
  ]
  test.each(turns)('starts in its initial state: after $before in $state', async ({ before, state }) => {
    const site = await startSite()
    for (const step of before) await site.run(step)
    await site.callbacks()
    const { body } = await site.run('LocalSwap a')
    const swapped = await site.read('a')
    expect(body).toMatchObject({ pupUid: swapped.pupUid, lockerName: swapped.lockerName })
    expect(await site.read('b')).toMatchObject({ stateCode: state, swapsShipmentUid: swapped.shipmentUid })
    expect(await site.callbacks()).toEqual([`b ${state}`])
  })

  test('is dropped off with the pick up code of the swapped shipment, which is picked up by it (SPEC-10)', async () => {
    const site = await startSite()
    for (const step of ['Issue', 'LocalSwap a', 'dropOff a'] as const) await site.run(step)
    const { pickUpCode } = await site.read('a')
    expect((await site.read('b')).deliveryCode).toBe(pickUpCode)
    await site.callbacks()
    expect((await site.run('dropOff b')).body.error).toBeNull()
    expect(await site.callbacks()).toEqual(['a Completed', 'b ReadyForPickup'])
    await expectSound(site.world)
  })

  test('may name the pick up point and locker of the swapped shipment, and has its own size', async () => {
    const site = await startSite()
    await site.run('Issue', { LockerUid: 'square:L1' })
    const Dimension = { width: 40, height: 30, length: 20 }
    const { body } = await site.run('LocalSwap a', { LockerUid: 'square:L1', Dimension })
    expect(body).toMatchObject({ error: null, pupUid: 'square', lockerName: 'L1' })
    const sizes = await site.world.service.store.selectFrom('shipments').select('width').orderBy('seq').execute()
    expect(sizes).toEqual([{ width: 5 }, { width: 40 }])
  })

  const delayed = { FromUserUid: null, ToUserUid: null, IsReceiverDelayed: true }
  test.each([
    { before: ['Issue'], sender: 'its receiver', from: ada },
    { before: ['Intake'], sender: 'its receiver, the dispatcher', from: dispatcher },
    { before: ['Stock'], sender: 'the dispatcher, since it has none', from: dispatcher },
  ] satisfies { before: Step[]; sender: string; from: Uid }[])(
    'of $before without any user, with a delayed receiver, comes from $sender (SPEC-45)',
    async ({ before, from }) => {
      const site = await startSite()
      for (const step of before) await site.run(step)
      expect((await site.run('LocalSwap a', delayed)).body.error).toBeNull()
      expect(await site.read('b')).toMatchObject({ fromUserUid: from(site.users), toUserUid: null })
      await site.run('setReceiver b')
      expect(await site.read('b')).toMatchObject({ toUserUid: site.users.ben })
    },
  )
})

test('the same booking with the same Idempotency-Key is made once', async () => {
  const { world, users } = await startSite()
  const dimension = { width: 5, height: 5, length: 5 }
  const body = { PupUid: 'square', AllowLargerLockers: true, AllowOverflowLockers: false, Dimension: dimension }
  const send = () =>
    world.service.call(
      'CreateLocalShipment',
      { ...body, ToUserUid: users.ada },
      { headers: { 'idempotency-key': 'k' } },
    )
  const first = await send()
  expect(first.body.success).toBe(true)
  expect((await send()).text).toBe(first.text)
  expect((await world.call('GetShipments', {})).totalItems).toBe(1)
})
