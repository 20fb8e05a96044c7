import { describe, expect, test } from 'vitest'
import type { Duration } from '#flows'
import type { Simulation, StoryEvent } from '#testing/simulator'
import { startWith } from '../../support/flows/underway.ts'
import { fromUser, startOf, tell } from '../../support/simulator/journeys.ts'
import { type SimulatedTest, untilNextRun, useSimulations } from '../../support/simulator/useSimulations.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const start = useSimulations()
const localShipment = {
  flow: 'localShipment',
  request: { ...parcel, ...fromUser, IsReceiverDelayed: true },
  windows: {},
}
const named = (toUserUid: unknown): StoryEvent => ({ answer: 'named', step: 'naming', fields: { toUserUid } as never })
const assign = named({ $user: 1 })
const dropOff: StoryEvent = { dropOff: 'shipment' }
const done = { kind: 'done' }

interface Delayed extends SimulatedTest {
  readonly windows?: Readonly<Record<string, Duration>>
}

/** A local shipment whose receiver is named later, waiting in a step. */
async function delayed(
  until: 'earlyDropOff' | 'naming',
  { windows = {}, ...options }: Delayed = {},
): Promise<Simulation> {
  const simulation = await start({ ...localShipment, windows }, options)
  if (until === 'naming') await simulation.apply(dropOff)
  expect(simulation.status().step).toBe(until)
  return simulation
}

async function expectCompleted(simulation: Simulation): Promise<void> {
  expect(simulation.status().step).toBe('pickUp')
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
  test('by an answer', async () => {
    const simulation = await delayed('naming')
    expect(await simulation.apply(assign)).toEqual(done)
    await expectReceiver(simulation, simulation.values.user(1))
    await expectCompleted(simulation)
  })

  test.each([
    ['earlyDropOff', [{ setReceiver: 'shipment' }, dropOff]],
    ['naming', [{ setReceiver: 'shipment' }]],
  ] as const)('by another program, in %s', async (step, events) => {
    const simulation = await delayed(step)
    await tell(simulation, events)
    await expectCompleted(simulation)
  })

  test('after the window for it has passed', async () => {
    const simulation = await delayed('naming', { windows: { receiver: '48h' } })
    await simulation.apply({ after: '48h' })
    expect(simulation.status().overdue).toBe(true)
    expect(await simulation.apply(assign)).toEqual(done)
    await expectCompleted(simulation)
  })

  test('after the flow has continued as new', async () => {
    const simulation = await delayed('naming', { suggestedAt: 60 })
    await untilNextRun(simulation)
    expect(await simulation.apply(assign)).toEqual(done)
    await expectCompleted(simulation)
  })
})

test('a user whom the service refuses is asked for again', async () => {
  const simulation = await delayed('naming')
  expect(await simulation.apply(named('nobody'))).toEqual(done)
  expect(simulation.status()).toMatchObject({ step: 'naming', asks: { step: 'naming' } })
  await simulation.apply(assign)
  await expectCompleted(simulation)
})

describe('a receiver is refused', () => {
  test('before the item is in', async () => {
    const simulation = await delayed('earlyDropOff')
    expect(await simulation.apply(assign)).toMatchObject({ code: 'NotAskedYet' })
  })

  test.each([
    ['has one from the start', startOf('localShipment')],
    ['needs none', startOf('stock')],
  ])('by a flow that %s', async (_, given) => {
    const simulation = await start(given)
    expect(await simulation.apply(assign)).toMatchObject({ code: 'InvalidFlowInput' })
  })

  test.each([null, 42, ''])('that is %j instead of a uid', async user => {
    const simulation = await delayed('naming')
    expect(await simulation.apply(named(user))).toMatchObject({ code: 'InvalidFlowInput' })
  })
})

test.each([
  ['is away', { call: 'SetShipmentReceiver', times: 2, fault: 'requestLost' }],
  ['has lost its response', { call: 'SetShipmentReceiver', times: 1, fault: 'responseLost' }],
] as const)('a receiver is assigned although the service %s', async (_, fail) => {
  const simulation = await delayed('naming')
  await tell(simulation, [{ fail }, assign, { after: '1m' }])
  await expectReceiver(simulation, simulation.values.user(1))
  await expectCompleted(simulation)
})

describe('without a receiver, cancelling', () => {
  test('frees an empty locker', async () => {
    const simulation = await delayed('earlyDropOff')
    await simulation.apply({ cancel: 'over' })
    const bookings = [{ stateCode: 'Cancelled' }]
    expect(simulation.run()).toMatchObject({ outcome: 'cancelled', bookings, leftOver: [] })
  })

  test('leaves an item over', async () => {
    const simulation = await delayed('naming')
    await simulation.apply({ cancel: 'over' })
    const { outcome, bookings, leftOver } = simulation.run()
    expect(outcome).toBe('cancelled')
    const { shipmentUid, pupUid, lockerName } = bookings[0] ?? {}
    expect(leftOver).toEqual([{ step: 'booking', shipmentUid, reason: inside, pupUid, lockerName }])
  })

  test('the shipment at the service ends the flow', async () => {
    const simulation = await delayed('naming')
    await simulation.apply({ cancelShipment: 'shipment' })
    expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver: [] })
  })
})

describe('when the window passes', () => {
  /** The window for a receiver has passed, so a decision is needed. */
  async function unnamed(): Promise<Simulation> {
    const simulation = await delayed('naming', { windows: { receiver: '48h' } })
    await simulation.apply({ after: '48h' })
    expect(simulation.status()).toMatchObject({ state: 'overdue', step: 'receiver', deadline: null })
    return simulation
  }

  test.each([
    ['extended: it passes again, and a receiver can still be assigned', { decide: 'extend', by: '1h' }, '1h'],
    ['extended by the window itself', { decide: 'extend' }, '48h'],
  ] as const)('it can be %s', async (_, decision, after) => {
    const simulation = await unnamed()
    await tell(simulation, [decision, { after }])
    expect(simulation.status().overdue).toBe(true)
    await simulation.apply(assign)
    await expectCompleted(simulation)
  })

  test('the flow can be kept waiting without one', async () => {
    const simulation = await unnamed()
    await simulation.apply({ decide: 'keepWaiting' })
    expect(simulation.status()).toMatchObject({ state: 'waiting', step: 'naming', deadline: null })
    await simulation.apply(assign)
    // The next step has a window of its own again.
    expect(simulation.status().deadline).not.toBeNull()
    await expectCompleted(simulation)
  })

  test('the flow can be cancelled: the item is left over', async () => {
    const simulation = await unnamed()
    await simulation.apply({ decide: 'cancel' })
    const bookings = [{ stateCode: 'WaitForReceiver' }]
    expect(simulation.run()).toMatchObject({ outcome: 'cancelled', bookings, leftOver: [{ reason: inside }] })
  })

  test('before the item is in, the flow ends as expired, and the locker is free', async () => {
    const simulation = await delayed('earlyDropOff', { windows: { earlyDropOff: '48h' } })
    await simulation.apply({ after: '48h' })
    expect(simulation.run()).toMatchObject({ outcome: 'expired', bookings: [{ stateCode: 'Cancelled' }], leftOver: [] })
  })
})

describe('a local shipment as a swap', () => {
  test('swaps with the returned item, and its receiver is assigned later', async () => {
    const request = { ...parcel, SwapsShipmentUid: { $item: 'item' }, IsReceiverDelayed: true }
    const simulation = await start({ ...localShipment, request, before: { item: 'returned' } })
    await simulation.apply({ pickUp: 'item' })
    expect(simulation.status().step).toBe('naming')
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
    expect(simulation.status()).toMatchObject({ step: 'dropOff', shipments: [{ stateCode: 'WaitForPriorShipment' }] })
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

  test('a receiver is named by an answer, and again after a refusal', async () => {
    const request = { ...parcel, FromUserUid: world.userUid, IsReceiverDelayed: true }
    const { caseNo, shipments } = await startWith(world, 'localShipment', request)
    const [shipment] = shipments
    if (shipment === undefined) throw new Error('nothing was booked')
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ step }) => step === 'naming')
    expect(await world.flows.assignReceiver(caseNo, 'nobody')).toMatchObject({ kind: 'Answered' })
    await world.statusWhen(
      caseNo,
      ({ asks, lines }) => asks !== null && (lines ?? []).some(line => line.scope.includes('#2')),
    )
    expect(await world.flows.assignReceiver(caseNo, world.userUid)).toMatchObject({ kind: 'Answered' })
    await world.statusWhen(caseNo, ({ step }) => step === 'pickUp')
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ toUserUid: world.userUid }])
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed', leftOver: [] } })
    expect(await world.flows.assignReceiver(caseNo, world.userUid)).toMatchObject({ code: 'FlowEnded' })
  })
})
