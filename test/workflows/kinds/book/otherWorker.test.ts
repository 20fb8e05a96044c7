import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { pass } from '../../../../testing/stack/wire.ts'
import { eventually, gate } from '../../../support/eventually.ts'
import { eventsOf } from '../../../support/flows/history.ts'
import { sweepCase } from '../../../support/flows/orphans.ts'
import { parcel } from '../../../support/world/apiWorld.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const world = useWorld()

const booking = { name: 'booking', summary: 'Book.', book: 'CreateLocalShipmentAsStock', request: parcel } as const
const wait = {
  name: 'dropOff',
  summary: 'Wait.',
  wait: { stock: 'WaitForReceiver' },
  window: '1h',
  onTimeout: 'cancel',
}
const store = { name: 'store', summary: 'Store.', input: {}, steps: [booking, wait] } as FlowDeclaration
const stricter = { ...store, input: { note: 'text' } } as FlowDeclaration
const other = {
  ...store,
  steps: [{ ...booking, request: { ...parcel, AllowOverflowLockers: !parcel.AllowOverflowLockers } }, wait],
} as FlowDeclaration

const later = {
  ...store,
  steps: [{ name: 'pause', summary: 'Wait.', sleep: '1s' }, { ...booking, name: 'later' }, wait],
} as FlowDeclaration

/** Starts the flow on a worker whose create is answered too late, and replaces the worker meanwhile. */
async function bookBetween(flows: readonly FlowDeclaration[]): Promise<string> {
  world.toService.rule = () => pass
  // A callback would start a workflow task on the worker that stops.
  world.toGateway.rule = () => ({ kind: 'status', status: 204 })
  await world.restartWorker({ flows: [store] })
  const caseNo = randomUUID()
  const [begun, ended] = [gate(), gate()]
  let creates = 0
  world.toService.rule = ({ path }) => {
    if (!path.includes('/CreateLocal') || ++creates > 1) return pass
    begun.open()
    return { kind: 'answerLater', until: ended.opened }
  }
  await world.client.workflow.start('store', {
    taskQueue: world.taskQueue,
    workflowId: toWorkflowId(caseNo),
    args: [{ caseNo, request: {} }],
  })
  await begun.opened
  const restarted = world.restartWorker({ flows })
  // The attempt ends itself shortly before its timeout. On a busy machine Temporal is earlier.
  const hasEnded = async () =>
    (await eventsOf(world, caseNo)).some(
      ({ activityTaskTimedOutEventAttributes: timedOut, activityTaskFailedEventAttributes: failed }) =>
        timedOut != null || failed != null,
    )
  await eventually(hasEnded)
  ended.open()
  await restarted
  world.cases.set(caseNo, 1)
  return caseNo
}

/** The input of the sweep that a flow started. */
async function readSweep(caseNo: string) {
  const events = await eventsOf(world, caseNo)
  const [child] = events.flatMap(({ startChildWorkflowExecutionInitiatedEventAttributes: child }) => child ?? [])
  return JSON.parse(new TextDecoder().decode(child?.input?.payloads?.[0]?.data ?? undefined))
}

test.each([
  ['that does not know the flow', [], 'UnknownFlow'],
  ['that needs another input', [stricter], 'InvalidFlowInput'],
])('a flow that a worker %s refuses after a booking leaves a sweep behind', async (_, flows, code) => {
  const caseNo = await bookBetween(flows)
  expect(await world.flows.result(caseNo)).toMatchObject({ kind: 'Refused', code })
  expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'ReadyForDropOff' }])
  const left = await readSweep(caseNo)
  expect(left).toMatchObject({ act: 'cancel', caseNo, late: { delay: 6 * 60_000, known: [] } })
  const swept = await sweepCase(world, caseNo, { ...left, late: { delay: 1, known: [] } })
  expect(swept?.shipments).toMatchObject([{ stateCode: 'Cancelled' }])
})

test('a flow that begins with another step on the other worker leaves a sweep behind', async () => {
  const caseNo = await bookBetween([later])
  world.cases.set(caseNo, 2)
  const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ kind: 'Cancelled', outcome: 'cancelled' })
  const states = async () => (await world.shipmentsOf(caseNo)).map(({ stateCode }) => stateCode).toSorted()
  expect(await states()).toEqual(['Cancelled', 'ReadyForDropOff'])
  const left = await readSweep(caseNo)
  expect(left).toMatchObject({ act: 'cancel', caseNo, late: { known: [shipments[0]?.shipmentUid] } })
  await sweepCase(world, caseNo, { ...left, late: { ...left.late, delay: 1 } })
  expect(await states()).toEqual(['Cancelled', 'Cancelled'])
})

test('a flow whose other worker sends another request names the booking that it leaves over', async () => {
  const caseNo = await bookBetween([other])
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  const failure = await handle.result().catch(({ cause }) => cause)
  const [{ shipmentUid, stateCode } = {}] = await world.shipmentsOf(caseNo)
  expect(stateCode).toBe('ReadyForDropOff')
  expect(failure).toMatchObject({
    type: 'IdempotencyKeyReused',
    details: [{ leftOver: [{ step: 'booking', shipmentUid, reason: 'the response to its booking was lost' }] }],
  })
  await world.api.call('CancelShipment', { shipmentUid: shipmentUid ?? '' })
})
