import type { Client } from '@temporalio/client'

/** Temporal's number of the activity task queue (temporal.api.enums.v1.TaskQueueType). */
const activityQueue = 2

/** Milliseconds. A worker polls again after a minute at the latest. Temporal lists it for five minutes after its last poll. */
const pollerTimeout = 70_000

/** True if a worker polls a task queue for activities. */
export async function isPolled(
  service: Pick<Client['workflowService'], 'describeTaskQueue'>,
  namespace: string,
  name: string,
): Promise<boolean> {
  const { pollers } = await service.describeTaskQueue({
    namespace,
    taskQueue: { name },
    taskQueueType: activityQueue,
  })
  return pollers.some(({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000 < pollerTimeout)
}
