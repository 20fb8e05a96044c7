import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { isReset } from '#client/cases'
import { isRefused } from '../../gateway/endedRuns.ts'
import { createFlowCounter } from '../../gateway/flowCounts.ts'
import { pass } from '../../testing/stack/wire.ts'
import { eventually } from '../support/eventually.ts'
import { book } from '../support/flows/booking.ts'
import { incompatibleBundle } from '../support/flows/changedBundle.ts'
import { terminate } from '../support/flows/orphans.ts'
import { resetToStart } from '../support/flows/reset.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { bundle } from '../support/world/bundle.ts'
import { useOwnTemporal } from '../support/world/ownTemporal.ts'
import { useWorld } from '../support/world/useWorld.ts'

/** Milliseconds. */
const reportedWithin = 60_000

const world = useWorld({}, useOwnTemporal())

/** Visibility lags behind the flows. */
async function terminatedRuns(): Promise<number> {
  return (await world.client.workflow.count("ExecutionStatus = 'Terminated'")).count
}

let countFlows: ReturnType<typeof createFlowCounter>
beforeAll(() => {
  countFlows = createFlowCounter(world.client)
})

async function countEnded(): Promise<Record<string, number>> {
  return Object.fromEntries((await countFlows()).ended.map(({ status, count }) => [status, count]))
}

async function countTerminated(): Promise<number | undefined> {
  return (await countEnded()).Terminated
}

test('a terminated flow counts as terminated, and a run that a reset has ended does not', async () => {
  const { caseNo } = await book(world, 'stock')
  await resetToStart(world, caseNo)
  await eventually(async () => (await terminatedRuns()) === 1)
  expect(await countTerminated()).toBe(0)
  const other = await book(world, 'stock')
  await terminate(world, other.caseNo)
  await eventually(async () => (await terminatedRuns()) === 2)
  expect(await countTerminated()).toBe(1)
  await world.flows.cancel(caseNo, 'over')
  await world.api.call('CancelShipment', { shipmentUid: other.shipment.shipmentUid })
})

test('a flow whose history does not replay counts until its tasks succeed', async () => {
  const countIs = (expected: number) => async () => (await countFlows()).failingTasks === expected
  const failing = await book(world, 'issue')
  const other = await book(world, 'issue')
  await eventually(countIs(0))
  await world.restartWorker({ bundle: await incompatibleBundle() })
  await world.open(failing.shipment, 'deliveryCode')
  await eventually(countIs(1), reportedWithin)
  expect((await countFlows()).running).toContainEqual({ state: 'waiting', count: 2 })

  await world.restartWorker({ bundle: await bundle() })
  await world.statusWhen(failing.caseNo, ({ stage }) => stage === 'pickUp')
  await eventually(countIs(0))
  for (const { caseNo } of [failing, other]) await world.flows.cancel(caseNo, 'over')
}, 180_000)

test('a run that Temporal deletes between the list and the call is neither refused nor reset', async () => {
  const run = { workflowId: 'case:deleted', runId: randomUUID() }
  expect(await isRefused(world.client, run)).toBe(false)
  expect(await isReset(world.client, run)).toBe(false)
})

test('a flow that the service refuses counts as refused, and one that a fault ends as failed until it is reset', async () => {
  const request = { ...parcel, Dimension: { width: 9_999, height: 9_999, length: 9_999 } }
  const refused = await world.flows.startAndWaitForBooking('stock', { caseNo: world.newCase(0), request })
  expect(refused).toMatchObject({ kind: 'Refused', code: 'InvalidDimension' })
  const invalid = await world.flows.startAndWaitForBooking('stock', {
    caseNo: world.newCase(0),
    request: { PupUid: 5 } as never,
  })
  expect(invalid).toMatchObject({ kind: 'Refused', code: 'InvalidFlowInput' })
  world.toService.rule = ({ path }) => (path.includes('/CreateLocal') ? { kind: 'loseAnswer' } : pass)
  const windows = { booking: '1s' } as const
  const caseNo = world.newCase()
  const failed = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel, windows })
  world.toService.rule = () => pass
  expect(failed).toMatchObject({ kind: 'Refused', code: 'BookingGivenUp' })
  await eventually(async () => (await world.client.workflow.count("ExecutionStatus = 'Failed'")).count === 3)
  expect(await countEnded()).toMatchObject({ Refused: 2, Failed: 1 })
  // From the runs that the first measurement has examined.
  expect(await countEnded()).toMatchObject({ Refused: 2, Failed: 1 })
  await resetToStart(world, caseNo)
  expect(await countEnded()).toMatchObject({ Refused: 2, Failed: 0 })
  await world.flows.cancel(caseNo, 'over')
})
