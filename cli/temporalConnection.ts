import { type Client, Connection } from '@temporalio/client'
import { largeResponses, type TemporalTarget } from '#client/connection'
import { CommandFailure, exitCodes } from './command/failure.ts'

/** Temporal's number of the activity task queue (temporal.api.enums.v1.TaskQueueType). */
const activityQueue = 2

/** Limit of a connection in milliseconds. A wrong address can neither refuse nor answer. */
const connectTimeout = 4_000

/** Milliseconds. A worker polls again after a minute at the latest. Temporal lists it for five minutes after its last poll. */
const pollerTimeout = 70_000

/**
 * Connects a command to Temporal.
 * @throws CommandFailure when Temporal cannot be reached
 */
export async function connectTemporal(temporal: TemporalTarget['temporal']): Promise<Connection> {
  return Connection.connect({ connectTimeout, ...temporal, channelArgs: largeResponses }).catch((error: Error) => {
    const message = `TEMPORAL_ADDRESS: Temporal cannot be reached at ${temporal.address}: ${error.message}`
    throw new CommandFailure('NotReachable', message, { exitCode: exitCodes.notReachable })
  })
}

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
