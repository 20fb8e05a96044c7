import type { WorkflowHandle } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { type Handling, pass } from '../../../testing/stack/wire.ts'
import { eventually } from '../../support/eventually.ts'
import { terminate } from '../../support/flows/orphans.ts'
import { type CallerNamespace, startCallerNamespace } from '../../support/nexus/callerNamespace.ts'
import { linkedFrom } from '../../support/nexus/links.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useOwnTemporal } from '../../support/world/ownTemporal.ts'
import { useWorld } from '../../support/world/useWorld.ts'

/** Temporal allows 2,000. */
const maxOperations = 3
const temporal = useOwnTemporal([`callback.maxPerExecution=${maxOperations}`])
const world = useWorld({}, temporal)
const cut: Handling = { kind: 'cut' }
let caller: CallerNamespace

beforeAll(async () => {
  caller = await startCallerNamespace(world.taskQueue, {}, temporal())
})
afterAll(() => caller.stop())

const booked = { role: 'stock', stateCode: 'ReadyForDropOff', pupUid: 'pup-1' }

function stock(booked?: number) {
  return { flow: 'stock', caseNo: world.newCase(booked), request: parcel }
}

function flowOf(caseNo: string): WorkflowHandle {
  return world.client.workflow.getHandle(toWorkflowId(caseNo))
}

describe('book', () => {
  test('returns the booking, and links both histories', async () => {
    const input = stock()
    const handle = await caller.start('book', input)
    expect(await handle.result()).toMatchObject({
      result: { flow: 'stock', caseNo: input.caseNo, shipments: [booked] },
    })
    expect(await linkedFrom(handle)).toEqual([`${world.client.options.namespace} ${toWorkflowId(input.caseNo)}`])
    expect(await linkedFrom(flowOf(input.caseNo))).toEqual([`${caller.namespace} ${handle.workflowId}`])
    await world.flows.cancel(input.caseNo, 'over')
  })

  test('by two operations at once is one flow', async () => {
    const input = stock()
    const answers = await Promise.all([caller.call('book', input), caller.call('book', input)])
    expect(answers[0]).toMatchObject({ result: { shipments: [booked] } })
    expect(answers[1]).toEqual(answers[0])
    await world.flows.cancel(input.caseNo, 'over')
  })

  test('of a case that has completed returns its shipments', async () => {
    const input = stock()
    await caller.call('book', input)
    const { shipments } = await world.statusWhen(input.caseNo, ({ stage }) => stage === 'dropOff')
    for (const shipment of shipments) await world.open(shipment, 'deliveryCode')
    await world.flows.result(input.caseNo)
    expect(await caller.call('book', input)).toMatchObject({ result: { shipments: [{ role: 'stock' }] } })
    expect(await caller.call('start', input)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('of a case that was cancelled is refused', async () => {
    const input = stock()
    await caller.call('book', input)
    await world.flows.cancel(input.caseNo, 'over')
    expect(await caller.call('book', input)).toMatchObject({ code: 'FlowEnded' })
    expect(await caller.call('start', input)).toMatchObject({ result: { outcome: 'cancelled' } })
  })

  test('of a case that was cancelled with an item inside is refused', async () => {
    const { caseNo, ...rest } = stock()
    const input = { ...rest, flow: 'issue', caseNo, request: { ...parcel, ToUserUid: world.userUid } }
    await caller.call('book', input)
    const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
    for (const shipment of shipments) await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await world.flows.cancel(caseNo, 'over')
    expect(await caller.call('book', input)).toMatchObject({ code: 'FlowEnded' })
    for (const shipment of shipments) await world.open(shipment, 'pickUpCode')
  })

  test('during an outage waits in a workflow until the lockers are booked', async () => {
    const input = stock()
    world.toService.rule = () => cut
    const handle = await caller.start('book', input)
    await eventually(async () => (await linkedFrom(handle)).length > 0)
    world.toService.rule = () => pass
    expect(await handle.result()).toMatchObject({ result: { caseNo: input.caseNo, shipments: [booked] } })
    await world.flows.cancel(input.caseNo, 'over')
  })

  test('that is cancelled before the booking cancels the flow', async () => {
    const input = stock()
    world.toService.rule = () => cut
    const handle = await caller.start('book', input)
    await eventually(async () => (await linkedFrom(handle)).length > 0)
    await handle.cancel()
    await eventually(async () => {
      const { events } = await flowOf(input.caseNo).fetchHistory()
      return events?.some(
        event => event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name === 'cancel',
      )
    })
    world.toService.rule = () => pass
    await expect(handle.result()).rejects.toThrow()
    // The flow repeats its booking to learn of it, and undoes it.
    expect(await world.shipmentsOf(input.caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })
})

describe('start', () => {
  test('is the run of a flow, whose result it returns, with links in both histories', async () => {
    const input = stock()
    const handle = await caller.start('start', input)
    const { shipments } = await world.statusWhen(input.caseNo, ({ stage }) => stage === 'dropOff')
    expect(await linkedFrom(handle)).toEqual([`${world.client.options.namespace} ${toWorkflowId(input.caseNo)}`])
    expect(await linkedFrom(flowOf(input.caseNo))).toEqual([`${caller.namespace} ${handle.workflowId}`])
    for (const shipment of shipments) await world.open(shipment, 'deliveryCode')
    expect(await handle.result()).toMatchObject({
      result: { flow: 'stock', caseNo: input.caseNo, outcome: 'completed', leftOver: [] },
    })
  })

  test('that is cancelled ends when the flow has freed its locker', async () => {
    const input = stock()
    const handle = await caller.start('start', input)
    await world.statusWhen(input.caseNo, ({ stage }) => stage === 'dropOff')
    await handle.cancel()
    expect(await handle.result()).toMatchObject({ result: { outcome: 'cancelled', leftOver: [] } })
    expect(await world.shipmentsOf(input.caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })

  test('of a flow that the service refuses fails with its code', async () => {
    const input = { ...stock(0), request: { ...parcel, PupUid: 'nowhere' } }
    expect(await caller.call('start', input)).toMatchObject({ code: 'InvalidPupUid' })
    expect(await caller.call('book', input)).toMatchObject({ code: 'InvalidPupUid' })
  })

  test('again attaches to the flow that runs, and refuses another request', async () => {
    const input = stock()
    const first = await caller.start('start', input)
    await world.statusWhen(input.caseNo, ({ stage }) => stage === 'dropOff')
    const second = await caller.start('start', input)
    await eventually(async () => (await linkedFrom(second)).length > 0)
    const other = { ...input, request: { ...parcel, AllowOverflowLockers: true } }
    expect(await caller.call('start', other)).toMatchObject({ code: 'CaseInUse' })
    expect(await caller.call('book', other)).toMatchObject({ code: 'CaseInUse' })
    await world.flows.cancel(input.caseNo, 'over')
    expect(await first.result()).toMatchObject({ result: { outcome: 'cancelled' } })
    expect(await second.result()).toEqual(await first.result())
  })

  test('of a flow that as many operations wait for as Temporal allows fails with TemporalLimitReached, and `book` returns its booking', async () => {
    const input = stock()
    const attached = await Promise.all(Array.from({ length: maxOperations }, () => caller.start('start', input)))
    await Promise.all(attached.map(handle => eventually(async () => (await linkedFrom(handle)).length > 0)))
    expect(await caller.call('start', input)).toEqual({
      code: 'TemporalLimitReached',
      message: expect.stringMatching(/^Temporal attaches no more operations to the flow: .* 3 callbacks/),
    })
    expect(await caller.call('book', input)).toMatchObject({ result: { shipments: [booked] } })
    await world.flows.cancel(input.caseNo, 'over')
    const [first] = attached
    expect(await first?.result()).toMatchObject({ result: { outcome: 'cancelled' } })
  })

  test('of a flow that is terminated fails with FlowTerminated', async () => {
    const input = stock()
    const handle = await caller.start('start', input)
    const { shipments } = await world.statusWhen(input.caseNo, ({ stage }) => stage === 'dropOff')
    await terminate(world, input.caseNo)
    expect(await handle.result()).toMatchObject({ code: 'FlowTerminated' })
    for (const { shipmentUid } of shipments) await world.api.call('CancelShipment', { shipmentUid })
  })
})

test('a decision names the workflow that calls, in the history of the flow', async () => {
  const caseNo = world.newCase()
  const request = { ...parcel, ToUserUid: world.userUid }
  await caller.call('book', { flow: 'issue', caseNo, request, windows: { pickUp: '1s' } })
  const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  for (const shipment of shipments) await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  const handle = await caller.start('decide', { caseNo, decision: { decision: 'keepWaiting' } })
  expect(await handle.result()).toMatchObject({ result: { state: 'waiting' } })
  await caller.call('cancel', { caseNo, reason: 'over' })
  const { events } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  const accepted = events?.flatMap(event => event.workflowExecutionUpdateAcceptedEventAttributes ?? []) ?? []
  const callers = accepted.flatMap(({ acceptedRequest }) =>
    ['decide', 'cancel'].includes(String(acceptedRequest?.input?.name)) ? [acceptedRequest?.meta?.identity] : [],
  )
  expect(callers).toEqual([
    `nexus:${caller.namespace}/${handle.workflowId}`,
    expect.stringMatching(`^nexus:${caller.namespace}/.`),
  ])
})

test('status, decide and cancel reach a flow, and link to it', async () => {
  const caseNo = world.newCase()
  const request = { ...parcel, ToUserUid: world.userUid }
  await caller.call('book', { flow: 'issue', caseNo, request, windows: { pickUp: '1s' } })
  const early = { caseNo, decision: { decision: 'keepWaiting' } }
  expect(await caller.call('decide', early)).toMatchObject({ code: 'NothingToDecide' })
  const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  for (const shipment of shipments) await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  expect(await caller.call('status', { caseNo })).toMatchObject({ result: { caseNo, overdue: true } })
  const decision = { decision: 'extend', by: '24h' }
  expect(await caller.call('decide', { caseNo, decision })).toMatchObject({ result: { state: 'waiting' } })
  for (const shipment of shipments) await world.open(shipment, 'pickUpCode')
  await world.flows.result(caseNo)
  const handle = await caller.start('cancel', { caseNo, reason: 'too late' })
  expect(await handle.result()).toEqual({ result: { kind: 'Cancelled', outcome: 'completed', leftOver: [] } })
  expect(await linkedFrom(handle)).toEqual([`${world.client.options.namespace} ${toWorkflowId(caseNo)}`])
})

const flow = 'stock'
const caseNo = 'N-1'

test.each([
  ['no input', 'start', null, 'InvalidFlowInput'],
  ['no case number', 'start', { flow, request: {} }, 'InvalidFlowInput'],
  ['a case number that no path can have', 'book', { flow, caseNo: '..', request: {} }, 'InvalidFlowInput'],
  ['a blank before the case number', 'book', { flow, caseNo: ' N-1', request: {} }, 'InvalidFlowInput'],
  ['an unknown flow', 'book', { flow: 'stick', caseNo, request: {} }, 'UnknownFlow'],
  ['the name of a workflow that is not a flow', 'start', { flow: 'sweep', caseNo, request: {} }, 'UnknownFlow'],
  ['a request that is not an object', 'start', { flow, caseNo, request: 'pup-1' }, 'InvalidFlowInput'],
  ['windows that are not an object', 'start', { flow, caseNo, request: {}, windows: '1h' }, 'InvalidFlowInput'],
  ['the field of another operation', 'cancel', { caseNo, decision: 'extend' }, 'InvalidFlowInput'],
  ['an unknown case, without a reason,', 'cancel', { caseNo: 'N-unknown' }, 'UnknownCase'],
  ['no decision', 'decide', { caseNo }, 'InvalidFlowInput'],
  ['an unknown case', 'status', { caseNo: 'N-unknown' }, 'UnknownCase'],
  ['an unknown case', 'cancel', { caseNo: 'N-unknown', reason: 'over' }, 'UnknownCase'],
  ['an unknown case', 'decide', { caseNo: 'N-unknown', decision: { decision: 'cancel' } }, 'UnknownCase'],
] as const)('%s fails the operation %s at once', async (_, operation, input, code) => {
  expect(await caller.call(operation, input)).toMatchObject({ code })
})

test('a request that the flow refuses fails with the fields', async () => {
  const answer = await caller.call('book', { ...stock(0), request: { PupUid: 'pup-1' } })
  expect(answer).toMatchObject({ code: 'InvalidFlowInput', message: expect.stringContaining('Dimension is missing') })
})

test('misspelled windows fail the operation, and the failure names them', async () => {
  const answer = await caller.call('book', { flow, caseNo: 'N-misspelled', request: parcel, windws: { dropOff: '1s' } })
  expect(answer).toMatchObject({ code: 'InvalidFlowInput', message: expect.stringContaining('windws: must not be') })
})

test('a field for sweeps is ignored', async () => {
  const input = { ...stock(), adopt: true }
  expect(await caller.call('book', input)).toMatchObject({ result: { shipments: [booked] } })
  await world.flows.cancel(input.caseNo, 'over')
})
