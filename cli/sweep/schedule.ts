import { type Client, ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client'
import { priorities, type SweepInput } from '#flows'

/** One schedule per namespace, since each API client has its own namespace. */
export const scheduleId = 'lockerflow-sweep'

/**
 * Creates or replaces the schedule of the sweep.
 * @param interval in milliseconds
 */
export async function scheduleSweep(
  client: Client,
  taskQueue: string,
  input: SweepInput,
  interval: number,
): Promise<void> {
  const spec = { intervals: [{ every: interval }] }
  const action = {
    type: 'startWorkflow' as const,
    workflowType: 'sweep',
    workflowId: 'sweep',
    taskQueue,
    args: [input],
    priority: { priorityKey: priorities.sweep },
  }
  // Temporal skips a sweep while the one before runs, and does not make up for those that an outage prevented.
  const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' as const }
  try {
    await client.schedule.create({ scheduleId, spec, action, policies })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    await client.schedule.getHandle(scheduleId).update(before => ({ ...before, spec, action, policies }))
  }
}

/** Deletes the schedule. Returns false if there was no schedule. */
export async function unscheduleSweep(client: Client): Promise<boolean> {
  try {
    await client.schedule.getHandle(scheduleId).delete()
    return true
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false
    throw error
  }
}
