import { describe, expect, test } from 'vitest'
import { withReference } from '#contract/terms'
import type { Simulation, StoryEvent } from '#testing/simulator'
import { startWith } from '../../support/flows/underway.ts'
import { startOf, tell } from '../../support/simulator/journeys.ts'
import { type SimulatedTest, untilEnd, untilNextRun, useSimulations } from '../../support/simulator/useSimulations.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const start = useSimulations()

type Kept = 'collectByDispatcher' | 'collectByUser'

function startKept(flow: Kept = 'collectByUser', options: SimulatedTest = {}): Promise<Simulation> {
  const given = startOf(flow)
  return start({ ...given, request: { ...given.request, KeepBookedAfterPickUp: true } }, options)
}

const release: StoryEvent = { answer: 'release', step: 'kept' }
const done = { kind: 'done' }
const released = { outcome: 'completed', bookings: [{ role: 'collect', stateCode: 'Cancelled' }], leftOver: [] }
const at = { stateStart: '2999-01-01T00:00:00.000' }

const uidOf = (simulation: Simulation) => simulation.status().shipments[0]?.shipmentUid ?? ''

describe.each<Kept>(['collectByDispatcher', 'collectByUser'])('a booking of %s that is kept', flow => {
  test('has no window, is collected again and again, and is released', async () => {
    const simulation = await startKept(flow)
    const kept = { state: 'waiting', step: 'kept', overdue: false, deadline: null }
    expect(simulation.status()).toMatchObject(kept)
    await tell(simulation, [{ pickUp: 'collect' }, { pickUp: 'collect' }, { after: '30d' }])
    expect(simulation.status()).toMatchObject({ ...kept, shipments: [{ stateCode: 'ReadyForPickup' }] })
    expect(await simulation.apply(release)).toEqual(done)
    expect(simulation.run()).toMatchObject(released)
    const { items } = await simulation.call('GetShipments', {})
    expect(items).toMatchObject([{ stateCode: 'Cancelled' }])
  })
})

test('a callback for a kept booking that it is still ready changes nothing', async () => {
  const simulation = await startKept()
  const before = simulation.status()
  await simulation.signal({ shipmentUid: uidOf(simulation), stateCode: 'ReadyForPickup', ...at })
  expect(simulation.status()).toEqual(before)
})

test('a kept booking that was cancelled at the service ends the flow as cancelled', async () => {
  const simulation = await startKept()
  await simulation.apply({ cancelShipment: 'collect' })
  expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver: [] })
})

test('a release finds a locker free whose cancellation was not reported', async () => {
  const simulation = await startKept()
  await tell(simulation, [{ loseCallbacks: 'collect' }, { cancelShipment: 'collect' }, release])
  expect(simulation.run()).toMatchObject({ outcome: 'completed', leftOver: [] })
})

test('cancelling leaves a kept booking over, since it may hold an item', async () => {
  const simulation = await startKept()
  const leftOver = [{ step: 'booking', shipmentUid: uidOf(simulation), reason: 'there is an item in the locker' }]
  await simulation.apply({ cancel: 'over' })
  expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver })
})

test('a kept booking outlives a long history, and is released then', async () => {
  const simulation = await startKept('collectByUser', { suggestedAt: 60 })
  const before = simulation.status()
  await untilNextRun(simulation)
  expect(simulation.status()).toEqual(before)
  await simulation.apply(release)
  expect(simulation.run()).toMatchObject(released)
})

test.each(['kept', 'collect'])('a window for %s is refused', async step => {
  const request = { ...parcel, KeepBookedAfterPickUp: true }
  const simulation = await start({ flow: 'collectByDispatcher', request, windows: { [step]: '3d' } })
  const message = withReference('InvalidFlowInput', `windows: must only name booking, free, got ${step}.`)
  expect(simulation.run()).toMatchObject({ outcome: 'failed', code: 'InvalidFlowInput', message, bookings: [] })
})

describe('a release is refused', () => {
  test.each(['collectByDispatcher', 'stock'] as const)('by a flow %s that keeps no booking', async flow => {
    const simulation = await start(startOf(flow))
    expect(await simulation.apply(release)).toMatchObject({ code: 'InvalidFlowInput' })
  })

  test('before the booking', async () => {
    const book = 'CreateCollectOnlyShipmentAsCollectByUser'
    const simulation = await startKept('collectByUser', { faults: [{ book, times: 2, fault: 'requestLost' }] })
    expect(await simulation.apply(release)).toMatchObject({ code: 'NotAskedYet' })
  })
})

test.each([
  ['is away', { call: 'CancelShipment', times: 3, fault: 'requestLost' }],
  ['has lost its response', { call: 'CancelShipment', times: 1, fault: 'responseLost' }],
] as const)('a release is done although the service %s', async (_, fail) => {
  const simulation = await startKept()
  await tell(simulation, [{ fail }, release])
  await untilEnd(simulation)
  expect(simulation.run()).toMatchObject({ outcome: 'completed', leftOver: [] })
  const { items } = await simulation.call('GetShipments', {})
  expect(items).toMatchObject([{ stateCode: 'Cancelled' }])
})

test('a shipment that the service refuses to cancel is left over, and the flow fails', async () => {
  const simulation = await startKept()
  const leftOver = [{ step: 'booking', shipmentUid: uidOf(simulation) }]
  await tell(simulation, [{ fail: { call: 'CancelShipment', code: 'SomethingElse' } }, release])
  await untilEnd(simulation)
  expect(simulation.run()).toMatchObject({ outcome: 'failed', code: 'SomethingElse', leftOver })
})

describe('on Temporal', () => {
  const world = useWorld()

  test('a release is an answer, which can be repeated, and is not given to an ended flow', async () => {
    const { caseNo } = await startWith(world, 'collectByDispatcher', { ...parcel, KeepBookedAfterPickUp: true })
    expect(await world.flows.release(caseNo)).toMatchObject({ kind: 'Answered', step: 'kept', answer: 'release' })
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed', leftOver: [] } })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
    expect(await world.flows.release(caseNo)).toMatchObject({ kind: 'Refused', code: 'FlowEnded' })
    expect(await world.flows.release('nothing')).toMatchObject({ kind: 'UnknownCase', caseNo: 'nothing' })
  })
})
