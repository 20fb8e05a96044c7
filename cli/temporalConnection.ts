import { Connection } from '@temporalio/client'
import { type readTemporalTarget, unreachable } from '#worker'

/** Bytes. A page of a history can be larger than the four megabytes that gRPC accepts by default. */
const maxResponse = 64 * 1_024 * 1_024

/**
 * Connects a command to Temporal.
 * @throws TemporalUnreachable
 */
export async function connectTemporal(
  temporal: ReturnType<typeof readTemporalTarget>['temporal'],
): Promise<Connection> {
  const channelArgs = { 'grpc.max_receive_message_length': maxResponse }
  return Connection.connect({ ...temporal, channelArgs }).catch(error => {
    throw unreachable(temporal.address, error)
  })
}
