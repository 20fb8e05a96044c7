import { type Client, ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client'
import type { SweepOrder } from '#contract/terms'

/** One for each namespace, as one API client has one namespace. */
export const scheduleId = 'lockerflow-sweep'

/** Has Temporal start a sweep again and again; an earlier order of the same kind is replaced. Milliseconds. */
export async function scheduleSweep(
  client: Client,
  taskQueue: string,
  order: SweepOrder,
  every: number,
): Promise<void> {
  const spec = { intervals: [{ every }] }
  const action = {
    type: 'startWorkflow' as const,
    workflowType: 'sweep',
    workflowId: 'sweep',
    taskQueue,
    args: [order],
  }
  // One that takes long is not overtaken, and what an outage left out is not made up for.
  const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' as const }
  try {
    await client.schedule.create({ scheduleId, spec, action, policies })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    await client.schedule.getHandle(scheduleId).update(before => ({ ...before, spec, action, policies }))
  }
}

/** Ends that; answers whether there was anything to end. */
export async function unscheduleSweep(client: Client): Promise<boolean> {
  try {
    await client.schedule.getHandle(scheduleId).delete()
    return true
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false
    throw error
  }
}
