import { expect, test } from 'vitest'
import { countFlows } from '../../gateway/flowCounts.ts'
import { eventually } from '../support/eventually.ts'
import { book } from '../support/flows/booking.ts'
import { terminate } from '../support/flows/orphans.ts'
import { resetToStart } from '../support/flows/reset.ts'
import { useOwnTemporal } from '../support/world/ownTemporal.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld({}, useOwnTemporal())

/** Visibility lags behind the flows. */
async function terminatedRuns(): Promise<number> {
  return (await world.client.workflow.count("ExecutionStatus = 'Terminated'")).count
}

async function countTerminated(): Promise<number | undefined> {
  return (await countFlows(world.client)).ended.find(({ status }) => status === 'Terminated')?.count
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
