import type { TelemetryOptions } from '@temporalio/worker'

/** Where the metrics of Temporal's SDK go: the settings of telemetry. */
export interface MetricsTarget {
  readonly prometheus?: { readonly host: string; readonly port: number } | undefined
  readonly metricsCollector?:
    | {
        readonly url: string
        readonly protocol: 'http' | 'grpc'
        readonly headers: Readonly<Record<string, string>>
        /** Milliseconds. */
        readonly interval: number
      }
    | undefined
}

/** Names and units as in service and gateway: counters end with `_total`, durations are in seconds. */
const naming = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true } as const

/** The SDK has one exporter, so Prometheus wins over a collector. */
export function toMetricsOptions({ prometheus, metricsCollector }: MetricsTarget): Pick<TelemetryOptions, 'metrics'> {
  if (prometheus !== undefined) {
    return { metrics: { prometheus: { bindAddress: `${prometheus.host}:${prometheus.port}`, ...naming } } }
  }
  if (metricsCollector === undefined) return {}
  const { url, protocol, headers, interval } = metricsCollector
  const { useSecondsForDurations } = naming
  return {
    metrics: {
      otel: {
        url,
        http: protocol === 'http',
        headers: { ...headers },
        metricsExportInterval: interval,
        useSecondsForDurations,
      },
    },
  }
}
