import { readListeningHost, readTogether, readVariables, type Source } from '#platform/settings'
import { telemetryVariables, tracesPerSecond } from './variables.ts'

/** The telemetry that the variables switch on. */
export interface TelemetrySettings {
  readonly traces: boolean
  readonly metrics: boolean
  readonly sampling: Sampling
  /** The exporters of metrics. */
  readonly metricsExporters: readonly string[]
  /** The port of /metrics and its IPv4 address, if Prometheus is an exporter. */
  readonly prometheus: { readonly host: string; readonly port: number } | undefined
  /** The collector of metrics, if OTLP is an exporter. */
  readonly metricsCollector: MetricsCollector | undefined
  /** Undefined if a variable names the process. */
  readonly serviceName: string | undefined
  /** Milliseconds that a stop waits for the last export. */
  readonly stopTimeout: number
  /** The address to which traces go, or the exporter without an address; for people. */
  readonly tracesTo: string
}

/** The traces that are recorded. */
export interface Sampling {
  /** The word of OTEL_TRACES_SAMPLER. */
  readonly sampler: string
  /** The share that a ratio records, from 0 to 1. */
  readonly ratio: number
  /** Maximum number of traces that the process begins in a second. Undefined without a limit. */
  readonly perSecond: number | undefined
}

/** A collector that receives metrics by OTLP. */
export interface MetricsCollector {
  readonly url: string
  readonly protocol: 'http' | 'grpc'
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds between two exports. */
  readonly interval: number
}

/** The default of OpenTelemetry. */
const defaultEndpoint = 'http://localhost:4318'
const defaultMetricsPort = 9_464
const defaultExportInterval = 60_000
/** The parts of the process have stopped before, and the process has ten seconds. */
const defaultStopTimeout = 2_000

/**
 * Reads OpenTelemetry's variables. Without an exporter or an endpoint, telemetry is off.
 * @param name of the process, for instance `service`
 * @throws SettingsError with every problem
 */
export function readTelemetry(name: string, source: Source = process.env): TelemetrySettings {
  const { values, host } = readTogether({
    values: () => readVariables(source, telemetryVariables),
    host: () => readMetricsHost(source),
  })
  const isOn = values.OTEL_SDK_DISABLED !== 'true'
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint } = values
  const traces = exportersOf(values.OTEL_TRACES_EXPORTER, tracesEndpoint ?? endpoint)
  const metricsEndpoint = values.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT
  const given = exportersOf(values.OTEL_METRICS_EXPORTER, metricsEndpoint ?? endpoint)
  const metrics = values.LOCKERFLOW_METRICS_PORT === undefined ? given : [...new Set([...given, 'prometheus'])]
  const metricsProtocol = values.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? values.OTEL_EXPORTER_OTLP_PROTOCOL
  const protocol = metricsProtocol === 'grpc' ? 'grpc' : 'http'
  const otlp = withoutCredentials(tracesEndpoint ?? `${(endpoint ?? defaultEndpoint).replace(/\/+$/, '')}/v1/traces`)
  const isNamed = values.OTEL_SERVICE_NAME !== undefined || /service\.name=/.test(values.OTEL_RESOURCE_ATTRIBUTES ?? '')
  return {
    traces: isOn && traces.length > 0,
    metrics: isOn && metrics.length > 0,
    sampling: {
      sampler: values.OTEL_TRACES_SAMPLER ?? 'parentbased_always_on',
      ratio: Number(values.OTEL_TRACES_SAMPLER_ARG ?? 1),
      perSecond: values.OTEL_TRACES_SAMPLER === undefined ? tracesPerSecond : undefined,
    },
    metricsExporters: metrics,
    prometheus:
      isOn && metrics.includes('prometheus')
        ? {
            host,
            port: values.LOCKERFLOW_METRICS_PORT ?? values.OTEL_EXPORTER_PROMETHEUS_PORT ?? defaultMetricsPort,
          }
        : undefined,
    metricsCollector:
      isOn && metrics.includes('otlp')
        ? {
            url: metricsEndpoint ?? withPath(endpoint ?? defaultEndpoint, protocol === 'http' ? '/v1/metrics' : ''),
            protocol,
            headers: readHeaders(values.OTEL_EXPORTER_OTLP_METRICS_HEADERS ?? values.OTEL_EXPORTER_OTLP_HEADERS),
            interval: values.OTEL_METRIC_EXPORT_INTERVAL ?? defaultExportInterval,
          }
        : undefined,
    serviceName: isNamed ? undefined : `lockerflow-${name}`,
    stopTimeout: values.OTEL_BSP_EXPORT_TIMEOUT ?? defaultStopTimeout,
    tracesTo: traces.map(exporter => (exporter === 'otlp' ? otlp : exporter)).join(', '),
  }
}

/** Passes the variables of an environment on to OpenTelemetry's SDK, which reads those of the process. */
export function exportVariables(source: Source = process.env): void {
  for (const [name, value] of Object.entries(source)) if (name.startsWith('OTEL_')) process.env[name] = value
}

/**
 * Passes the exporters of metrics on to OpenTelemetry's SDK, which reads its variables by itself.
 * @param target the environment of the process
 */
export function exportSettings(
  { metricsExporters, prometheus }: Pick<TelemetrySettings, 'metricsExporters' | 'prometheus'>,
  target: Record<string, string | undefined> = process.env,
): void {
  target.OTEL_METRICS_EXPORTER = metricsExporters.join(',')
  if (prometheus === undefined) return
  target.OTEL_EXPORTER_PROMETHEUS_HOST = prometheus.host
  target.OTEL_EXPORTER_PROMETHEUS_PORT = String(prometheus.port)
}

/** The address of /metrics: loopback, unless the environment is named. */
function readMetricsHost(source: Source): string {
  const host = readListeningHost(source, '127.0.0.1', 'OTEL_EXPORTER_PROMETHEUS_HOST')
  return host === 'localhost' ? '127.0.0.1' : host
}

/** The headers of a collector: `name=value,name=value`, with values as in URLs. */
function readHeaders(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').map(pair => pair.split('='))
  return Object.fromEntries(
    pairs.flatMap(([name = '', ...value]) =>
      name.trim() === '' ? [] : [[name.trim(), decodeURIComponent(value.join('=').trim())]],
    ),
  )
}

function withPath(address: string, path: string): string {
  return `${address.replace(/\/+$/, '')}${path}`
}

function exportersOf(exporters: readonly string[] | undefined, endpoint: string | undefined): readonly string[] {
  const given = exporters ?? (endpoint === undefined ? [] : ['otlp'])
  return given.filter(exporter => exporter !== 'none')
}

function withoutCredentials(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname
}
