import { z } from 'zod'
import { plainHttpProblem, port, type Variable } from '#platform/settings'

/** Traces that a process begins per second. More than a developer makes, and less than what would slow a busy process down. */
export const tracesPerSecond = 20

const endpoint = {
  // The variables are OpenTelemetry's, so its SDK decides about a user name and password. The log does not show them.
  schema: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  production: { problem: plainHttpProblem },
} as const

/** A comma-separated list of words. */
function list(words: readonly string[]) {
  const wrong = `must be a list of ${words.join(', ')}`
  return z
    .string()
    .transform(text => text.split(',').map(word => word.trim()))
    .refine(given => given.every(word => words.includes(word)), wrong)
    .refine(given => given.length === 1 || !given.includes('none'), 'must be none alone, or a list without it')
    .optional()
}

function word(...words: readonly [string, ...string[]]) {
  return z.enum(words, `must be one of ${words.join(', ')}`).optional()
}

/** Pairs with values as in URLs. The SDK and the worker would end at their start with an error that names no variable. */
const headers = z
  .string()
  .refine(
    text => text.split(',').every(isHeader),
    'must be a list such as name=value,name=value, in whose values % is written as %25',
  )
  .optional()

function isHeader(pair: string): boolean {
  try {
    decodeURIComponent(pair)
    return pair.trim() === '' || /^\s*[^=\s]+=./.test(pair)
  } catch {
    return false
  }
}

const protocol = word('http/protobuf', 'http/json', 'grpc')

/**
 * OpenTelemetry's variables that start telemetry or select where it goes. Its SDK reads the others by itself
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables).
 */
export const telemetryVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    description: 'Address of an OpenTelemetry collector. Switches traces and metrics on.',
    example: 'http://127.0.0.1:4318',
    ...endpoint,
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    description: 'The same for traces alone, with the path.',
    example: 'http://127.0.0.1:4318/v1/traces',
    ...endpoint,
  },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: {
    description: 'The same for metrics alone, with the path.',
    example: 'http://127.0.0.1:4318/v1/metrics',
    ...endpoint,
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    description: 'Protocol of the collector. Default: http/protobuf.',
    example: 'http/protobuf',
    schema: protocol,
  },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: {
    description: 'The same for traces alone.',
    example: 'http/json',
    schema: protocol,
  },
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: {
    description: 'The same for metrics alone, including those of the Temporal SDK in a worker.',
    example: 'grpc',
    schema: protocol,
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    description: 'Headers for the collector, for example with its key. Their values are percent-encoded.',
    example: 'authorization=Bearer%20the-key-of-the-collector',
    schema: headers,
  },
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: {
    description: 'The same for traces alone.',
    example: 'authorization=Bearer%20the-key-of-the-collector',
    schema: headers,
  },
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: {
    description: 'The same for metrics alone.',
    example: 'authorization=Bearer%20the-key-of-the-collector',
    schema: headers,
  },
  OTEL_TRACES_EXPORTER: {
    description: 'Exporters of traces. Default: otlp with an endpoint, none without.',
    example: 'otlp',
    schema: list(['otlp', 'console', 'none']),
  },
  OTEL_METRICS_EXPORTER: {
    description: 'Exporters of metrics. Default: otlp with an endpoint, none without.',
    example: 'otlp',
    schema: list(['otlp', 'prometheus', 'console', 'none']),
  },
  OTEL_METRIC_EXPORT_INTERVAL: {
    description: 'Milliseconds between two exports of metrics by OTLP. Default: 60000.',
    example: '60000',
    schema: z
      .string()
      .regex(/^[1-9]\d{2,7}$/, 'must be a number of milliseconds from 100 to 99999999')
      .transform(Number)
      .optional(),
  },
  LOCKERFLOW_METRICS_PORT: {
    description:
      'Port of /metrics for Prometheus, short for OTEL_METRICS_EXPORTER=prometheus and OTEL_EXPORTER_PROMETHEUS_PORT. Default with that exporter: 9464.',
    example: '9464',
    schema: port(1).optional(),
  },
  OTEL_EXPORTER_PROMETHEUS_PORT: {
    description: 'The same as LOCKERFLOW_METRICS_PORT, if that is not set.',
    example: '9464',
    schema: port(1).optional(),
  },
  OTEL_EXPORTER_PROMETHEUS_HOST: {
    description:
      'IPv4 address of that port. Metrics need no token, so an address other than loopback belongs in a separate network, and needs LOCKERFLOW_ENVIRONMENT. Default: 127.0.0.1.',
    example: '127.0.0.1',
    schema: z
      .string()
      .transform(host => (host === 'localhost' ? '127.0.0.1' : host))
      .pipe(z.ipv4('must be an IPv4 address or localhost'))
      .optional(),
  },
  OTEL_SERVICE_NAME: {
    description: 'Name of the process in traces and metrics. Default: lockerflow-service, -gateway or -worker.',
    example: 'lockerflow-service',
    schema: z.string().optional(),
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    description: 'Further attributes of the process.',
    example: 'deployment.environment.name=production,service.version=2026-11-20',
    schema: z
      .string()
      .regex(/^\s*[^=,\s]+=[^,]*(,\s*[^=,\s]+=[^,]*)*,?\s*$/, 'must be a list such as name=value,name=value')
      .optional(),
  },
  OTEL_TRACES_SAMPLER: {
    description: `Decides which traces are recorded. Default: parentbased_always_on, with at most ${tracesPerSecond} per second that the process begins.`,
    example: 'parentbased_traceidratio',
    schema: word(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
  },
  OTEL_TRACES_SAMPLER_ARG: {
    description: 'Share of the traces that a ratio sampler records, from 0 to 1.',
    example: '0.1',
    schema: z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
      .optional(),
  },
  OTEL_BSP_EXPORT_TIMEOUT: {
    description:
      'Milliseconds that an export of traces may take. If it is set, a stopping process waits that long for its last export, instead of 2000.',
    example: '5000',
    schema: z
      .string()
      .regex(/^[1-9]\d{2,4}$/, 'must be a number of milliseconds from 100 to 99999')
      .transform(Number)
      .optional(),
  },
  OTEL_PROPAGATORS: {
    description: 'Headers of the trace context. Default: tracecontext,baggage.',
    example: 'tracecontext',
    schema: list(['tracecontext', 'baggage', 'b3', 'b3multi', 'none']),
  },
  OTEL_SDK_DISABLED: {
    description: 'Switches traces and metrics off, whatever the other variables say.',
    example: 'true',
    schema: word('true', 'false'),
  },
} as const satisfies Record<string, Variable>
