import { describe, expect, test } from 'vitest'
import { workflowIdOf } from '#contract/terms'
import { shipmentStatus } from '#workflows/messages'
import { pass } from '../wire/wire.ts'
import { book } from './booking.ts'
import { eventually } from './eventually.ts'
import { growOld } from './growing.ts'
import { startWith, type Underway } from './underway.ts'
import { useWorld } from './useWorld.ts'
import { parcel } from './world.ts'

const world = useWorld()

type Kept = 'collectByDispatcher' | 'collectByUser'

async function keep(
  flow: Kept = 'collectByUser',
): Promise<Underway & { readonly shipment: Underway['shipments'][number] }> {
  const user = flow === 'collectByUser' ? { ToUserUid: world.userUid } : {}
  const underway = await startWith(world, flow, { ...parcel, ...user, KeepBookedAfterPickUp: true })
  const [shipment] = underway.shipments
  if (shipment === undefined) throw new Error('nothing was booked')
  return { ...underway, shipment }
}

const released = { kind: 'Released', outcome: 'completed', leftOver: [] }

describe.each<Kept>(['collectByDispatcher', 'collectByUser'])('a booking of %s that is kept', flow => {
  test('has no window, is collected again and again, and is released', async () => {
    const { caseNo, shipment } = await keep(flow)
    const kept = { state: 'waiting', stage: 'kept', overdue: false, deadline: null }
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject(kept)
    await world.open(shipment, 'pickUpCode')
    await world.open(shipment, 'pickUpCode')
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({
      ...kept,
      shipments: [{ stateCode: 'ReadyForPickup' }],
    })
    expect(await world.flows.release(caseNo)).toEqual(released)
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'completed', shipments: [{ role: 'collect', stateCode: 'Cancelled' }], leftOver: [] },
    })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })
})

describe('what is heard of a kept booking', () => {
  const at = { stateStart: '2999-01-01T00:00:00.000' }

  test('that it is still ready changes nothing', async () => {
    const { caseNo, shipment } = await keep()
    const before = await world.statusWhen(caseNo, () => true)
    const handle = world.client.workflow.getHandle(workflowIdOf(caseNo))
    await handle.signal(shipmentStatus, { shipmentUid: shipment.shipmentUid, stateCode: 'ReadyForPickup', ...at })
    expect(await world.statusWhen(caseNo, () => true)).toEqual(before)
    await world.flows.release(caseNo)
  })

  test('that the service has completed it completes the flow', async () => {
    const { caseNo, shipment } = await keep()
    const handle = world.client.workflow.getHandle(workflowIdOf(caseNo))
    await handle.signal(shipmentStatus, { shipmentUid: shipment.shipmentUid, stateCode: 'Completed', ...at })
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'completed', shipments: [{ stateCode: 'Completed' }] },
    })
  })

  test('that somebody else has cancelled it ends the flow as cancelled', async () => {
    const { caseNo, shipment } = await keep()
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled', leftOver: [] } })
  })

  test('nothing, when somebody cancelled it unheard: the release finds it free', async () => {
    const { caseNo, shipment } = await keep()
    world.toGateway.rule = () => ({ kind: 'status', status: 204 })
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
    expect(await world.flows.release(caseNo)).toEqual(released)
  })
})

test('cancelling leaves a kept booking to a person, since there can be an item inside', async () => {
  const { caseNo, shipment } = await keep()
  const leftOver = [{ shipmentUid: shipment.shipmentUid, why: 'there is an item in the locker' }]
  expect(await world.flows.cancel(caseNo, 'over')).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver })
  expect(await world.flows.release(caseNo)).toMatchObject({ kind: 'Refused', code: 'FlowEnded' })
})

test('a kept booking outlives a long history, and is released then', async () => {
  const { caseNo } = await keep()
  const before = await world.statusWhen(caseNo, () => true)
  await growOld(world, caseNo)
  expect(await world.statusWhen(caseNo, () => true)).toEqual(before)
  expect(await world.flows.release(caseNo)).toEqual(released)
})

test.each(['kept', 'collect'])('a window for %s is refused', async stage => {
  const caseNo = world.newCase(0)
  const request = { ...parcel, KeepBookedAfterPickUp: true }
  const windows = { [stage]: '3d' as const }
  const refused = {
    kind: 'Refused',
    code: 'InvalidFlowInput',
    message: `windows: no stage ${stage}; there are booking`,
  }
  expect(await world.flows.startAndWaitForBooking('collectByDispatcher', { caseNo, request, windows })).toEqual(refused)
})

describe('a release is refused', () => {
  test('when the booking is not kept', async () => {
    const request = { ...parcel, KeepBookedAfterPickUp: false }
    const { caseNo } = await startWith(world, 'collectByDispatcher', request)
    const message = 'The flow keeps no booking that could be released.'
    expect(await world.flows.release(caseNo)).toEqual({ kind: 'Refused', code: 'NothingToRelease', message })
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ stage: 'collect' })
    await world.flows.cancel(caseNo, 'over')
  })

  test('by a flow that never keeps one', async () => {
    const { caseNo } = await book(world, 'stock')
    expect(await world.flows.release(caseNo)).toMatchObject({ kind: 'Refused', code: 'NothingToRelease' })
    await world.flows.cancel(caseNo, 'over')
  })

  test('before the booking', async () => {
    const caseNo = world.newCase()
    world.toService.rule = ({ path }) => (path.includes('CreateCollectOnly') ? { kind: 'cut' } : pass)
    await world.flows.start('collectByDispatcher', { caseNo, request: { ...parcel, KeepBookedAfterPickUp: true } })
    await world.statusWhen(caseNo, ({ refusals }) => refusals.length > 0)
    const message = 'The flow is not booked yet.'
    expect(await world.flows.release(caseNo)).toEqual({ kind: 'Refused', code: 'NothingToRelease', message })
    world.toService.rule = () => pass
    await world.statusWhen(caseNo, ({ stage }) => stage === 'kept')
    await world.flows.release(caseNo)
  })

  test('after a release, and for a case that is none', async () => {
    const { caseNo } = await keep()
    await world.flows.release(caseNo)
    expect(await world.flows.release(caseNo)).toMatchObject({ kind: 'Refused', code: 'FlowEnded' })
    expect(await world.flows.release('nothing')).toEqual({ kind: 'UnknownCase', caseNo: 'nothing' })
  })
})

describe('while the service cannot be reached', () => {
  function away(): void {
    world.toService.rule = ({ path }) => (path.endsWith('CancelShipment') ? { kind: 'cut' } : pass)
  }

  test('a release waits, and frees the locker when it is back', async () => {
    const { caseNo } = await keep()
    away()
    const answer = world.flows.release(caseNo)
    await world.statusWhen(caseNo, ({ state }) => state === 'cleaningUp')
    world.toService.rule = () => pass
    expect(await answer).toEqual(released)
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })

  test('a caller who cannot wait is told that the release is pending, and it goes on', async () => {
    const { caseNo } = await keep()
    away()
    expect(await world.flows.release(caseNo, { deadline: 1_000 })).toEqual({ kind: 'ReleasePending', caseNo })
    world.toService.rule = () => pass
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('of a release and a later cancellation the release counts', async () => {
    const { caseNo } = await keep()
    away()
    const release = world.flows.release(caseNo)
    await world.statusWhen(caseNo, ({ state }) => state === 'cleaningUp')
    const cancel = world.flows.cancel(caseNo, 'over')
    const attempts = () => world.toService.passings.filter(({ path }) => path.endsWith('CancelShipment')).length
    const before = attempts()
    await eventually(() => attempts() > before)
    world.toService.rule = () => pass
    expect(await release).toEqual(released)
    expect(await cancel).toEqual({ kind: 'Cancelled', outcome: 'completed', leftOver: [] })
  })
})

test('of a release and a cancellation in one moment the first counts, and both hear the same', async () => {
  const { caseNo, shipment } = await keep()
  await world.stopWorker()
  const release = world.flows.release(caseNo)
  const cancel = world.flows.cancel(caseNo, 'over')
  await world.restartWorker()
  const [first, second] = [await release, await cancel]
  if (first.kind === 'Released') {
    expect([first, second]).toMatchObject([{ outcome: 'completed' }, { outcome: 'completed' }])
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  } else {
    expect([first, second]).toMatchObject([{ code: 'NothingToRelease' }, { outcome: 'cancelled' }])
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: shipment.stateCode }])
  }
})

test('a release whose answer is lost is found to be done', async () => {
  const { caseNo } = await keep()
  let lost = 0
  world.toService.rule = ({ path }) => (path.endsWith('CancelShipment') && lost++ === 0 ? { kind: 'loseAnswer' } : pass)
  expect(await world.flows.release(caseNo)).toEqual(released)
  expect(lost).toBeGreaterThan(1)
})

test('what the service refuses to cancel is left over, and the flow is completed', async () => {
  const { caseNo, shipment } = await keep()
  world.toService.rule = ({ path }) =>
    path.endsWith('CancelShipment')
      ? { kind: 'answer', body: { success: false, error: 'SomethingElse', message: 'ask Robin' } }
      : pass
  const leftOver = [{ shipmentUid: shipment.shipmentUid, why: 'the service refused: SomethingElse' }]
  expect(await world.flows.release(caseNo)).toEqual({ kind: 'Released', outcome: 'completed', leftOver })
  expect(await world.flows.result(caseNo)).toMatchObject({
    result: { outcome: 'completed', shipments: [{ stateCode: 'ReadyForPickup' }], leftOver },
  })
})
