import { IllegalStateError } from '@temporalio/common'
import { NativeConnection, type NativeConnectionOptions, Runtime } from '@temporalio/worker'
import type { Logger } from 'pino'
import { createLogger, jsonLogger } from './logger.ts'
import { type MetricsTarget, toMetricsOptions } from './metrics.ts'
import { unreachable } from './temporalErrors.ts'

/** Limit of one attempt to connect, in milliseconds: a server that hangs accepts the connection. */
const connectTimeout = 4_500

/**
 * Connects to Temporal, within five seconds.
 * @throws TemporalUnreachable
 */
export async function connect(temporal: NativeConnectionOptions): Promise<NativeConnection> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${connectTimeout} ms`)), connectTimeout)
  const connecting = NativeConnection.connect(temporal)
  try {
    return await Promise.race([connecting, timedOut])
  } catch (error) {
    connecting.then(
      late => late.close(),
      () => undefined,
    )
    throw unreachable(temporal.address, error)
  } finally {
    clearTimeout(timer)
  }
}

export interface RuntimeOptions {
  /** Gets the lines of the SDK. Commands have none, and print them as text. */
  readonly log?: Logger | undefined
  /** Where the metrics of the SDK go. Without it there are none. */
  readonly metrics?: MetricsTarget
}

/**
 * Installs Temporal's runtime with its log level, and sets Node's buffer pool. Call it once per process, before any
 * connection.
 * @throws Error if the port of the metrics is in use
 */
export function installRuntime(level: 'WARN' | 'ERROR' = 'WARN', { log, metrics = {} }: RuntimeOptions = {}): void {
  // Node slices small buffers from shared pools of 64 KiB. The SDK keeps a small buffer per waiting flow, which would
  // retain the whole pool.
  Buffer.poolSize = 0
  try {
    Runtime.install({
      logger: createLogger(level, log && jsonLogger(level, log)),
      telemetryOptions: {
        logging: { filter: { core: level, other: level }, forward: {} },
        ...toMetricsOptions(metrics),
      },
    })
  } catch (error) {
    throw nameMetricsPort(error, metrics)
  }
}

/** The SDK names neither the address nor its setting. */
function nameMetricsPort(error: unknown, { prometheus }: MetricsTarget): unknown {
  const [, reason] =
    error instanceof Error ? (/^Failed to start prometheus metrics exporter: (.*)$/.exec(error.message) ?? []) : []
  if (reason === undefined || prometheus === undefined) return error
  const setting = 'LOCKERFLOW_METRICS_PORT'
  const { host, port } = prometheus
  const message = `${setting}: port ${port} on ${host} cannot serve metrics: ${reason}. Set ${setting} to another port.`
  return new Error(message, { cause: error })
}

/** Installs the runtime unless the process has one already, such as a process with several stacks. */
export function ensureRuntime(level?: 'WARN' | 'ERROR'): void {
  try {
    installRuntime(level)
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error
  }
}
