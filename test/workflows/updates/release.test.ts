import { describe, expect, test } from 'vitest'
import { withReference } from '#contract/terms'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { shipmentStatus } from '#flows/messages'
import { eventually, gate } from '../../support/eventually.ts'
import { book } from '../../support/flows/booking.ts'
import { movableClock, moveFlowClock } from '../../support/flows/clock.ts'
import { acceptedUpdates } from '../../support/flows/history.ts'
import { growOld } from '../../support/flows/longHistories.ts'
import { startWith, type Underway } from '../../support/flows/underway.ts'
import { pass } from '../../support/wire.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

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

/** Milliseconds by which the clock of a flow moves past a window of ten minutes, and not to the first poll. */
const pastWindow = 601_000

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

describe('a callback for a kept booking', () => {
  const at = { stateStart: '2999-01-01T00:00:00.000' }

  test('that it is still ready changes nothing', async () => {
    const { caseNo, shipment } = await keep()
    const before = await world.statusWhen(caseNo, () => true)
    const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
    await handle.signal(shipmentStatus, { shipmentUid: shipment.shipmentUid, stateCode: 'ReadyForPickup', ...at })
    expect(await world.statusWhen(caseNo, () => true)).toEqual(before)
    await world.flows.release(caseNo)
  })

  test('that the service has completed it completes the flow', async () => {
    const { caseNo, shipment } = await keep()
    const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
    await handle.signal(shipmentStatus, { shipmentUid: shipment.shipmentUid, stateCode: 'Completed', ...at })
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'completed', shipments: [{ stateCode: 'Completed' }] },
    })
  })

  test('that it was cancelled at the service ends the flow as cancelled', async () => {
    const { caseNo, shipment } = await keep()
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled', leftOver: [] } })
  })

  test('nothing, if a cancellation was not reported: the release finds the locker free', async () => {
    const { caseNo, shipment } = await keep()
    world.toGateway.rule = () => ({ kind: 'status', status: 204 })
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
    expect(await world.flows.release(caseNo)).toEqual(released)
  })
})

test('cancelling leaves a kept booking over, since it may hold an item', async () => {
  const { caseNo, shipment } = await keep()
  const leftOver = [{ step: 'booking', shipmentUid: shipment.shipmentUid, reason: 'there is an item in the locker' }]
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
    message: withReference('InvalidFlowInput', `windows: must only name booking, got ${stage}.`),
  }
  expect(await world.flows.startAndWaitForBooking('collectByDispatcher', { caseNo, request, windows })).toEqual(refused)
})

describe('a release at the end of a window', () => {
  const worldWithWindow = useWorld(movableClock)
  const shortlyKept = {
    name: 'shortlyKept',
    summary: 'A locker is kept until it is released, at most for ten minutes.',
    steps: [
      {
        name: 'booking',
        summary: 'A locker is booked.',
        book: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
        as: { collect: 'locker' },
      },
      {
        name: 'kept',
        summary: 'The locker stays booked.',
        wait: { locker: 'Completed' },
        window: '10m',
        onTimeout: 'cancel',
        completedBy: { update: 'release', role: 'locker' },
      },
    ],
  } as const satisfies FlowDeclaration

  /** Starts the flow, whose read at the end of its window waits until the gate is open. */
  async function readAtEnd() {
    await worldWithWindow.restartWorker({ flows: [shortlyKept] })
    const caseNo = worldWithWindow.newCase()
    const isRead = gate()
    const options = { workflowId: toWorkflowId(caseNo), taskQueue: worldWithWindow.taskQueue }
    const request = { ...parcel, KeepBookedAfterPickUp: true }
    await worldWithWindow.client.workflow.start('shortlyKept', { ...options, args: [{ caseNo, request }] })
    await worldWithWindow.statusWhen(caseNo, ({ stage }) => stage === 'kept')
    let reads = 0
    worldWithWindow.toService.rule = ({ path }) =>
      path.endsWith('GetShipments') && ++reads > 0 ? { kind: 'answerLater', until: isRead.opened } : pass
    const moved = moveFlowClock(worldWithWindow, caseNo, pastWindow)
    await eventually(() => reads > 0)
    const accepted = (name: 'release' | 'cancel') =>
      eventually(async () => (await acceptedUpdates(worldWithWindow, caseNo)).includes(name))
    return { caseNo, isRead, accepted, moved }
  }

  test('counts if it arrives while the flow reads its shipments once more', async () => {
    const { caseNo, isRead, accepted, moved } = await readAtEnd()
    const release = worldWithWindow.flows.release(caseNo)
    await accepted('release')
    isRead.open()
    expect(await release).toEqual(released)
    await moved
    expect(await worldWithWindow.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })

  test('is refused if the flow was cancelled while it reads its shipments', async () => {
    const { caseNo, isRead, accepted, moved } = await readAtEnd()
    const cancelled = worldWithWindow.flows.cancel(caseNo, 'over')
    await accepted('cancel')
    const message = withReference('NothingToRelease', 'The flow is being cancelled.')
    const refused = { kind: 'Refused', code: 'NothingToRelease', message }
    expect(await worldWithWindow.flows.release(caseNo)).toEqual(refused)
    isRead.open()
    const leftOver = [{ reason: 'there is an item in the locker' }]
    expect(await cancelled).toMatchObject({ kind: 'Cancelled', outcome: 'cancelled', leftOver })
    await moved
  })
})

describe('a release while the shipment is completed', () => {
  const ownWorld = useWorld(movableClock)
  const booking = {
    name: 'booking',
    summary: 'A locker is booked.',
    book: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
    as: { collect: 'locker' },
  } as const
  const kept = {
    name: 'kept',
    summary: 'The locker stays booked.',
    wait: { locker: 'Completed' },
    window: '1h',
    onTimeout: 'remind',
    completedBy: { update: 'release', role: 'locker' },
  } as const
  const pause = { name: 'pause', summary: 'The parcel is on its way.', sleep: '1h' } as const
  const keptFirst = {
    name: 'keptFirst',
    summary: 'A locker is kept until it is released, and then time passes.',
    steps: [booking, kept, pause],
  } as const satisfies FlowDeclaration
  const keptShortly = {
    name: 'keptShortly',
    summary: 'The same, at most for ten minutes.',
    steps: [booking, { ...kept, window: '10m', onTimeout: 'cancel' }, pause],
  } as const satisfies FlowDeclaration

  async function start(flow: FlowDeclaration) {
    await ownWorld.restartWorker({ flows: [flow] })
    const caseNo = ownWorld.newCase()
    const handle = await ownWorld.client.workflow.start(flow.name, {
      workflowId: toWorkflowId(caseNo),
      taskQueue: ownWorld.taskQueue,
      args: [{ caseNo, request: { ...parcel, KeepBookedAfterPickUp: false } }],
    })
    const { shipments } = await ownWorld.statusWhen(caseNo, ({ stage }) => stage === 'kept')
    return { caseNo, handle, shipment: shipments[0] as Underway['shipments'][number] }
  }

  test('is refused if the callback came first: the flow goes on', async () => {
    const { caseNo, handle, shipment } = await start(keptFirst)
    await ownWorld.stopWorker()
    // No callback of the service: it would be a task of its own.
    ownWorld.toGateway.rule = () => ({ kind: 'status', status: 204 })
    await ownWorld.open(shipment, 'pickUpCode')
    const { shipmentUid } = shipment
    await handle.signal(shipmentStatus, { shipmentUid, stateCode: 'Completed', stateStart: '2999-01-01T00:00:00.000' })
    const release = ownWorld.flows.release(caseNo)
    await ownWorld.restartWorker({ flows: [keptFirst] })
    expect(await release).toMatchObject({ kind: 'Refused', code: 'NothingToRelease' })
    expect(await ownWorld.statusWhen(caseNo, () => true)).toMatchObject({ state: 'waiting', stage: 'pause' })
    await ownWorld.flows.cancel(caseNo, 'over')
  })

  test('ends the flow if it came first', async () => {
    const isRead = gate()
    let reads = 0
    ownWorld.toGateway.rule = () => ({ kind: 'status', status: 204 })
    const { caseNo, shipment } = await start(keptShortly)
    ownWorld.toService.rule = ({ path }) =>
      path.endsWith('GetShipments') && ++reads > 0 ? { kind: 'arriveLater', until: isRead.opened } : pass
    const moved = moveFlowClock(ownWorld, caseNo, pastWindow)
    await eventually(() => reads > 0)
    const release = ownWorld.flows.release(caseNo)
    await eventually(async () => (await acceptedUpdates(ownWorld, caseNo)).includes('release'))
    await ownWorld.open(shipment, 'pickUpCode')
    isRead.open()
    expect(await release).toEqual(released)
    expect(await ownWorld.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    await moved
  })
})

describe('a release is refused', () => {
  test('when the booking is not kept', async () => {
    const request = { ...parcel, KeepBookedAfterPickUp: false }
    const { caseNo } = await startWith(world, 'collectByDispatcher', request)
    const message = withReference('NothingToRelease', 'The flow keeps no booking that could be released.')
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
    await world.statusWhen(caseNo, ({ rejections }) => rejections.length > 0)
    const message = withReference('NothingToRelease', 'The flow is not booked yet.')
    expect(await world.flows.release(caseNo)).toEqual({ kind: 'Refused', code: 'NothingToRelease', message })
    world.toService.rule = () => pass
    await world.statusWhen(caseNo, ({ stage }) => stage === 'kept')
    await world.flows.release(caseNo)
  })

  test('after a release, and for an unknown case', async () => {
    const { caseNo } = await keep()
    await world.flows.release(caseNo)
    expect(await world.flows.release(caseNo)).toMatchObject({ kind: 'Refused', code: 'FlowEnded' })
    expect(await world.flows.release('nothing')).toMatchObject({ kind: 'UnknownCase', caseNo: 'nothing' })
  })
})

describe('while the service cannot be reached', () => {
  function away(): void {
    world.toService.rule = ({ path }) => (path.endsWith('CancelShipment') ? { kind: 'cut' } : pass)
  }

  test('a release waits, and frees the locker afterwards', async () => {
    const { caseNo } = await keep()
    away()
    const answer = world.flows.release(caseNo)
    await world.statusWhen(caseNo, ({ state }) => state === 'cleaningUp')
    world.toService.rule = () => pass
    expect(await answer).toEqual(released)
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })

  test('a caller that times out gets a pending result, and the release continues', async () => {
    const { caseNo } = await keep()
    away()
    expect(await world.flows.release(caseNo, { timeout: 5_000 })).toMatchObject({ kind: 'ReleasePending', caseNo })
    world.toService.rule = () => pass
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('a release wins against a later cancellation', async () => {
    const { caseNo } = await keep()
    away()
    const release = world.flows.release(caseNo)
    await world.statusWhen(caseNo, ({ state }) => state === 'cleaningUp')
    const cancel = world.flows.cancel(caseNo, 'over')
    await eventually(async () => (await acceptedUpdates(world, caseNo)).includes('cancel'))
    world.toService.rule = () => pass
    expect(await release).toEqual(released)
    expect(await cancel).toEqual({ kind: 'Cancelled', outcome: 'completed', leftOver: [] })
  })
})

test('if a release and a cancellation arrive together, the first wins, and both callers get the same result', async () => {
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

test('a release whose response is lost is found to be done', async () => {
  const { caseNo } = await keep()
  let lost = 0
  world.toService.rule = ({ path }) => (path.endsWith('CancelShipment') && lost++ === 0 ? { kind: 'loseAnswer' } : pass)
  expect(await world.flows.release(caseNo)).toEqual(released)
  expect(lost).toBeGreaterThan(1)
})

test('a shipment that the service refuses to cancel is left over, and the flow completes', async () => {
  const { caseNo, shipment } = await keep()
  world.toService.rule = ({ path }) =>
    path.endsWith('CancelShipment')
      ? { kind: 'answer', body: { success: false, error: 'SomethingElse', message: 'ask Robin' } }
      : pass
  const leftOver = [
    { step: 'booking', shipmentUid: shipment.shipmentUid, reason: 'the service refused: SomethingElse' },
  ]
  expect(await world.flows.release(caseNo)).toEqual({ kind: 'Released', outcome: 'completed', leftOver })
  expect(await world.flows.result(caseNo)).toMatchObject({
    result: { outcome: 'completed', shipments: [{ stateCode: 'ReadyForPickup' }], leftOver },
  })
})
