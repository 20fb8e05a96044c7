import { toBookingId } from '#flows'
import { pass } from '../../testing/stack/wire.ts'
import { parcel } from '../support/world/apiWorld.ts'
import type { World } from '../support/world/flowWorld.ts'
import type { RecordedRun, Scenario } from './scenario.ts'

/** Starts a flow whose creates do not arrive, and a workflow that waits for its booking. */
async function beginWaiting(world: World, booked: number): Promise<{ caseNo: string; run: RecordedRun }> {
  const caseNo = world.newCase(booked)
  world.toService.rule = ({ path }) => (path.includes('/CreateLocal') ? { kind: 'cut' } : pass)
  await world.flows.start('stock', { caseNo, request: parcel })
  await world.statusWhen(caseNo, ({ rejections }) => rejections.length > 0)
  const key = toBookingId(caseNo, 'recorded')
  const { taskQueue } = world
  await world.client.workflow.start('booking', { workflowId: key, taskQueue, args: [{ caseNo, key }] })
  return { caseNo, run: { workflowId: key } }
}

/** The workflow of an operation of Nexus that waits for a booking. */
export const bookings: readonly Scenario[] = [
  {
    name: 'booking-completed',
    async play(world) {
      const { caseNo, run } = await beginWaiting(world, 1)
      world.toService.rule = () => pass
      await world.client.workflow.getHandle(run.workflowId).result()
      await world.flows.cancel(caseNo, 'recorded')
      return [run]
    },
  },
  {
    name: 'booking-cancelled',
    async play(world) {
      const { run } = await beginWaiting(world, 0)
      await world.client.workflow.getHandle(run.workflowId).cancel()
      return [run]
    },
  },
]
