import { DefaultLogger, Runtime } from '@temporalio/worker'

/**
 * Installs Temporal's runtime, with log lines as quiet as the rest, and settles how the process keeps its buffers; once
 * per process, before anything connects.
 * @param metricsPort where Prometheus is answered at /metrics; nowhere when left out
 */
export function installRuntime(level: 'WARN' | 'ERROR' = 'WARN', metricsPort?: number): void {
  // Node cuts small buffers out of shared pieces of 64 KiB. The SDK keeps a small one for each flow that waits, and so
  // would keep the whole piece.
  Buffer.poolSize = 0
  Runtime.install({
    logger: new DefaultLogger(level),
    telemetryOptions: {
      logging: { filter: { core: level, other: level }, forward: {} },
      ...(metricsPort !== undefined && { metrics: { prometheus: { bindAddress: `0.0.0.0:${metricsPort}` } } }),
    },
  })
}
