import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { type BookingFlowName as FlowName, toWorkflowId } from '#flows'
import { eventually, gate } from '../../support/eventually.ts'
import { book, requestOf } from '../../support/flows/booking.ts'
import { eventsOf } from '../../support/flows/history.ts'
import { pass } from '../../support/wire.ts'
import { useWorld } from '../../support/world/useWorld.ts'
import { startProcess } from '../../support/world/workerProcess.ts'

const world = useWorld()

/** The update of the client, and the cancel button of the Web UI. */
const ways = ['update', 'button'] as const
type Way = (typeof ways)[number]

async function cancel(way: Way, caseNo: string): Promise<unknown> {
  if (way === 'update') return world.flows.cancel(caseNo, 'changed my mind')
  return world.client.workflow.getHandle(toWorkflowId(caseNo)).cancel()
}

const inside = 'there is an item in the locker'

interface Stage {
  readonly flow: FlowName
  readonly stage: string
  readonly opened: readonly ('deliveryCode' | 'pickUpCode')[]
  readonly endsIn: string
  readonly leftOver: boolean
}

const stages: Stage[] = [
  { flow: 'stock', stage: 'dropOff', opened: [], endsIn: 'Cancelled', leftOver: false },
  { flow: 'issue', stage: 'dropOff', opened: [], endsIn: 'Cancelled', leftOver: false },
  { flow: 'issue', stage: 'pickUp', opened: ['deliveryCode'], endsIn: 'ReadyForPickup', leftOver: true },
]

describe.each(ways)('by %s', way => {
  test.each(stages)('$flow in $stage ends in $endsIn', async ({ flow, stage, opened, endsIn, leftOver }) => {
    const { caseNo, shipment } = await book(world, flow)
    for (const code of opened) await world.open(shipment, code)
    await world.statusWhen(caseNo, status => status.stage === stage)
    const answer = await cancel(way, caseNo)
    const left = leftOver ? [{ step: 'booking', shipmentUid: shipment.shipmentUid, reason: inside }] : []
    if (way === 'update') expect(answer).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver: left })
    expect(await world.flows.result(caseNo)).toMatchObject({
      kind: 'Ended',
      result: { outcome: 'cancelled', shipments: [{ stateCode: endsIn }], leftOver: left },
    })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: endsIn }])
    // The flow has ended, so the test takes the item out.
    if (leftOver) await world.open(shipment, 'pickUpCode')
  })

  test('a shipment whose item came in without a callback is not cancelled', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    world.toGateway.rule = () => ({ kind: 'status', status: 204 })
    await world.open(shipment, 'deliveryCode')
    await cancel(way, caseNo)
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: {
        outcome: 'cancelled',
        shipments: [{ stateCode: 'WaitForReceiver' }],
        leftOver: [{ step: 'booking', shipmentUid: shipment.shipmentUid, reason: inside }],
      },
    })
    expect(await world.flows.waitForBooking(caseNo)).toMatchObject({
      kind: 'Booked',
      shipments: [{ stateCode: 'WaitForReceiver' }],
    })
  })

  test('before the booking: nothing is booked', async () => {
    const caseNo = world.newCase(0)
    await world.stopWorker()
    await world.flows.start('stock', { caseNo, request: requestOf(world, 'stock') })
    const cancelled = cancel(way, caseNo)
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

  test('during the first attempt of a worker that is killed: its booking is cancelled', async () => {
    const caseNo = world.newCase()
    await world.stopWorker()
    const doomed = await startProcess(world)
    const dead = gate()
    world.toService.rule = ({ path, body }) =>
      path.includes('/CreateLocal') && body.includes(caseNo) ? { kind: 'answerLater', until: dead.opened } : pass
    await world.flows.start('stock', { caseNo, request: requestOf(world, 'stock') })
    await eventually(async () => (await world.shipmentsOf(caseNo))[0])
    doomed.kill('SIGKILL')
    await once(doomed, 'exit')
    dead.open()
    world.toService.rule = () => pass
    const cancelled = cancel(way, caseNo)
    await world.restartWorker()
    await cancelled
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'cancelled', shipments: [{ stateCode: 'Cancelled' }], leftOver: [] },
    })
    expect(await world.flows.waitForBooking(caseNo)).toMatchObject({ kind: 'Refused', code: 'FlowEnded' })
  })

  test.each([
    ['late', 1_000],
    ['later than the first attempt', 2_500],
  ])('during the booking, whose response arrives %s: the booking is cancelled', async (_, delay) => {
    const caseNo = world.newCase()
    const answered = gate()
    world.toService.rule = ({ body }) =>
      body.includes(caseNo) ? { kind: 'answerLater', until: answered.opened } : pass
    await world.flows.start('issue', { caseNo, request: requestOf(world, 'issue') })
    await eventually(async () => (await world.shipmentsOf(caseNo))[0])
    const cancelled = cancel(way, caseNo)
    await new Promise(resolve => setTimeout(resolve, delay))
    answered.open()
    await cancelled
    expect(await world.flows.result(caseNo)).toMatchObject({
      kind: 'Ended',
      result: { outcome: 'cancelled', shipments: [{ stateCode: 'Cancelled' }], leftOver: [] },
    })
  })

  test('during the booking, whose response is lost: the flow finds it before it ends', async () => {
    const caseNo = world.newCase()
    const arrivedOnce = gate()
    // The first answer is lost, and then the service cannot be reached by creates until the flow is cancelled.
    world.toService.rule = ({ path, body, before }) => {
      if (!path.includes('CreateLocalShipment') || !body.includes(caseNo)) return pass
      arrivedOnce.open()
      return before === creates ? { kind: 'loseAnswer' } : { kind: 'cut' }
    }
    const creates = world.toService.passings.filter(({ path }) => path.endsWith('AsStock')).length
    await world.flows.start('stock', { caseNo, request: requestOf(world, 'stock') })
    await arrivedOnce.opened
    await eventually(async () => (await world.shipmentsOf(caseNo))[0])
    const cancelled = cancel(way, caseNo)
    await world.statusWhen(caseNo, ({ state }) => state === 'cleaningUp')
    world.toService.rule = () => pass
    await cancelled
    expect(await world.flows.result(caseNo)).toMatchObject({
      kind: 'Ended',
      result: { outcome: 'cancelled', shipments: [{ stateCode: 'Cancelled' }] },
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
