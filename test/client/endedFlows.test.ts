import { describe, expect, test } from 'vitest'
import { workflowIdOf } from '#contract/terms'
import type { FlowName } from '#workflows/flows'
import { book } from '../flows/booking.ts'
import { useWorld } from '../flows/useWorld.ts'
import { parcel } from '../flows/world.ts'
import { pass } from '../wire/wire.ts'

const world = useWorld()
const ended = { kind: 'Refused', code: 'FlowEnded', message: 'The flow has ended.' }
const stopped = { kind: 'Refused', code: 'FlowTerminated' }

function handle(caseNo: string) {
  return world.client.workflow.getHandle(workflowIdOf(caseNo))
}

/** What every update answers for a flow that is over, however it ended. */
async function expectNoUpdates(caseNo: string): Promise<void> {
  expect(await world.flows.cancel(caseNo, 'over')).toEqual(ended)
  expect(await world.flows.decide(caseNo, { decision: 'extend' })).toEqual(ended)
  expect(await world.flows.assignReceiver(caseNo, world.userUid)).toEqual(ended)
  expect(await world.flows.release(caseNo)).toEqual(ended)
}

describe('a flow that has ended', () => {
  test('answers as ended', async () => {
    const { caseNo } = await book(world, 'stock')
    await world.flows.cancel(caseNo, 'over')
    expect(await world.flows.status(caseNo)).toMatchObject({ kind: 'Status', status: { state: 'ended' } })
    expect(await world.flows.result(caseNo)).toMatchObject({ kind: 'Ended', result: { outcome: 'cancelled' } })
    await expectNoUpdates(caseNo)
    expect(await world.flows.start('stock', { caseNo, request: parcel })).toMatchObject({ kind: 'CaseFinished' })
  })
})

describe('a flow that was terminated', () => {
  test('answers as ended from outside, and its case can be started again', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    await handle(caseNo).terminate('as an operator would')
    expect(await world.flows.status(caseNo)).toMatchObject({ kind: 'Status', status: { state: 'waiting' } })
    expect(await world.flows.result(caseNo)).toMatchObject(stopped)
    await expectNoUpdates(caseNo)
    // Its shipment is left behind; the next life of the case books its own.
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
    world.cases.set(caseNo, 2)
    const again = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    expect(again).toMatchObject({ kind: 'Booked', shipments: [{ stateCode: 'ReadyForDropOff' }] })
    await world.flows.cancel(caseNo, 'over')
  })

  test('while somebody waits for its booking, tells them', async () => {
    const caseNo = world.newCase(0)
    world.toService.rule = ({ path }) => (path.includes('/CreateLocal') ? { kind: 'cut' } : pass)
    const waiting = world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    await world.statusWhen(caseNo, ({ refusals }) => refusals.length > 0)
    const result = world.flows.result(caseNo)
    await handle(caseNo).terminate('as an operator would')
    expect(await waiting).toMatchObject({ kind: 'Refused', code: expect.stringMatching(/^Flow(Ended|Terminated)$/) })
    expect(await result).toMatchObject(stopped)
  })

  test('while somebody waits for its clean-up, tells them', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    world.toService.rule = ({ path }) => (path.endsWith('CancelShipment') ? { kind: 'status', status: 503 } : pass)
    const cancelled = world.flows.cancel(caseNo, 'over')
    await world.statusWhen(caseNo, ({ state }) => state === 'cleaningUp')
    await handle(caseNo).terminate('as an operator would')
    expect(await cancelled).toMatchObject({ kind: 'Refused', code: expect.stringMatching(/^Flow(Ended|Terminated)$/) })
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
  })
})

describe('a flow that timed out, from a starter who set a limit', () => {
  test('answers as ended from outside', async () => {
    const caseNo = world.newCase()
    const options = { workflowId: workflowIdOf(caseNo), taskQueue: world.taskQueue, workflowExecutionTimeout: '1500ms' }
    await world.client.workflow.start('stock', { ...options, args: [{ caseNo, request: parcel }] } as never)
    const { shipments } = await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    expect(await world.flows.result(caseNo)).toMatchObject(stopped)
    expect(await world.flows.status(caseNo)).toMatchObject({ kind: 'Status' })
    await expectNoUpdates(caseNo)
    for (const { shipmentUid } of shipments) await world.api.call('CancelShipment', { shipmentUid })
  })
})

describe('a flow of a name that is none', () => {
  test('answers as a flow that has failed', async () => {
    const caseNo = world.newCase(0)
    const misspelled = 'isue' as FlowName
    const unknown = { kind: 'Refused', code: 'UnknownFlow' }
    expect(await world.flows.start(misspelled, { caseNo, request: parcel })).toMatchObject({ kind: 'Started' })
    expect(await world.flows.result(caseNo)).toMatchObject(unknown)
    const known = { flow: 'isue', caseNo, state: 'ended', shipments: [] }
    expect(await world.flows.status(caseNo)).toMatchObject({ kind: 'Status', status: known })
    await expectNoUpdates(caseNo)
    expect(await world.flows.startAndWaitForBooking(misspelled, { caseNo, request: parcel })).toMatchObject(unknown)
  })
})
