import { describe, expect, test } from 'vitest'
import type { ShipmentItem } from '#contract'
import { type Site, startSite } from './site.ts'
import { expectSound } from './soundness.ts'
import type { Step } from './steps.ts'

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

describe.each(['Local', 'LocalSwap a'] as const)('who sends and who receives: %s of', step => {
  test.each(Object.entries(rows))('%s', async (_what, { FromUserUid, ToUserUid, IsReceiverDelayed, from, to }) => {
    const site = await startSite()
    await site.take('Issue', { ToUserUid: site.users.ada })
    const users = { FromUserUid: FromUserUid(site.users), ToUserUid: ToUserUid(site.users) }
    expect((await site.take(step, { ...users, IsReceiverDelayed })).body.error).toBeNull()
    expect(await site.look('b')).toMatchObject({ fromUserUid: from(site.users), toUserUid: to(site.users) })
  })
})

test('the answer says where the shipment is, and its references are its own fields', async () => {
  const site = await startSite()
  const texts = { ReferenceNo: 'no', ReferenceCaseNo: 'case', Description: 'A drill' }
  const { body } = await site.take('Local', { ...texts, LockerUid: 'square:M1' })
  const answer = { shipmentUid: site.uids.get('a'), pupUid: 'square', lockerName: 'M1' }
  expect(body).toEqual({ ...answer, success: true, error: null, message: null })
  expect(await site.look('a')).toMatchObject({
    ...answer,
    shipmentType: 'LocalPupShipment',
    stateCode: 'ReadyForDropOff',
    referenceNo: 'no',
    referenceCaseNo: 'case',
    description: 'A drill',
    swapsShipmentUid: null,
    keepBookedAfterPickUp: false,
  })
  expect(await site.announced()).toEqual(['a ReadyForDropOff'])
})

test('the answer of a booking that overflowed names the pick up point that it went to', async () => {
  const site = await startSite()
  for (let count = 0; count < 4; count++) await site.take('Stock')
  const { body } = await site.take('Local', { AllowOverflowLockers: true })
  expect(body).toMatchObject({ pupUid: 'reserve', lockerName: 'R1' })
})

test('a delayed receiver makes it stock, which can be issued; without one it is none', async () => {
  const site = await startSite()
  await site.take('Local', { ToUserUid: null, IsReceiverDelayed: true })
  await site.take('dropOff a')
  expect(await site.look('a')).toMatchObject({ stateCode: 'WaitForReceiver', toUserUid: null })
  expect((await site.take('IssueFromStock a')).body.error).toBeNull()
  expect(await site.look('a')).toMatchObject({ stateCode: 'ReadyForPickup', toUserUid: site.users.ada })

  for (const step of ['Local', 'removeReceiver b'] as const) await site.take(step)
  expect((await site.take('IssueFromStock b')).body.error).toBe('InvalidShipmentState')
})

describe('a swap', () => {
  const turns: { before: Step[]; state: ShipmentItem['stateCode'] }[] = [
    { before: ['Issue'], state: 'WaitForPriorShipment' },
    { before: ['Stock', 'dropOff a'], state: 'WaitForPriorShipment' },
    { before: ['Issue', 'dropOff a'], state: 'ReadyForDropOff' },
    { before: ['Stock', 'dropOff a', 'setReceiver a'], state: 'ReadyForDropOff' },
  ]
  test.each(turns)('starts by its turn: after $before in $state', async ({ before, state }) => {
    const site = await startSite()
    for (const step of before) await site.take(step)
    await site.announced()
    const { body } = await site.take('LocalSwap a')
    const swapped = await site.look('a')
    expect(body).toMatchObject({ pupUid: swapped.pupUid, lockerName: swapped.lockerName })
    expect(await site.look('b')).toMatchObject({ stateCode: state, swapsShipmentUid: swapped.shipmentUid })
    expect(await site.announced()).toEqual([`b ${state}`])
  })

  test('is dropped off with the pick up code of the swapped shipment, which is picked up by it', async () => {
    const site = await startSite()
    for (const step of ['Issue', 'LocalSwap a', 'dropOff a'] as const) await site.take(step)
    const { pickUpCode } = await site.look('a')
    expect((await site.look('b')).deliveryCode).toBe(pickUpCode)
    await site.announced()
    expect((await site.take('dropOff b')).body.error).toBeNull()
    expect(await site.announced()).toEqual(['a Completed', 'b ReadyForPickup'])
    await expectSound(site.world)
  })

  test('may name the very pick up point and locker of the swapped shipment, and has a size of its own', async () => {
    const site = await startSite()
    await site.take('Issue', { LockerUid: 'square:L1' })
    const Dimension = { width: 40, height: 30, length: 20 }
    const { body } = await site.take('LocalSwap a', { LockerUid: 'square:L1', Dimension })
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
    'of $before without any user, with a delayed receiver, comes from $sender',
    async ({ before, from }) => {
      const site = await startSite()
      for (const step of before) await site.take(step)
      expect((await site.take('LocalSwap a', delayed)).body.error).toBeNull()
      expect(await site.look('b')).toMatchObject({ fromUserUid: from(site.users), toUserUid: null })
      await site.take('setReceiver b')
      expect(await site.look('b')).toMatchObject({ toUserUid: site.users.ben })
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
