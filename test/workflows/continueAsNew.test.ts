import { TypedSearchAttributes } from '@temporalio/common'
import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { searchAttributes, toWorkflowId } from '#flows'
import { shipmentStatus } from '#flows/messages'
import { createContext, type FlowContext } from '../../workflows/context.ts'
import { isDueToContinue } from '../../workflows/continueAsNew.ts'
import type { Runtime } from '../../workflows/runtime.ts'
import { undoSteps } from '../../workflows/undo.ts'
import { eventually } from '../support/eventually.ts'
import { book, requestOf } from '../support/flows/booking.ts'
import { hour, movableClock, moveFlowClock } from '../support/flows/clock.ts'
import { growOld } from '../support/flows/longHistories.ts'
import { progressOf } from '../support/flows/progress.ts'
import { useWorld } from '../support/world/useWorld.ts'

const settled = () => true

test.each<[string, boolean, Partial<FlowContext>]>([
  ['is due', true, {}],
  ['whose caller waits for its booking is not', false, { waiters: { booking: [() => undefined], end: [] } }],
  ['whose caller waits for its end is not', false, { waiters: { booking: [], end: [() => undefined] } }],
  [
    'whose caller waits for a later moment is not',
    false,
    { progress: progressOf('ReadyForDropOff', { clock: { ahead: 0, target: hour } }) },
  ],
  [
    'whose clock has arrived at that moment is',
    true,
    { progress: progressOf('ReadyForDropOff', { clock: { ahead: hour, target: hour } }) },
  ],
  ['that a caller has cancelled is not', false, { cancelRequested: 'cancel' }],
  ['with work under way is not', false, { pollRequested: true }],
  ['without a new event is not', false, { historyLengthAtLastEvent: 11 }],
])('a flow with a long history %s', (_name, isDue, changes) => {
  const info = { workflowType: 'issue', historyLength: 12, continueAsNewSuggested: true }
  const runtime = { info: () => info, isCancelRequested: () => false } as unknown as Runtime
  const flow = createContext(runtime, info as ReturnType<Runtime['info']>, { caseNo: 'case-1', request: {} })
  expect(isDueToContinue({ ...flow, historyLengthAtLastEvent: 12, ...changes })).toBe(isDue)
})

test.each([
  ['despite a hint', true],
  ['without one', false],
])('the undo of a flow with a long history continues as new %s', async (_, pollRequested) => {
  const long = { workflowType: 'issue', historyLength: 12, continueAsNewSuggested: true }
  const info = { ...long, typedSearchAttributes: new TypedSearchAttributes() } as ReturnType<Runtime['info']>
  const runtime = {
    info: () => info,
    allHandlersFinished: () => true,
    upsertSearchAttributes: () => undefined,
  } as unknown as Runtime
  const steps = ['one', 'two'].map(name => ({ kind: 'sleep', name, leaves: 'Call the workshop.' }))
  const progress = progressOf('ReadyForDropOff', { undo: steps.map((_, step) => ({ step, state: 'done' })) })
  Object.assign(progress.plan, { steps })
  const flow = { ...createContext(runtime, info, { caseNo: 'case-1', request: {} }), progress, pollRequested }
  expect(await undoSteps(flow)).toBe(true)
  expect(progress.undo).toHaveLength(1)
})

describe('a flow that continues as new', () => {
  const world = useWorld(movableClock)

  test('stays overdue, and is reminded again', async () => {
    const { caseNo, shipment } = await book(world, 'stock', { dropOff: '48h' })
    await moveFlowClock(world, caseNo, 49 * hour)
    const before = await world.statusWhen(caseNo, ({ overdue }) => overdue)
    await growOld(world, caseNo)
    const after = await world.statusWhen(caseNo, settled)
    expect(after).toEqual({ ...before, deadline: after.deadline })
    await moveFlowClock(world, caseNo, 98 * hour)
    await world.statusWhen(caseNo, ({ deadline }) => deadline !== after.deadline)
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('keeps a pending decision, and each decision taken', async () => {
    const { caseNo, shipment } = await book(world, 'issue', { pickUp: '300ms' })
    await world.open(shipment, 'deliveryCode')
    const asked = await world.statusWhen(caseNo, ({ overdue }) => overdue)
    await growOld(world, caseNo)
    expect(await world.statusWhen(caseNo, settled)).toEqual(asked)
    const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
    const { typedSearchAttributes } = await handle.describe()
    const found = new Map(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]))
    const { overdue, state, steps } = searchAttributes
    expect([overdue, state, steps].map(({ name }) => found.get(name))).toEqual([true, 'overdue', ['pickUp']])

    expect(await world.flows.decide(caseNo, { decision: 'extend', by: '1h' })).toMatchObject({ kind: 'Decided' })
    const extended = await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    await growOld(world, caseNo)
    expect(await world.statusWhen(caseNo, settled)).toEqual(extended)
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('and is kept waiting has no window in the next run either', async () => {
    const { caseNo, shipment } = await book(world, 'issue', { pickUp: '300ms' })
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    await world.flows.decide(caseNo, { decision: 'keepWaiting' })
    const kept = await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    await growOld(world, caseNo)
    const after = await world.statusWhen(caseNo, settled)
    expect(after).toEqual(kept)
    expect(after).toMatchObject({ overdue: false, deadline: null })
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('is the same case for its callers, and can be cancelled', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    await growOld(world, caseNo)
    const input = { caseNo, request: requestOf(world, 'stock') }
    expect(await world.flows.startAndWaitForBooking('stock', input)).toMatchObject({
      kind: 'Booked',
      shipments: [{ shipmentUid: shipment.shipmentUid }],
    })
    expect(await world.flows.cancel(caseNo, 'over')).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })
})

describe('with a service that cannot be read, a flow that continues as new', () => {
  const world = useWorld({ ...movableClock, profile: { ...fullProfile, reads: false, readsByCase: false } })

  test('does not poll more than before, and keeps its window', async () => {
    const { caseNo } = await book(world, 'issue', { dropOff: '48h' })
    const before = await world.statusWhen(caseNo, settled)
    await growOld(world, caseNo)
    expect(await world.statusWhen(caseNo, settled)).toEqual(before)
    await moveFlowClock(world, caseNo, 49 * hour)
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'expired', leftOver: [] } })
    expect(world.toService.passings.some(({ path }) => path.endsWith('GetShipments'))).toBe(false)
  })
})

describe('with a service that has only the uid signature, a flow that continues as new', () => {
  const world = useWorld({ profile: { ...fullProfile, standardWebhooks: false } })

  test('still treats callbacks as hints', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    await growOld(world, caseNo)
    const reads = () => world.toService.passings.filter(({ path }) => path.endsWith('GetShipments')).length
    const before = reads()
    const forged = { shipmentUid: shipment.shipmentUid, stateCode: 'Completed', stateStart: '2999-01-01T00:00:00.000' }
    await world.client.workflow.getHandle(toWorkflowId(caseNo)).signal(shipmentStatus, forged)
    await eventually(() => reads() > before)
    expect(await world.statusWhen(caseNo, settled)).toMatchObject({ stage: 'dropOff', state: 'waiting' })
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })
})
