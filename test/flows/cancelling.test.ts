import { describe, expect, test } from 'vitest'
import { workflowIdOf } from '#contract/terms'
import type { FlowName } from '#workflows/flows'
import { pass } from '../wire/wire.ts'
import { book, requestOf } from './booking.ts'
import { eventually, gate } from './eventually.ts'
import { useWorld } from './useWorld.ts'

const world = useWorld()

/** The update of the client, and the cancel button of the Web UI. */
const ways = ['update', 'button'] as const
type Way = (typeof ways)[number]

async function cancel(way: Way, caseNo: string): Promise<unknown> {
  if (way === 'update') return world.flows.cancel(caseNo, 'changed my mind')
  return world.client.workflow.getHandle(workflowIdOf(caseNo)).cancel()
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
    const left = leftOver ? [{ shipmentUid: shipment.shipmentUid, why: inside }] : []
    if (way === 'update') expect(answer).toEqual({ kind: 'Cancelled', leftOver: left })
    expect(await world.flows.result(caseNo)).toMatchObject({
      kind: 'Ended',
      result: { outcome: 'cancelled', shipments: [{ stateCode: endsIn }], leftOver: left },
    })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: endsIn }])
    // Nobody is left to take the item out, so the test does.
    if (leftOver) await world.open(shipment, 'pickUpCode')
  })

  test('an item that came in unheard of is not cancelled away', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    world.toGateway.rule = () => ({ kind: 'status', status: 204 })
    await world.open(shipment, 'deliveryCode')
    await cancel(way, caseNo)
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: {
        outcome: 'cancelled',
        shipments: [{ stateCode: 'WaitForReceiver' }],
        leftOver: [{ shipmentUid: shipment.shipmentUid, why: inside }],
      },
    })
  })

  test('before the booking: nothing is booked', async () => {
    const caseNo = world.newCase(0)
    await world.stopWorker()
    const request = requestOf(world, 'stock')
    await world.flows.start('stock', { caseNo, request })
    const cancelled = cancel(way, caseNo)
    if (way === 'button') await cancelled
    else await arrived(caseNo)
    await world.restartWorker()
    await cancelled
    expect(await world.flows.result(caseNo)).toMatchObject({
      kind: 'Ended',
      result: { outcome: 'cancelled', shipments: [], leftOver: [] },
    })
  })

  test.each([
    ['late', 1_000],
    ['later than the local attempt', 2_500],
  ])('during the booking, whose answer comes %s: what was booked is cancelled', async (_, delay) => {
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

  test('during the booking, whose answer is lost: the flow looks before it ends', async () => {
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
    await cancel(way, caseNo)
    expect(await world.flows.result(caseNo)).toMatchObject({
      kind: 'Ended',
      result: { outcome: 'cancelled', shipments: [{ stateCode: 'Cancelled' }] },
    })
  })
})

test('a booking that is waited for is told that the flow was cancelled before it', async () => {
  const caseNo = world.newCase(0)
  world.toService.rule = ({ path, body }) =>
    path.endsWith('AsStock') && body.includes(caseNo) ? { kind: 'cut' } : pass
  const booking = world.flows.startAndWaitForBooking('stock', { caseNo, request: requestOf(world, 'stock') })
  await world.statusWhen(caseNo, ({ refusals }) => refusals.length > 0)
  await world.flows.cancel(caseNo, 'over')
  expect(await booking).toMatchObject({ kind: 'Refused', code: 'BookingCancelled' })
})

test('cancelling twice, and after the end, is answered', async () => {
  const { caseNo } = await book(world, 'stock')
  const answers = await Promise.all([world.flows.cancel(caseNo, 'one'), world.flows.cancel(caseNo, 'two')])
  expect(answers).toEqual([
    { kind: 'Cancelled', leftOver: [] },
    { kind: 'Cancelled', leftOver: [] },
  ])
  expect(await world.flows.cancel(caseNo, 'three')).toEqual({ kind: 'UnknownCase', caseNo })
  expect(await world.flows.cancel('no such case', 'four')).toEqual({ kind: 'UnknownCase', caseNo: 'no such case' })
})

/** Waits until an update without a worker has reached the server. */
async function arrived(caseNo: string): Promise<void> {
  const handle = world.client.workflow.getHandle(workflowIdOf(caseNo))
  await eventually(async () => (await handle.describe()).status.name === 'RUNNING')
}
