import { describe, expect, test } from 'vitest'
import { withReference } from '#contract/terms'
import type { Duration } from '#flows'
import type { Simulation, StoryEvent } from '#testing/simulator'
import { rejectionsOf } from '../../support/flows/booking.ts'
import { startWith } from '../../support/flows/underway.ts'
import { holdResults } from '../../support/simulator/heldResults.ts'
import { fromUser, startOf, tell } from '../../support/simulator/journeys.ts'
import { type SimulatedTest, untilEnd, untilNextRun, useSimulations } from '../../support/simulator/useSimulations.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const start = useSimulations()
const localShipment = {
  flow: 'localShipment',
  request: { ...parcel, ...fromUser, IsReceiverDelayed: true },
  windows: {},
}
const assign: StoryEvent = { assignReceiver: { $user: 1 } }
const dropOff: StoryEvent = { dropOff: 'shipment' }
const done = { kind: 'done' }
const notExpected = (message: string) => ({
  kind: 'refused',
  code: 'NoReceiverExpected',
  message: withReference('NoReceiverExpected', message),
})

interface Delayed extends SimulatedTest {
  readonly windows?: Readonly<Record<string, Duration>>
}

/** A local shipment whose receiver is named later, waiting in a stage. */
async function delayed(until: 'dropOff' | 'receiver', { windows = {}, ...options }: Delayed = {}): Promise<Simulation> {
  const simulation = await start({ ...localShipment, windows }, options)
  if (until === 'receiver') await simulation.apply(dropOff)
  expect(simulation.status().stage).toBe(until)
  return simulation
}

async function expectCompleted(simulation: Simulation): Promise<void> {
  expect(simulation.status().stage).toBe('pickUp')
  await simulation.apply({ pickUp: 'shipment' })
  const bookings = [{ role: 'shipment', stateCode: 'Completed' }]
  expect(simulation.run()).toMatchObject({ outcome: 'completed', bookings, leftOver: [] })
}

async function expectReceiver(simulation: Simulation, toUserUid: string | null): Promise<void> {
  const { items } = await simulation.call('GetShipments', { referenceCaseNo: 'SIM-1' })
  expect(items).toMatchObject([{ toUserUid }])
}

const inside = 'there is an item in the locker'

describe('a receiver is assigned', () => {
  test('before the item is in: the flow skips the stage that waits for a receiver', async () => {
    const simulation = await delayed('dropOff')
    await tell(simulation, [assign, dropOff])
    await expectReceiver(simulation, simulation.values.user(1))
    await expectCompleted(simulation)
  })

  test.each([
    ['dropOff', [{ setReceiver: 'shipment' }, dropOff]],
    ['receiver', [{ setReceiver: 'shipment' }]],
  ] as const)('directly at the service, in %s', async (stage, events) => {
    const simulation = await delayed(stage)
    await tell(simulation, events)
    await expectCompleted(simulation)
  })

  test('after the window for it has passed', async () => {
    const simulation = await delayed('receiver', { windows: { receiver: '48h' } })
    await simulation.apply({ after: '48h' })
    expect(simulation.status().overdue).toBe(true)
    expect(await simulation.apply(assign)).toEqual(done)
    await expectCompleted(simulation)
  })

  test('after the flow has continued as new', async () => {
    const simulation = await delayed('receiver', { suggestedAt: 60 })
    await untilNextRun(simulation)
    expect(await simulation.apply(assign)).toEqual(done)
    await expectCompleted(simulation)
  })
})

describe('assigning a receiver twice', () => {
  test('the same one succeeds', async () => {
    const simulation = await delayed('dropOff')
    expect(await simulation.apply(assign)).toEqual(done)
    expect(await simulation.apply(assign)).toEqual(done)
  })

  test('another one is refused by the service, and the first stays assigned', async () => {
    const simulation = await delayed('dropOff')
    await simulation.apply(assign)
    expect(await simulation.apply({ assignReceiver: { $user: 2 } })).toMatchObject({
      code: 'InvalidShipmentState',
      message: expect.stringMatching(/\w+ .+/),
    })
    await expectReceiver(simulation, simulation.values.user(1))
  })
})

describe('a receiver is refused', () => {
  test('that is unknown: the flow waits for another one', async () => {
    const simulation = await delayed('receiver')
    expect(await simulation.apply({ assignReceiver: { uid: 'nobody' } })).toMatchObject({ code: 'InvalidUserUid' })
    const status = simulation.status()
    expect(status.stage).toBe('receiver')
    expect(rejectionsOf(status)).toMatchObject([{ what: 'shipment: the receiver could not be set: InvalidUserUid' }])
    await simulation.apply(assign)
    await expectCompleted(simulation)
  })

  test('too late', async () => {
    const simulation = await delayed('receiver')
    await simulation.apply(assign)
    expect(await simulation.apply(assign)).toEqual(notExpected('The shipment has its receiver already.'))
    await expectCompleted(simulation)
  })

  test('before the booking', async () => {
    const faults = [{ book: 'CreateLocalShipment', times: 2, fault: 'requestLost' }] as const
    const simulation = await start({ ...localShipment, waits: false }, { faults })
    expect(await simulation.apply(assign)).toEqual(notExpected('The flow is not booked yet.'))
    await simulation.apply({ after: '1m' })
    expect(simulation.status().stage).toBe('dropOff')
  })

  test('while a cancelled flow reads its shipments', async () => {
    const { delivery, hold, deliver } = holdResults()
    const simulation = await delayed('receiver', { windows: { receiver: '48h' }, delivery })
    // That at the end of the window.
    hold('readShipments')
    await tell(simulation, [{ after: '48h' }, { cancel: 'over' }])
    expect(await simulation.apply(assign)).toEqual(notExpected('The flow is being cancelled.'))
    await deliver(simulation)
    expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver: [{}] })
  })

  test('while the flow ends, whose window has passed', async () => {
    const simulation = await delayed('dropOff', { windows: { dropOff: '48h' } })
    await tell(simulation, [{ fail: { call: 'CancelShipment', fault: 'requestLost' } }, { after: '48h' }])
    expect(simulation.status().state).toBe('cleaningUp')
    expect(await simulation.apply(assign)).toEqual(notExpected('The flow is being ended.'))
    await expectReceiver(simulation, null)
    await simulation.apply({ recover: 'CancelShipment' })
    await untilEnd(simulation)
    expect(simulation.run()).toMatchObject({ outcome: 'expired', leftOver: [] })
  })

  test.each([
    ['has one from the start', startOf('localShipment')],
    ['needs none', startOf('stock')],
  ])('by a flow that %s', async (_, given) => {
    const simulation = await start(given)
    expect(await simulation.apply(assign)).toMatchObject({ code: 'NoReceiverExpected' })
  })

  test.each([undefined, null, 42, '', 'x'.repeat(65)])('that is %j instead of a uid', async user => {
    const simulation = await delayed('dropOff')
    expect(await simulation.apply({ assignReceiver: { uid: user as string } })).toMatchObject({
      code: 'InvalidFlowInput',
      message: withReference('InvalidFlowInput', 'toUserUid: must be the uid of a user, 1 to 64 characters.'),
    })
  })
})

describe('while the service does not respond', () => {
  const call = 'SetShipmentReceiver'

  test.each([
    ['is assigned as soon as it does', { call, times: 2, fault: 'requestLost' }],
    ['whose response is lost is found to be assigned', { call, times: 1, fault: 'responseLost' }],
  ] as const)('a receiver %s', async (_, fail) => {
    const simulation = await delayed('receiver')
    await tell(simulation, [{ fail }, assign, { after: '10s' }])
    const entries = simulation.run().timeLine
    expect(
      entries.filter(entry => entry.kind === 'activityCompleted' && entry.activity === 'assignReceiver'),
    ).toMatchObject([{ attempts: fail.times + 1 }])
    await expectCompleted(simulation)
  })

  test('for longer than a minute, the caller gets the reason, and can retry', async () => {
    const simulation = await delayed('receiver')
    await tell(simulation, [{ fail: { call, fault: 'unavailable' } }, assign, { after: '1m' }])
    const ends = simulation.run().timeLine.filter(({ kind }) => kind === 'updateCompleted')
    expect(ends.at(-1)).toMatchObject({ update: 'assignReceiver', code: 'Unavailable' })
    await simulation.apply({ recover: call })
    expect(await simulation.apply(assign)).toEqual(done)
    await expectCompleted(simulation)
  })
})

describe('without a receiver, cancelling', () => {
  test('frees an empty locker', async () => {
    const simulation = await delayed('dropOff')
    await simulation.apply({ cancel: 'over' })
    expect(simulation.run()).toMatchObject({
      outcome: 'cancelled',
      bookings: [{ stateCode: 'Cancelled' }],
      leftOver: [],
    })
  })

  test('leaves an item over', async () => {
    const simulation = await delayed('receiver')
    await simulation.apply({ cancel: 'over' })
    const { outcome, bookings, leftOver } = simulation.run()
    expect(outcome).toBe('cancelled')
    const { shipmentUid, pupUid, lockerName } = bookings[0] ?? {}
    expect(leftOver).toEqual([{ step: 'booking', shipmentUid, reason: inside, pupUid, lockerName }])
  })

  test('the shipment at the service ends the flow', async () => {
    const simulation = await delayed('receiver')
    await simulation.apply({ cancelShipment: 'shipment' })
    expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver: [] })
  })
})

describe('when the window passes', () => {
  /** The window for a receiver has passed, so a decision is needed. */
  async function unnamed(): Promise<Simulation> {
    const simulation = await delayed('receiver', { windows: { receiver: '48h' } })
    await simulation.apply({ after: '48h' })
    expect(simulation.status()).toMatchObject({ state: 'overdue', stage: 'receiver', deadline: null })
    return simulation
  }

  test.each([
    ['extended: it passes again, and a receiver can still be assigned', { decide: 'extend', by: '1h' }, '1h'],
    ['extended by the window itself', { decide: 'extend' }, '48h'],
  ] as const)('for a receiver, it can be %s', async (_, decision, after) => {
    const simulation = await unnamed()
    await simulation.apply(decision)
    expect(simulation.status()).toMatchObject({ state: 'waiting', stage: 'receiver', overdue: false })
    const { deadline } = simulation.status()
    await simulation.apply({ after })
    expect(Date.parse(deadline ?? '')).toBe(simulation.now)
    expect(simulation.status().overdue).toBe(true)
    await simulation.apply(assign)
    await expectCompleted(simulation)
  })

  test('for a receiver, the flow can be kept waiting without one', async () => {
    const simulation = await unnamed()
    await simulation.apply({ decide: 'keepWaiting' })
    expect(simulation.status()).toMatchObject({ state: 'waiting', stage: 'receiver', deadline: null })
    await simulation.apply(assign)
    // The next stage has a window of its own again.
    expect(simulation.status().deadline).not.toBeNull()
    await expectCompleted(simulation)
  })

  test('for a receiver, the flow can be cancelled: the item is left over', async () => {
    const simulation = await unnamed()
    await simulation.apply({ decide: 'cancel' })
    const { outcome, bookings, leftOver } = simulation.run()
    expect({ outcome, bookings }).toMatchObject({ outcome: 'cancelled', bookings: [{ stateCode: 'WaitForReceiver' }] })
    const { shipmentUid, pupUid, lockerName } = bookings[0] ?? {}
    expect(leftOver).toEqual([{ step: 'booking', shipmentUid, reason: inside, pupUid, lockerName }])
  })

  test.each([
    ['without a receiver', []],
    ['with one', [assign]],
  ])('before the item is in, %s, the flow ends as expired, and the locker is free', async (_, events) => {
    const simulation = await delayed('dropOff', { windows: { dropOff: '48h' } })
    await tell(simulation, [...events, { after: '48h' }])
    expect(simulation.run()).toMatchObject({ outcome: 'expired', bookings: [{ stateCode: 'Cancelled' }], leftOver: [] })
  })
})

describe('a local shipment as a swap', () => {
  test('swaps with the returned item, and its receiver is assigned later', async () => {
    const request = { ...parcel, SwapsShipmentUid: { $item: 'item' }, IsReceiverDelayed: true }
    const simulation = await start({ ...localShipment, request, before: { item: 'returned' } })
    await simulation.apply({ pickUp: 'item' })
    expect(simulation.status().stage).toBe('receiver')
    await simulation.apply(assign)
    await expectCompleted(simulation)
  })

  test('waits for its turn, and is cancelled', async () => {
    const request: Record<string, unknown> = { ...parcel, ...fromUser }
    const prepare = async (simulation: Simulation) => {
      const issue = { ...parcel, ToUserUid: simulation.values.user(1) }
      const { shipmentUids } = await simulation.call('CreateLocalShipmentAsIssue', issue)
      request.SwapsShipmentUid = shipmentUids[0]
    }
    const simulation = await start({ ...localShipment, request }, { prepare })
    expect(simulation.status()).toMatchObject({ stage: 'dropOff', shipments: [{ stateCode: 'WaitForPriorShipment' }] })
    await simulation.apply({ cancel: 'over' })
    expect(simulation.run().bookings).toMatchObject([{ stateCode: 'Cancelled' }])
  })

  test.each([
    ['InvalidShipment', { SwapsShipmentUid: 'unknown', IsReceiverDelayed: true }],
    ['InvalidUserUid', { ToUserUid: 'nobody' }],
    ['InvalidFlowInput', { ToUserUid: 'somebody', IsReceiverDelayed: true }],
    ['InvalidFlowInput', {}],
  ])('is refused with %s for %j', async (code, change) => {
    const simulation = await start({ ...localShipment, request: { ...parcel, ...change } })
    expect(simulation.run()).toMatchObject({ outcome: 'failed', code, bookings: [] })
  })
})

describe('on Temporal', () => {
  const world = useWorld()

  /** A flow whose item is in the locker. */
  async function withoutReceiver() {
    const request = { ...parcel, FromUserUid: world.userUid, IsReceiverDelayed: true }
    const { caseNo, shipments } = await startWith(world, 'localShipment', request)
    const [shipment] = shipments
    if (shipment === undefined) throw new Error('nothing was booked')
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'receiver')
    const complete = async () => {
      await world.open(shipment, 'pickUpCode')
      expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed', leftOver: [] } })
    }
    return { caseNo, complete, receiver: async () => (await world.shipmentsOf(caseNo))[0]?.toUserUid }
  }

  test('a caller learns of a refusal, of the next state, and of the end of the flow', async () => {
    const { caseNo, complete, receiver } = await withoutReceiver()
    const refused = { kind: 'Refused', code: 'InvalidUserUid' }
    expect(await world.flows.assignReceiver(caseNo, 'nobody')).toMatchObject(refused)
    const status = { shipments: [{ stateCode: 'ReadyForPickup' }] }
    expect(await world.flows.assignReceiver(caseNo, world.userUid)).toMatchObject({ kind: 'Assigned', status })
    expect(await receiver()).toBe(world.userUid)
    await complete()
    expect(await world.flows.assignReceiver(caseNo, world.userUid)).toMatchObject({ code: 'FlowEnded' })
  })

  test('of two callers at once, one is accepted', async () => {
    const { caseNo, complete, receiver } = await withoutReceiver()
    const { userUid } = await world.api.call('CreateOrGetAccount', {
      emailAddress: 'kim@example.org',
      firstName: 'Kim',
      lastName: 'Keeper',
      pickUpPointUid: 'pup-1',
    })
    const users = [world.userUid, userUid ?? '']
    const answers = await Promise.all(users.map(user => world.flows.assignReceiver(caseNo, user)))
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['Assigned', 'Refused'])
    expect(await receiver()).toBe(users[answers.findIndex(({ kind }) => kind === 'Assigned')])
    await complete()
  })
})
