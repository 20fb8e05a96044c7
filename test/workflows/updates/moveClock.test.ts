import { WorkflowUpdateFailedError } from '@temporalio/client'
import { describe, expect, inject, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { moveClock } from '#flows/messages'
import { startWorker } from '#worker'
import { pass } from '../../../testing/stack/wire.ts'
import { eventually } from '../../support/eventually.ts'
import { book } from '../../support/flows/booking.ts'
import { eventsOf } from '../../support/flows/history.ts'
import { apiSettings, workerSettings } from '../../support/world/settings.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const hour = 3_600_000
let start = 0
const world = useWorld({ clockAhead: () => start })

function move(caseNo: string, ahead: number) {
  return world.client.workflow.getHandle(toWorkflowId(caseNo)).executeUpdate(moveClock, { args: [{ ahead }] })
}

async function failureOf(update: Promise<unknown>): Promise<unknown> {
  const error = await update.catch((thrown: unknown) => thrown)
  return error instanceof WorkflowUpdateFailedError ? error.cause : error
}

describe('a flow in staging', () => {
  test('passes the window of a step at its length, and cleans up', async () => {
    const { caseNo } = await book(world, 'issue', { dropOff: '48h' })
    expect(await move(caseNo, 47 * hour)).toEqual({ ended: false })
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ stage: 'dropOff', overdue: false })
    expect(await move(caseNo, 49 * hour)).toEqual({ ended: true })
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'expired', leftOver: [] } })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })

  test('becomes overdue, and its decision extends the window by the clock of the flow', async () => {
    const { caseNo, shipment } = await book(world, 'issue', { pickUp: '48h' })
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await move(caseNo, 49 * hour)
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ stage: 'pickUp', overdue: true })
    await world.flows.decide(caseNo, { decision: 'extend', by: '24h' })
    await move(caseNo, 72 * hour)
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ overdue: false })
    await move(caseNo, 74 * hour)
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ overdue: true })
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('passes a window that is extended after the move, when its time is over', async () => {
    const { caseNo, shipment } = await book(world, 'issue', { pickUp: '48h' })
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await move(caseNo, 49 * hour)
    expect(await world.flows.decide(caseNo, { decision: 'extend', by: '400ms' })).toMatchObject({ kind: 'Decided' })
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    await world.flows.cancel(caseNo, 'over')
  })

  test('answers a move after its end, even if it is cancelled in the Web UI meanwhile', async () => {
    const { caseNo } = await book(world, 'issue', { dropOff: '48h' })
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    world.toService.rule = ({ path }) => (path.endsWith('CancelShipment') ? { kind: 'answerLater', until } : pass)
    const moved = move(caseNo, 49 * hour)
    await world.statusWhen(caseNo, ({ state }) => state === 'cleaningUp')
    const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
    await handle.cancel()
    await eventually(async () =>
      (await eventsOf(world, caseNo)).some(event => event.workflowExecutionCancelRequestedEventAttributes),
    )
    release()
    expect(await moved).toEqual({ ended: true })
    expect(await handle.result()).toMatchObject({ outcome: 'expired' })
  })

  test('never moves back', async () => {
    const { caseNo } = await book(world, 'issue', { dropOff: '48h' })
    await move(caseNo, 47 * hour)
    expect(await move(caseNo, hour)).toEqual({ ended: false })
    expect(await move(caseNo, 48.1 * hour)).toEqual({ ended: true })
  })

  test('starts at the clock of its worker', async () => {
    start = 100 * hour
    const { caseNo } = await book(world, 'issue', { dropOff: '48h' })
    start = 0
    const { deadline } = await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
    expect(Date.parse(deadline ?? '') - Date.now()).toBeGreaterThan(147 * hour)
    expect(await move(caseNo, 149 * hour)).toEqual({ ended: true })
  })

  test.each([-1, 1.5, Number.NaN, 36_501 * 24 * hour])('refuses to move by %s', async ahead => {
    const { caseNo } = await book(world, 'issue')
    expect(await failureOf(move(caseNo, ahead))).toMatchObject({ type: 'InvalidFlowInput' })
    await world.flows.cancel(caseNo, 'over')
  })
})

describe('outside of a test', () => {
  test('a flow refuses to move its clock', async () => {
    await world.restartWorker({ clockAhead: undefined as never })
    const { caseNo } = await book(world, 'issue')
    expect(await failureOf(move(caseNo, hour))).toMatchObject({ type: 'ClockFixed' })
    await world.flows.cancel(caseNo, 'over')
  })

  test('a worker in production does not start with such a clock', async () => {
    const settings = await workerSettings(inject('temporal'), 'unused', apiSettings(world.service.address))
    const production = { ...settings, environment: 'production' as const, clockAhead: () => 0 }
    await expect(startWorker(production)).rejects.toThrow('clockAhead: must be absent in production')
  })
})
