import { readVariables, type Source } from '#contract/settings'
import { telemetryVariables } from './variables.ts'

/** The telemetry that the variables switch on. */
export interface TelemetrySettings {
  readonly traces: boolean
  readonly metrics: boolean
  /** Undefined if a variable names the process. */
  readonly serviceName: string | undefined
  /** The address to which traces go, or the exporter without an address; for people. */
  readonly tracesTo: string
}

/** The default of OpenTelemetry. */
const defaultEndpoint = 'http://localhost:4318'

/**
 * Reads OpenTelemetry's variables. Without an exporter or an endpoint, telemetry is off (D-240).
 * @param name of the process, for instance `service`
 * @throws SettingsError with every problem
 */
export function readTelemetry(name: string, source: Source = process.env): TelemetrySettings {
  const values = readVariables(source, telemetryVariables)
  const isOn = values.OTEL_SDK_DISABLED !== 'true'
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint } = values
  const traces = exportersOf(values.OTEL_TRACES_EXPORTER, tracesEndpoint ?? endpoint)
  const metrics = exportersOf(values.OTEL_METRICS_EXPORTER, values.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? endpoint)
  const otlp = withoutCredentials(tracesEndpoint ?? `${(endpoint ?? defaultEndpoint).replace(/\/+$/, '')}/v1/traces`)
  const isNamed = values.OTEL_SERVICE_NAME !== undefined || /service\.name=/.test(values.OTEL_RESOURCE_ATTRIBUTES ?? '')
  return {
    traces: isOn && traces.length > 0,
    metrics: isOn && metrics.length > 0,
    serviceName: isNamed ? undefined : `lockerflow-${name}`,
    tracesTo: traces.map(exporter => (exporter === 'otlp' ? otlp : exporter)).join(', '),
  }
}

function exportersOf(exporters: readonly string[] | undefined, endpoint: string | undefined): readonly string[] {
  const given = exporters ?? (endpoint === undefined ? [] : ['otlp'])
  return given.filter(exporter => exporter !== 'none')
}

function withoutCredentials(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname
}
