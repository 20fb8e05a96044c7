import { Client, type WorkflowClientInterceptor } from '@temporalio/client'
import { describe, expect, test } from 'vitest'
import { createFlowClient } from '#client'
import { withReference } from '#contract/terms'
import { type FlowName, toWorkflowId } from '#flows'
import { pass } from '../../testing/stack/wire.ts'
import { book } from '../support/flows/booking.ts'
import { startFor, walk } from '../support/flows/underway.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()
const ended = { kind: 'Refused', code: 'FlowEnded', message: withReference('FlowEnded', 'The flow has ended.') }
const stopped = { kind: 'Refused', code: 'FlowTerminated' }

function handle(caseNo: string) {
  return world.client.workflow.getHandle(toWorkflowId(caseNo))
}

/** The result of every update on a flow that has ended, however it ended. */
async function expectNoUpdates(caseNo: string): Promise<void> {
  expect(await world.flows.cancel(caseNo, 'over')).toEqual(ended)
  expect(await world.flows.decide(caseNo, { decision: 'extend' })).toEqual(ended)
  expect(await world.flows.assignReceiver(caseNo, world.userUid)).toEqual(ended)
  expect(await world.flows.release(caseNo)).toEqual(ended)
}

describe('a flow that has ended', () => {
  test('returns that it has ended', async () => {
    const { caseNo } = await book(world, 'stock')
    await world.flows.cancel(caseNo, 'over')
    expect(await world.flows.status(caseNo)).toMatchObject({ kind: 'Status', status: { state: 'ended' } })
    expect(await world.flows.result(caseNo)).toMatchObject({ kind: 'Ended', result: { outcome: 'cancelled' } })
    await expectNoUpdates(caseNo)
    expect(await world.flows.waitForBooking(caseNo)).toEqual(ended)
    expect(await world.flows.start('stock', { caseNo, request: parcel })).toMatchObject({ kind: 'CaseFinished' })
  })
})

describe('a flow that was cancelled when an item was in its locker', () => {
  test('returns its booking to a caller that comes later', async () => {
    const underway = await startFor(world, 'issueAndSwapIntake')
    await walk(world, underway, 'swap')
    const { caseNo } = underway
    expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ outcome: 'cancelled', leftOver: [{}] })
    const shipments = [
      { role: 'issue', stateCode: 'ReadyForPickup' },
      { role: 'intake', stateCode: 'Cancelled' },
    ]
    expect(await world.flows.waitForBooking(caseNo)).toMatchObject({ kind: 'Booked', caseNo, shipments })
  })
})

describe('a flow that is terminated while its start is repeated', () => {
  test('is started again', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    const fail: WorkflowClientInterceptor = {
      async describe(input, next) {
        await handle(caseNo).terminate('between two calls of the client')
        return next(input)
      },
    }
    const { connection, options } = world.client
    const client = new Client({ connection, namespace: options.namespace, interceptors: { workflow: [fail] } })
    const flows = createFlowClient(client, { taskQueue: world.taskQueue })
    world.cases.set(caseNo, 2)
    expect(await flows.start('stock', { caseNo, request: parcel })).toMatchObject({ kind: 'Started', isNew: true })
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
    await world.flows.waitForBooking(caseNo)
    await world.flows.cancel(caseNo, 'over')
  })
})

describe('a flow that is terminated while it is cancelled, and started again', () => {
  test('is not cancelled by the caller that cancelled the one before', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    world.toService.rule = ({ path }) => (path.endsWith('CancelShipment') ? { kind: 'status', status: 503 } : pass)
    const startAgain: WorkflowClientInterceptor = {
      async describe(input, next) {
        await world.flows.start('stock', { caseNo, request: parcel })
        return next(input)
      },
    }
    const { connection, options } = world.client
    const client = new Client({ connection, namespace: options.namespace, interceptors: { workflow: [startAgain] } })
    const cancelled = createFlowClient(client, { taskQueue: world.taskQueue }).cancel(caseNo, 'over')
    await world.statusWhen(caseNo, ({ state }) => state === 'cleaningUp')
    world.cases.set(caseNo, 2)
    await handle(caseNo).terminate('as an operator would')
    expect(await cancelled).toMatchObject({ kind: 'Refused', code: expect.stringMatching(/^Flow(Ended|Terminated)$/) })
    world.toService.rule = () => pass
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
    expect(await world.flows.waitForBooking(caseNo)).toMatchObject({ kind: 'Booked', caseNo })
    await world.flows.cancel(caseNo, 'over')
  })
})

describe('a flow that was terminated', () => {
  test('returns that it was ended from outside, and its case can be started again', async () => {
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

  test('rejects a caller that waits for its booking', async () => {
    const caseNo = world.newCase(0)
    world.toService.rule = ({ path }) => (path.includes('/CreateLocal') ? { kind: 'cut' } : pass)
    const waiting = world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    await world.statusWhen(caseNo, ({ rejections }) => rejections.length > 0)
    const result = world.flows.result(caseNo)
    await handle(caseNo).terminate('as an operator would')
    expect(await waiting).toMatchObject({ kind: 'Refused', code: expect.stringMatching(/^Flow(Ended|Terminated)$/) })
    expect(await result).toMatchObject(stopped)
  })

  test('rejects a caller that waits for its clean-up', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    world.toService.rule = ({ path }) => (path.endsWith('CancelShipment') ? { kind: 'status', status: 503 } : pass)
    const cancelled = world.flows.cancel(caseNo, 'over')
    await world.statusWhen(caseNo, ({ state }) => state === 'cleaningUp')
    await handle(caseNo).terminate('as an operator would')
    expect(await cancelled).toMatchObject({ kind: 'Refused', code: expect.stringMatching(/^Flow(Ended|Terminated)$/) })
    await world.api.call('CancelShipment', { shipmentUid: shipment.shipmentUid })
  })
})

describe('a flow that timed out because its starter set a limit', () => {
  test('returns that it was ended from outside', async () => {
    const caseNo = world.newCase()
    // Long enough for the booking on a busy machine.
    const options = { workflowId: toWorkflowId(caseNo), taskQueue: world.taskQueue, workflowExecutionTimeout: '30s' }
    await world.client.workflow.start('stock', { ...options, args: [{ caseNo, request: parcel }] } as never)
    const { shipments } = await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    expect(await world.flows.result(caseNo)).toMatchObject(stopped)
    expect(await world.flows.status(caseNo)).toMatchObject({ kind: 'Status' })
    await expectNoUpdates(caseNo)
    for (const { shipmentUid } of shipments) await world.api.call('CancelShipment', { shipmentUid })
  })
})

describe('a flow with an unknown name', () => {
  test('returns the failure', async () => {
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
