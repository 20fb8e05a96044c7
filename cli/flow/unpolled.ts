import type { Client, WorkflowExecutionDescription } from '@temporalio/client'
import { isPolled } from '../temporalConnection.ts'

/** Temporal's number of an activity that waits for a worker (temporal.api.enums.v1.PendingActivityState). */
const scheduled = 1

/** An activity that waits for a worker. */
export interface UnpolledActivity {
  readonly activity: string
  /** No worker polls it. */
  readonly taskQueue: string
}

/** The activities of a flow that wait on a task queue without a worker, which no workflow learns of. */
export async function findUnpolled(client: Client, { raw }: WorkflowExecutionDescription): Promise<UnpolledActivity[]> {
  const waiting = (raw.pendingActivities ?? []).flatMap(({ state, activityType, activityOptions }) => {
    const taskQueue = activityOptions?.taskQueue?.name
    return state === scheduled && taskQueue ? [{ activity: activityType?.name ?? '', taskQueue }] : []
  })
  const polled = await Promise.all(
    waiting.map(({ taskQueue }) => isPolled(client.workflowService, client.options.namespace, taskQueue)),
  )
  return waiting.filter((_, index) => !polled[index])
}
