import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type SweepReport, toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { pass } from '../../../testing/stack/wire.ts'
import { eventually } from '../../support/eventually.ts'
import { book } from '../../support/flows/booking.ts'
import { sweepCase, terminate } from '../../support/flows/orphans.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()

/** Its shipment may hold an item from the start, and its last step fails. */
const brokenCollection = {
  name: 'brokenCollection',
  summary: 'A locker is booked, and the flow fails.',
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
      as: { collect: 'locker' },
    },
    {
      name: 'account',
      summary: 'The pick up point of an unknown user is set.',
      call: 'SetAccountPickUpPoint',
      request: { userUid: 'nobody', pickUpPointUid: 'pup-1' },
      keep: ['pupUid'],
    },
  ],
  outputs: { lockerUid: 'locker.shipmentUid' },
} as const satisfies FlowDeclaration

function handleOf(caseNo: string) {
  return world.client.workflow.getHandle(toWorkflowId(caseNo))
}

async function runOf(caseNo: string): Promise<string> {
  return (await handleOf(caseNo).describe()).runId
}

/** A booking of the case that its flow does not know. */
async function bookPast(caseNo: string): Promise<string> {
  const { shipmentUids } = await world.api.call('CreateLocalShipmentAsStock', {
    ...parcel,
    Details: { ReferenceCaseNo: caseNo },
  })
  world.cases.set(caseNo, (world.cases.get(caseNo) ?? 0) + 1)
  return shipmentUids[0] ?? ''
}

async function statesOf(caseNo: string): Promise<string[]> {
  return (await world.shipmentsOf(caseNo)).map(({ stateCode }) => stateCode).toSorted()
}

test('a sweep for late bookings that comes before the end of its own flow waits for it', async () => {
  const { caseNo, shipment } = await book(world, 'stock')
  const late = await bookPast(caseNo)
  const sweep = await world.client.workflow.start<() => Promise<SweepReport>>('sweep', {
    workflowId: `sweep-${randomUUID()}`,
    taskQueue: world.taskQueue,
    args: [
      {
        ...{ act: 'cancel', olderThan: 0, caseNo },
        late: { delay: 1, known: [shipment.shipmentUid], runId: await runOf(caseNo) },
      },
    ] as never,
  })
  await eventually(async () => {
    const { raw, status } = await sweep.describe()
    return status.name !== 'RUNNING' || raw.pendingActivities?.some(({ attempt }) => (attempt ?? 0) > 1)
  })
  await world.flows.cancel(caseNo, 'over')
  expect((await sweep.result()).cases).toMatchObject([{ shipments: [{ shipmentUid: late, stateCode: 'Cancelled' }] }])
})

test('a sweep for late bookings leaves the left-overs of a later flow of the case alone', async () => {
  await world.restartWorker({ flows: [brokenCollection] })
  const caseNo = world.newCase()
  const options = { workflowId: toWorkflowId(caseNo), taskQueue: world.taskQueue }
  const request = { ...parcel, KeepBookedAfterPickUp: false }
  const failed = world.client.workflow.execute('brokenCollection', { ...options, args: [{ caseNo, request }] })
  await expect(failed).rejects.toMatchObject({ cause: { type: 'InvalidUserUid', details: [{ leftOver: [{}] }] } })
  expect(await statesOf(caseNo)).toEqual(['ReadyForPickup'])
  const late = await bookPast(caseNo)
  const swept = await sweepCase(world, caseNo, { act: 'cancel', late: { delay: 1, known: [], runId: randomUUID() } })
  expect(swept?.shipments).toMatchObject([{ shipmentUid: late }])
  expect(await statesOf(caseNo)).toEqual(['Cancelled', 'ReadyForPickup'])
  for (const { shipmentUid } of await world.shipmentsOf(caseNo)) {
    await world.api.call('CancelShipment', { shipmentUid }).catch(() => undefined)
  }
})

test('a sweep for late bookings leaves a later flow of the case alone that was terminated', async () => {
  const { caseNo, shipment } = await book(world, 'stock')
  await terminate(world, caseNo)
  const late = { delay: 1, known: [] }
  expect(await sweepCase(world, caseNo, { act: 'cancel', late: { ...late, runId: randomUUID() } })).toBeUndefined()
  expect(await statesOf(caseNo)).toEqual([shipment.stateCode])
  await sweepCase(world, caseNo, { act: 'cancel', late: { ...late, runId: await runOf(caseNo) } })
  expect(await statesOf(caseNo)).toEqual(['Cancelled'])
})

test('a sweep for late bookings, which no later sweep follows, goes on until the service is back', async () => {
  const { caseNo } = await book(world, 'stock')
  const runId = await runOf(caseNo)
  await terminate(world, caseNo)
  let reads = 0
  const isAway = ({ path }: { readonly path: string }) => path.endsWith('/GetShipments') && reads++ < 9
  world.toService.rule = passing => (isAway(passing) ? { kind: 'cut' } : pass)
  const sweep = await world.client.workflow.start<() => Promise<SweepReport>>('sweep', {
    workflowId: `sweep-${randomUUID()}`,
    taskQueue: world.taskQueue,
    args: [{ act: 'cancel', olderThan: 0, caseNo, late: { delay: 1, known: [], runId } }] as never,
  })
  expect((await sweep.result()).cases).toMatchObject([{ shipments: [{ stateCode: 'Cancelled' }] }])
  const { events } = await sweep.fetchHistory()
  const scheduled = events?.flatMap(event => event.activityTaskScheduledEventAttributes ?? []) ?? []
  expect(scheduled.map(({ activityType }) => activityType?.name)).toEqual(['findOrphans', 'cancelOrphan'])
  for (const { scheduleToCloseTimeout, startToCloseTimeout } of scheduled) {
    expect(Number(scheduleToCloseTimeout?.seconds ?? 0)).toBe(0)
    expect(Number(startToCloseTimeout?.seconds)).toBeGreaterThan(0)
  }
  world.toService.rule = () => pass
})
