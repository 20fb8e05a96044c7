import { describe, expect, test } from 'vitest'
import { type BookingFlowName as FlowName, toWorkflowId } from '#flows'
import type { StoryEvent } from '#testing/simulator'
import { pass } from '../../../testing/stack/wire.ts'
import { eventually, gate } from '../../support/eventually.ts'
import { book, requestOf } from '../../support/flows/booking.ts'
import { eventsOf } from '../../support/flows/history.ts'
import { holdResults } from '../../support/simulator/heldResults.ts'
import { startOf, tell } from '../../support/simulator/journeys.ts'
import { untilEnd, useSimulations } from '../../support/simulator/useSimulations.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const start = useSimulations()

/** The update of the client, and the cancel button of the Web UI. */
const ways: Readonly<Record<string, StoryEvent>> = {
  update: { cancel: 'changed my mind' },
  button: { cancelInWebUi: true },
}
const inside = 'there is an item in the locker'
const booking = 'CreateLocalShipmentAsStock'

interface Stage {
  readonly flow: FlowName
  readonly stage: string
  readonly events: readonly StoryEvent[]
  readonly endsIn: string
  readonly leftOver: boolean
}

const stages: Stage[] = [
  { flow: 'stock', stage: 'dropOff', events: [], endsIn: 'Cancelled', leftOver: false },
  { flow: 'issue', stage: 'dropOff', events: [], endsIn: 'Cancelled', leftOver: false },
  { flow: 'issue', stage: 'pickUp', events: [{ dropOff: 'issue' }], endsIn: 'ReadyForPickup', leftOver: true },
]

describe.each(Object.entries(ways))('by %s', (_, cancel) => {
  test.each(stages)('$flow in $stage ends in $endsIn', async ({ flow, stage, events, endsIn, leftOver }) => {
    const simulation = await start(startOf(flow))
    await tell(simulation, events)
    expect(simulation.status().stage).toBe(stage)
    await simulation.apply(cancel)
    const { bookings, ...run } = simulation.run()
    const left = leftOver ? [{ step: 'booking', shipmentUid: bookings[0]?.shipmentUid, reason: inside }] : []
    expect({ ...run, bookings }).toMatchObject({
      outcome: 'cancelled',
      bookings: [{ stateCode: endsIn }],
      leftOver: left,
    })
    const { items } = await simulation.call('GetShipments', {})
    expect(items).toMatchObject([{ stateCode: endsIn }])
  })

  test('a shipment whose item came in without a callback is not cancelled', async () => {
    const simulation = await start(startOf('stock'))
    await tell(simulation, [{ loseCallbacks: 'stock' }, { dropOff: 'stock' }, cancel])
    expect(simulation.run()).toMatchObject({
      outcome: 'cancelled',
      bookings: [{ stateCode: 'WaitForReceiver' }],
      leftOver: [{ step: 'booking', reason: inside }],
    })
  })

  test.each([
    ['late', 'planAndBook', []],
    ['later than the first attempt', 'bookShipments', [{ book: booking, times: 1, fault: 'responseLost' }]],
  ] as const)(
    'during the booking, whose response arrives %s: the booking is cancelled',
    async (_, activity, faults) => {
      const { delivery, hold, deliver } = holdResults()
      hold(activity)
      const simulation = await start({ ...startOf('stock'), waits: false }, { delivery, faults })
      await simulation.apply(cancel)
      expect(simulation.hasEnded).toBe(false)
      await deliver(simulation)
      expect(simulation.run()).toMatchObject({
        outcome: 'cancelled',
        bookings: [{ stateCode: 'Cancelled' }],
        leftOver: [],
      })
    },
  )

  test('during the booking, whose response is lost: the flow finds it before it ends', async () => {
    const faults = [{ book: booking, fault: 'responseLost' }] as const
    const simulation = await start({ ...startOf('stock'), waits: false }, { faults })
    await tell(simulation, [cancel, { recover: booking }])
    await untilEnd(simulation)
    expect(simulation.run()).toMatchObject({ outcome: 'cancelled', bookings: [{ stateCode: 'Cancelled' }] })
  })
})

const world = useWorld()

describe.each(Object.keys(ways))('on Temporal, by %s', way => {
  async function cancel(caseNo: string): Promise<unknown> {
    if (way === 'update') return world.flows.cancel(caseNo, 'changed my mind')
    return world.client.workflow.getHandle(toWorkflowId(caseNo)).cancel()
  }

  test('before the booking: nothing is booked', async () => {
    const caseNo = world.newCase(0)
    await world.stopWorker()
    await world.flows.start('stock', { caseNo, request: requestOf(world, 'stock') })
    const cancelled = cancel(caseNo)
    if (way === 'button') await cancelled
    else await arrived(caseNo)
    await world.restartWorker()
    await cancelled
    expect(await world.flows.result(caseNo)).toMatchObject({
      kind: 'Ended',
      result: { outcome: 'cancelled', shipments: [], leftOver: [] },
    })
    expect(await world.flows.waitForBooking(caseNo)).toMatchObject({ kind: 'Refused', code: 'FlowEnded' })
  })

  test('during the booking, whose response arrives late: the booking is cancelled', async () => {
    const caseNo = world.newCase()
    const answered = gate()
    world.toService.rule = ({ body }) =>
      body.includes(caseNo) ? { kind: 'answerLater', until: answered.opened } : pass
    await world.flows.start('issue', { caseNo, request: requestOf(world, 'issue') })
    await eventually(async () => (await world.shipmentsOf(caseNo))[0])
    const cancelled = cancel(caseNo)
    await eventually(async () =>
      (await eventsOf(world, caseNo)).some(
        event =>
          event.workflowExecutionUpdateAcceptedEventAttributes ?? event.workflowExecutionCancelRequestedEventAttributes,
      ),
    )
    answered.open()
    await cancelled
    expect(await world.flows.result(caseNo)).toMatchObject({
      kind: 'Ended',
      result: { outcome: 'cancelled', shipments: [{ stateCode: 'Cancelled' }], leftOver: [] },
    })
  })
})

test('callers that wait for the booking are rejected immediately, and a possible booking is found and cancelled', async () => {
  const caseNo = world.newCase()
  world.toService.rule = ({ path, body }) =>
    path.endsWith('AsStock') && body.includes(caseNo) ? { kind: 'cut' } : pass
  const booking = world.flows.startAndWaitForBooking('stock', { caseNo, request: requestOf(world, 'stock') })
  await world.statusWhen(caseNo, ({ rejections }) => rejections.length > 0)
  const cancelled = world.flows.cancel(caseNo, 'over')
  expect(await booking).toMatchObject({ kind: 'Refused', code: 'BookingCancelled' })
  world.toService.rule = () => pass
  expect(await cancelled).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })
  expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
})

test('a create that arrives after the cancellation leaves nothing booked', async () => {
  const caseNo = world.newCase()
  const late = gate()
  let attempts = 0
  world.toService.rule = ({ path, body }) => {
    if (!path.endsWith('AsStock') || !body.includes(caseNo)) return pass
    attempts++
    return attempts === 1 ? { kind: 'arriveLater', until: late.opened } : pass
  }
  await world.flows.start('stock', { caseNo, request: requestOf(world, 'stock') })
  await eventually(() => attempts > 0)
  await world.flows.cancel(caseNo, 'over')
  late.open()
  await eventually(() => attempts > 1)
  await eventually(async () => (await world.shipmentsOf(caseNo)).every(({ stateCode }) => stateCode === 'Cancelled'))
})

test('a cancellation that loses against the end returns the outcome', async () => {
  const { caseNo, shipment } = await book(world, 'stock')
  await world.stopWorker()
  await world.open(shipment, 'deliveryCode')
  await eventually(async () =>
    (await eventsOf(world, caseNo)).some(({ workflowExecutionSignaledEventAttributes: signal }) =>
      signal?.input?.payloads?.some(({ data }) => Buffer.from(data ?? []).includes('WaitForReceiver')),
    ),
  )
  const cancelled = world.flows.cancel(caseNo, 'over')
  await world.restartWorker()
  expect([{ outcome: 'completed' }, { code: 'FlowEnded' }]).toContainEqual(
    expect.objectContaining(
      await cancelled.then(({ kind: _, ...answer }) =>
        'code' in answer ? { code: answer.code } : { outcome: 'outcome' in answer ? answer.outcome : '' },
      ),
    ),
  )
})

test('without a worker the cancellation is still recorded', async () => {
  const { caseNo } = await book(world, 'stock')
  await world.stopWorker()
  expect(await world.flows.cancel(caseNo, 'over', { timeout: 1_000 })).toMatchObject({ kind: 'CancelPending', caseNo })
  await world.restartWorker()
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled' } })
})

test('the argument of another update is rejected, and none cancels', async () => {
  const { caseNo } = await book(world, 'stock')
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  const extended = handle.executeUpdate<unknown, [object]>('cancel', { args: [{ decision: 'extend' }] })
  await expect(extended).rejects.toMatchObject({ cause: { type: 'InvalidFlowInput' } })
  expect(await handle.executeUpdate('cancel')).toMatchObject({ outcome: 'cancelled' })
})

test('cancelling twice, and after the end, returns the outcome', async () => {
  const { caseNo } = await book(world, 'stock')
  const answers = await Promise.all([world.flows.cancel(caseNo, 'one'), world.flows.cancel(caseNo, 'two')])
  const cancelled = { kind: 'Cancelled', outcome: 'cancelled', leftOver: [] }
  expect(answers).toEqual([cancelled, cancelled])
  expect(await world.flows.cancel(caseNo, 'three')).toMatchObject({ kind: 'Refused', code: 'FlowEnded' })
  expect(await world.flows.cancel('no such case', 'four')).toMatchObject({
    kind: 'UnknownCase',
    caseNo: 'no such case',
  })
})

/** Waits until an update without a worker has reached the server. */
async function arrived(caseNo: string): Promise<void> {
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  await eventually(async () => (await handle.describe()).status.name === 'RUNNING')
}
