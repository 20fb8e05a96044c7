import { describe, expect, test } from 'vitest'
import { withReference } from '#contract/terms'
import { eventually, gate } from '../../support/eventually.ts'
import { book, rejectionsOf } from '../../support/flows/booking.ts'
import { hour, movableClock, moveFlowClock } from '../../support/flows/clock.ts'
import { acceptedUpdates } from '../../support/flows/history.ts'
import { requestOfSwap } from '../../support/flows/journeys.ts'
import { growOld } from '../../support/flows/longHistories.ts'
import { startWith, type Underway } from '../../support/flows/underway.ts'
import { pass } from '../../support/wire.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld(movableClock)

type Delayed = Underway & { readonly shipment: Underway['shipments'][number] }

/** A local shipment whose receiver is named later, waiting in a stage. */
async function delayed(until: 'dropOff' | 'receiver', windows = {}): Promise<Delayed> {
  const request = { ...parcel, FromUserUid: world.userUid, IsReceiverDelayed: true }
  const underway = await startWith(world, 'localShipment', request, windows)
  const [shipment] = underway.shipments
  if (shipment === undefined) throw new Error('nothing was booked')
  if (until === 'receiver') await world.open(shipment, 'deliveryCode')
  await world.statusWhen(underway.caseNo, ({ stage }) => stage === until)
  return { ...underway, shipment }
}

async function complete({ caseNo, shipment }: Delayed): Promise<void> {
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({
    result: { outcome: 'completed', shipments: [{ role: 'shipment', stateCode: 'Completed' }], leftOver: [] },
  })
}

async function anotherUser(): Promise<string> {
  const { userUid } = await world.api.call('CreateOrGetAccount', {
    emailAddress: 'kim@example.org',
    firstName: 'Kim',
    lastName: 'Keeper',
    pickUpPointUid: 'pup-1',
  })
  return userUid ?? ''
}

const receiverOf = async ({ caseNo }: Delayed) => (await world.shipmentsOf(caseNo))[0]?.toUserUid

describe('a receiver is assigned', () => {
  test('once the item is in: the flow continues with the collection', async () => {
    const underway = await delayed('receiver')
    expect(await world.statusWhen(underway.caseNo, () => true)).toMatchObject({
      shipments: [{ stateCode: 'WaitForReceiver' }],
    })
    expect(await world.flows.assignReceiver(underway.caseNo, world.userUid)).toMatchObject({
      kind: 'Assigned',
      status: { shipments: [{ stateCode: 'ReadyForPickup' }] },
    })
    expect(await receiverOf(underway)).toBe(world.userUid)
    await complete(underway)
  })

  test('before the item is in: the flow skips the stage that waits for a receiver', async () => {
    const underway = await delayed('dropOff')
    expect(await world.flows.assignReceiver(underway.caseNo, world.userUid)).toMatchObject({
      kind: 'Assigned',
      status: { stage: 'dropOff' },
    })
    await world.open(underway.shipment, 'deliveryCode')
    await complete(underway)
  })

  test.each(['dropOff', 'receiver'] as const)('directly at the service, in %s', async stage => {
    const underway = await delayed(stage)
    const { shipmentUid } = underway.shipment
    await world.api.call('SetShipmentReceiver', { shipmentUid, toUserUid: world.userUid })
    if (stage === 'dropOff') await world.open(underway.shipment, 'deliveryCode')
    await complete(underway)
  })

  test('after the window for it has passed', async () => {
    const underway = await delayed('receiver', { receiver: '300ms' })
    await world.statusWhen(underway.caseNo, ({ overdue }) => overdue)
    expect(await world.flows.assignReceiver(underway.caseNo, world.userUid)).toMatchObject({ kind: 'Assigned' })
    await complete(underway)
  })

  test('after the flow has continued as new', async () => {
    const underway = await delayed('receiver')
    await growOld(world, underway.caseNo)
    expect(await world.flows.assignReceiver(underway.caseNo, world.userUid)).toMatchObject({ kind: 'Assigned' })
    await complete(underway)
  })
})

describe('assigning a receiver twice', () => {
  test('the same one succeeds', async () => {
    const underway = await delayed('dropOff')
    await world.flows.assignReceiver(underway.caseNo, world.userUid)
    expect(await world.flows.assignReceiver(underway.caseNo, world.userUid)).toMatchObject({ kind: 'Assigned' })
    await world.flows.cancel(underway.caseNo, 'over')
  })

  test('another one is refused by the service, and the first stays assigned', async () => {
    const underway = await delayed('dropOff')
    await world.flows.assignReceiver(underway.caseNo, world.userUid)
    expect(await world.flows.assignReceiver(underway.caseNo, await anotherUser())).toMatchObject({
      kind: 'Refused',
      code: 'InvalidShipmentState',
      message: expect.stringMatching(/\w+ .+/),
    })
    expect(await receiverOf(underway)).toBe(world.userUid)
    await world.flows.cancel(underway.caseNo, 'over')
  })

  test('two of them concurrently: one is accepted', async () => {
    const underway = await delayed('receiver')
    const users = [world.userUid, await anotherUser()]
    const answers = await Promise.all(users.map(user => world.flows.assignReceiver(underway.caseNo, user)))
    const accepted = answers.findIndex(({ kind }) => kind === 'Assigned')
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['Assigned', 'Refused'])
    expect(await receiverOf(underway)).toBe(users[accepted])
    await complete(underway)
  })
})

describe('a receiver is refused', () => {
  test('that is unknown: the flow waits for another one', async () => {
    const underway = await delayed('receiver')
    const { caseNo } = underway
    expect(await world.flows.assignReceiver(caseNo, 'nobody')).toMatchObject({
      kind: 'Refused',
      code: 'InvalidUserUid',
    })
    const status = await world.statusWhen(caseNo, () => true)
    expect(status.stage).toBe('receiver')
    expect(rejectionsOf(status)).toMatchObject([{ what: 'shipment: the receiver could not be set: InvalidUserUid' }])
    await world.flows.assignReceiver(caseNo, world.userUid)
    await complete(underway)
  })

  test('too late', async () => {
    const underway = await delayed('receiver')
    const { caseNo } = underway
    await world.flows.assignReceiver(caseNo, world.userUid)
    const message = withReference('NoReceiverExpected', 'The shipment has its receiver already.')
    const late = { kind: 'Refused', code: 'NoReceiverExpected', message }
    expect(await world.flows.assignReceiver(caseNo, world.userUid)).toEqual(late)
    await complete(underway)
    expect(await world.flows.assignReceiver(caseNo, world.userUid)).toMatchObject({ code: 'FlowEnded' })
  })

  test('before the booking', async () => {
    const caseNo = world.newCase()
    world.toService.rule = ({ path }) => (path.includes('CreateLocal') ? { kind: 'cut' } : pass)
    const request = { ...parcel, FromUserUid: world.userUid, IsReceiverDelayed: true }
    await world.flows.start('localShipment', { caseNo, request })
    await world.statusWhen(caseNo, ({ rejections }) => rejections.length > 0)
    const message = withReference('NoReceiverExpected', 'The flow is not booked yet.')
    const early = { kind: 'Refused', code: 'NoReceiverExpected', message }
    expect(await world.flows.assignReceiver(caseNo, world.userUid)).toEqual(early)
    world.toService.rule = () => pass
    await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
    await world.flows.cancel(caseNo, 'over')
  })

  test('while a cancelled flow reads its shipments', async () => {
    const isRead = gate()
    const { caseNo, shipment } = await delayed('dropOff', { receiver: '1s' })
    let reads = 0
    // The only read after the booking is that at the end of the window.
    world.toService.rule = ({ path }) =>
      path.endsWith('GetShipments') && ++reads > 0 ? { kind: 'answerLater', until: isRead.opened } : pass
    await world.open(shipment, 'deliveryCode')
    await eventually(() => reads > 0)
    const cancelled = world.flows.cancel(caseNo, 'over')
    // The start has accepted an update before: that of the caller who waits for the booking.
    await eventually(async () => (await acceptedUpdates(world, caseNo)).includes('cancel'))
    const message = withReference('NoReceiverExpected', 'The flow is being cancelled.')
    const refused = { kind: 'Refused', code: 'NoReceiverExpected', message }
    expect(await world.flows.assignReceiver(caseNo, world.userUid)).toEqual(refused)
    isRead.open()
    expect(await cancelled).toMatchObject({ outcome: 'cancelled', leftOver: [{}] })
  })

  test('by a flow that has one from the start, or needs none', async () => {
    const plain = await startWith(world, 'localShipment', { ...parcel, ToUserUid: world.userUid })
    const stock = await book(world, 'stock')
    for (const { caseNo } of [plain, stock]) {
      const answer = await world.flows.assignReceiver(caseNo, world.userUid)
      expect(answer).toMatchObject({ kind: 'Refused', code: 'NoReceiverExpected' })
      await world.flows.cancel(caseNo, 'over')
    }
  })

  test.each([undefined, null, 42, '', 'x'.repeat(65)])('that is %j instead of a uid', async user => {
    const { caseNo } = await delayed('dropOff')
    expect(await world.flows.assignReceiver(caseNo, user as string)).toMatchObject({
      code: 'InvalidFlowInput',
      message: withReference('InvalidFlowInput', 'toUserUid: must be the uid of a user, 1 to 64 characters.'),
    })
    await world.flows.cancel(caseNo, 'over')
  })
})

describe('while the service does not respond', () => {
  test('a receiver is assigned as soon as it does', async () => {
    const underway = await delayed('receiver')
    let cut = 0
    world.toService.rule = ({ path }) => (path.endsWith('SetShipmentReceiver') && cut++ < 2 ? { kind: 'cut' } : pass)
    expect(await world.flows.assignReceiver(underway.caseNo, world.userUid)).toMatchObject({ kind: 'Assigned' })
    expect(cut).toBeGreaterThan(2)
    await complete(underway)
  })

  test('a receiver whose response is lost is found to be assigned', async () => {
    const underway = await delayed('receiver')
    let lost = 0
    world.toService.rule = ({ path }) =>
      path.endsWith('SetShipmentReceiver') && lost++ === 0 ? { kind: 'loseAnswer' } : pass
    expect(await world.flows.assignReceiver(underway.caseNo, world.userUid)).toMatchObject({ kind: 'Assigned' })
    expect(lost).toBeGreaterThan(1)
    await complete(underway)
  })

  test('for longer than a minute, the caller gets the reason, and can retry', async () => {
    const underway = await delayed('receiver')
    world.toService.rule = ({ path }) =>
      path.endsWith('SetShipmentReceiver') ? { kind: 'status', status: 503, headers: { 'retry-after': '300' } } : pass
    const answer = await world.flows.assignReceiver(underway.caseNo, world.userUid)
    expect(answer).toMatchObject({ kind: 'Refused', code: 'Unavailable' })
    world.toService.rule = () => pass
    expect(await world.flows.assignReceiver(underway.caseNo, world.userUid)).toMatchObject({ kind: 'Assigned' })
    await complete(underway)
  })
})

test('a receiver is refused while the flow ends, whose window has passed', async () => {
  const underway = await delayed('dropOff', { dropOff: '48h' })
  world.toService.rule = ({ path }) => (path.endsWith('CancelShipment') ? { kind: 'cut' } : pass)
  const moved = moveFlowClock(world, underway.caseNo, 49 * hour)
  await world.statusWhen(underway.caseNo, ({ state }) => state === 'cleaningUp')
  const message = withReference('NoReceiverExpected', 'The flow is being ended.')
  const refused = { kind: 'Refused', code: 'NoReceiverExpected', message }
  expect(await world.flows.assignReceiver(underway.caseNo, world.userUid)).toEqual(refused)
  expect(await receiverOf(underway)).toBe(null)
  world.toService.rule = () => pass
  expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'expired', leftOver: [] } })
  expect(await moved).toEqual({ ended: true })
})

describe('without a receiver, cancelling', () => {
  test('frees an empty locker', async () => {
    const { caseNo } = await delayed('dropOff')
    expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ outcome: 'cancelled', leftOver: [] })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })

  test('leaves an item over', async () => {
    const { caseNo, shipment } = await delayed('receiver')
    const leftOver = [{ step: 'booking', shipmentUid: shipment.shipmentUid, reason: 'there is an item in the locker' }]
    expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ outcome: 'cancelled', leftOver })
  })

  test('the shipment at the service ends the flow', async () => {
    const { caseNo, shipment } = await delayed('receiver')
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled', leftOver: [] } })
  })
})

describe('when the window passes', () => {
  /** The window for a receiver has passed, so a decision is needed. */
  async function unnamed(): Promise<Delayed> {
    const underway = await delayed('receiver', { receiver: '48h' })
    await moveFlowClock(world, underway.caseNo, 49 * hour)
    const status = await world.statusWhen(underway.caseNo, ({ overdue }) => overdue)
    expect(status).toMatchObject({ state: 'overdue', stage: 'receiver', deadline: null })
    return underway
  }

  test('for a receiver, it can be extended: it passes again, and a receiver can still be assigned', async () => {
    const underway = await unnamed()
    const { caseNo } = underway
    const decided = await world.flows.decide(caseNo, { decision: 'extend', by: '400ms' })
    expect(decided).toMatchObject({ kind: 'Decided', status: { state: 'waiting', stage: 'receiver', overdue: false } })
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    expect(await world.flows.assignReceiver(caseNo, world.userUid)).toMatchObject({ kind: 'Assigned' })
    await complete(underway)
  })

  test('for a receiver, it can be extended by the window itself', async () => {
    const { caseNo } = await unnamed()
    await world.flows.decide(caseNo, { decision: 'extend' })
    await world.statusWhen(caseNo, ({ deadline }) => deadline !== null)
    await moveFlowClock(world, caseNo, 98 * hour)
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    await world.flows.cancel(caseNo, 'over')
  })

  test('for a receiver, the flow can be kept waiting without one', async () => {
    const underway = await unnamed()
    const { caseNo } = underway
    const kept = await world.flows.decide(caseNo, { decision: 'keepWaiting' })
    expect(kept).toMatchObject({ kind: 'Decided', status: { state: 'waiting', stage: 'receiver', deadline: null } })
    await world.flows.assignReceiver(caseNo, world.userUid)
    // The next stage has a window of its own again.
    const { deadline } = await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    expect(deadline).not.toBeNull()
    await complete(underway)
  })

  test('for a receiver, the flow can be cancelled: the item is left over', async () => {
    const { caseNo, shipment } = await unnamed()
    await world.flows.decide(caseNo, { decision: 'cancel' })
    const leftOver = [{ step: 'booking', shipmentUid: shipment.shipmentUid, reason: 'there is an item in the locker' }]
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled', leftOver } })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'WaitForReceiver' }])
  })

  test('before the item is in, the flow ends as expired, and the locker is free', async () => {
    const { caseNo } = await delayed('dropOff', { dropOff: '48h' })
    await moveFlowClock(world, caseNo, 49 * hour)
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'expired', leftOver: [] } })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })

  test('without an item but with a receiver, too', async () => {
    const { caseNo } = await delayed('dropOff', { dropOff: '48h' })
    expect(await world.flows.assignReceiver(caseNo, world.userUid)).toMatchObject({ kind: 'Assigned' })
    await moveFlowClock(world, caseNo, 49 * hour)
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'expired', leftOver: [] } })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })
})

describe('a local shipment as a swap', () => {
  test('swaps with the returned item, and its receiver is assigned later', async () => {
    const request = await requestOfSwap(world)
    const underway = await startWith(world, 'localShipment', request)
    const [shipment] = underway.shipments
    if (shipment === undefined) throw new Error('nothing was booked')
    await world.openShipment(String(request.SwapsShipmentUid), 'pickUpCode')
    await world.statusWhen(underway.caseNo, ({ stage }) => stage === 'receiver')
    await world.flows.assignReceiver(underway.caseNo, world.userUid)
    await complete({ ...underway, shipment })
  })

  test('waits for its turn, and is cancelled', async () => {
    const issue = await book(world, 'issue')
    const { shipmentUid } = issue.shipment
    const request = { ...parcel, FromUserUid: world.userUid, SwapsShipmentUid: shipmentUid }
    const { caseNo, shipments } = await startWith(world, 'localShipment', request)
    expect(shipments).toMatchObject([{ role: 'shipment', stateCode: 'WaitForPriorShipment' }])
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ stage: 'dropOff' })
    await world.flows.cancel(caseNo, 'over')
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
    await world.flows.cancel(issue.caseNo, 'over')
  })

  test.each([
    ['InvalidShipment', { SwapsShipmentUid: 'unknown', IsReceiverDelayed: true }],
    ['InvalidUserUid', { ToUserUid: 'nobody' }],
    ['InvalidFlowInput', { ToUserUid: 'somebody', IsReceiverDelayed: true }],
    ['InvalidFlowInput', {}],
  ])('is refused with %s for %j', async (code, change) => {
    const caseNo = world.newCase(0)
    const answer = await world.flows.startAndWaitForBooking('localShipment', {
      caseNo,
      request: { ...parcel, ...change },
    })
    expect(answer).toMatchObject({ kind: 'Refused', code })
  })
})
