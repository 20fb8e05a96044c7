import { Connection } from '@temporalio/client'
import type { readTemporalTarget } from '#worker'
import { CommandFailure, exitCodes } from './command/failure.ts'

/** Bytes. A page of a history can be larger than the four megabytes that gRPC accepts by default. */
const maxResponse = 64 * 1_024 * 1_024

/**
 * Connects a command to Temporal.
 * @throws CommandFailure when Temporal cannot be reached
 */
export async function connectTemporal(
  temporal: ReturnType<typeof readTemporalTarget>['temporal'],
): Promise<Connection> {
  const channelArgs = { 'grpc.max_receive_message_length': maxResponse }
  return Connection.connect({ ...temporal, channelArgs }).catch((error: Error) => {
    const message = `TEMPORAL_ADDRESS: Temporal cannot be reached at ${temporal.address}: ${error.message}`
    throw new CommandFailure('NotReachable', message, { exitCode: exitCodes.notReachable })
  })
}
