import { expect, test } from 'vitest'
import { readTelemetry } from '../../../platform/telemetry/environment.ts'

const collector = 'http://127.0.0.1:4318'
const both = { traces: true, metrics: true }
const neither = { traces: false, metrics: false }

test.each([
  ['nothing', {}, neither],
  ['an endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: collector }, both],
  ['an endpoint of traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector }, { traces: true, metrics: false }],
  ['an endpoint of metrics', { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: collector }, { traces: false, metrics: true }],
  ['an exporter of traces', { OTEL_TRACES_EXPORTER: 'otlp' }, { traces: true, metrics: false }],
  ['an exporter of metrics', { OTEL_METRICS_EXPORTER: 'prometheus' }, { traces: false, metrics: true }],
  [
    'an endpoint without metrics',
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_METRICS_EXPORTER: 'none' },
    { traces: true, metrics: false },
  ],
  ['empty variables', { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_EXPORTER: '' }, neither],
  ['the main switch', { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_SDK_DISABLED: 'true' }, neither],
])('telemetry with %s', (_, source, expected) => {
  expect(readTelemetry('service', source)).toMatchObject(expected)
})

test.each([
  [{}, 'lockerflow-gateway'],
  [{ OTEL_SERVICE_NAME: 'mine' }, undefined],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'a=b,service.name=mine' }, undefined],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'a=b' }, 'lockerflow-gateway'],
])('the name of a process with %j is %s', (source, expected) => {
  expect(readTelemetry('gateway', source).serviceName).toBe(expected)
})

test.each([
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'http://localhost:4318/v1/traces'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://key:secret@127.0.0.1:4318/' }, 'http://127.0.0.1:4318/v1/traces'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/t' }, 'http://127.0.0.1:9/t'],
  [{ OTEL_TRACES_EXPORTER: 'console' }, 'console'],
])('traces with %j go to %s', (source, expected) => {
  expect(readTelemetry('service', source).tracesTo).toBe(expected)
})

test.each([
  [{ OTEL_TRACES_EXPORTER: 'jaeger' }, 'OTEL_TRACES_EXPORTER: must be a list of otlp, console, none.'],
  [{ OTEL_TRACES_EXPORTER: 'otlp,none' }, 'OTEL_TRACES_EXPORTER: must be none alone'],
  [{ OTEL_TRACES_SAMPLER: 'half' }, 'OTEL_TRACES_SAMPLER: must be one of always_on'],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1.'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT: must be an http or https address.'],
  [
    { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=100%' },
    'OTEL_EXPORTER_OTLP_HEADERS: must be a list such as name=value',
  ],
  [{ OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'authorization' }, 'OTEL_EXPORTER_OTLP_METRICS_HEADERS: must be a list'],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'a' }, 'OTEL_RESOURCE_ATTRIBUTES: must be a list such as name=value'],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example', LOCKERFLOW_ENVIRONMENT: 'production' },
    'OTEL_EXPORTER_OTLP_ENDPOINT: must be https in production',
  ],
])('refuses %j', (source, message) => {
  expect(() => readTelemetry('service', source)).toThrow(message)
})
