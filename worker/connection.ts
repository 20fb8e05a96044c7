import { DefaultLogger, NativeConnection, type NativeConnectionOptions, Runtime } from '@temporalio/worker'

/**
 * Connects to Temporal.
 * @throws Error that names the address and its variable
 */
export function connect(temporal: NativeConnectionOptions): Promise<NativeConnection> {
  return NativeConnection.connect(temporal).catch((error: unknown) => {
    throw unreachable(temporal.address, error)
  })
}

/** The error of a Temporal that cannot be reached. */
export function unreachable(address: string | undefined, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Error(`TEMPORAL_ADDRESS: Temporal cannot be reached at ${address}: ${reason}`, { cause })
}

/**
 * Installs Temporal's runtime with its log level, and sets Node's buffer pool. Call it once per process, before any
 * connection.
 * @param metricsPort serves Prometheus at /metrics; without it there are no metrics
 */
export function installRuntime(level: 'WARN' | 'ERROR' = 'WARN', metricsPort?: number): void {
  // Node slices small buffers from shared pools of 64 KiB. The SDK keeps a small buffer per waiting flow, which would
  // retain the whole pool.
  Buffer.poolSize = 0
  Runtime.install({
    logger: new DefaultLogger(level),
    telemetryOptions: {
      logging: { filter: { core: level, other: level }, forward: {} },
      ...(metricsPort !== undefined && { metrics: { prometheus: { bindAddress: `0.0.0.0:${metricsPort}` } } }),
    },
  })
}
