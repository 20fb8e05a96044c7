import { expect, test } from 'vitest'
import type { WorkerSettings } from '#worker'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

test.each<Partial<WorkerSettings>>([
  {
    pollers: 'autoscaling',
    resourceTargets: { targetMemoryUsage: 0.99, targetCpuUsage: 0.99 },
    maxActivitiesPerSecond: 50,
  },
  // More polls than slots.
  { pollers: 20, maxConcurrentWorkflowTasks: 2, maxConcurrentActivities: 1, maxOutsideActivities: 1 },
])('a worker with %j runs a flow to its end', async tuning => {
  await world.restartWorker(tuning)
  const caseNo = world.newCase()
  const booking = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
  expect(booking).toMatchObject({ kind: 'Booked' })
  await world.flows.cancel(caseNo, 'over')
  expect(await world.flows.waitForEnd(caseNo)).toMatchObject({ kind: 'Ended' })
})
