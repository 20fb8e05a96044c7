import { isGrpcServiceError } from '@temporalio/client'
import { grpcStatuses } from '#contract/terms'

/**
 * Reconnects to Temporal within two seconds, where gRPC's default backoff grows to two minutes. Gives up a connection without any
 * response after 20 seconds, where the SDK waits 45: a machine that is lost closes none. Temporal closes a connection with pings
 * less than ten seconds apart.
 */
export const reconnect = {
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc.keepalive_time_ms': 15_000,
  'grpc.keepalive_timeout_ms': 5_000,
}

/** The measurements that gRPC adds to the text of an expired deadline. Logs are throttled by text, and these always differ. */
const measurements = / after [\d.]+s\b.*$/s

/** Longest text of a server that is logged, in characters. */
const maxLength = 200

/** The reason why signals fail, and the part of Temporal that is missing. */
export interface ProbeFault {
  readonly reason: string
  readonly lacks: 'temporal' | 'namespace' | 'permission'
}

/** The gRPC status of a failed call of Temporal, as a code and as a text. */
export interface GrpcStatus {
  readonly code: number
  /** With the beginning of the server's text, for the log. */
  readonly text: string
}

/**
 * Reads the status of a failed call; undefined for any other error. Methods of the SDK wrap the error of gRPC, and name only
 * what they tried: "Failed to count workflows".
 */
export function findGrpcStatus(error: unknown): GrpcStatus | undefined {
  const found = isGrpcServiceError(error) ? error : error instanceof Error ? error.cause : undefined
  if (!isGrpcServiceError(found)) return undefined
  const { code, details } = found
  const stable = code === grpcStatuses.deadlineExceeded ? details.replace(measurements, '') : details
  return { code, text: `gRPC ${code}: ${stable.slice(0, maxLength)}` }
}
