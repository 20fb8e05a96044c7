import { describe, expect, test } from 'vitest'
import { readTelemetry } from '#platform/telemetry'
import { exportSettings } from '../../../platform/telemetry/environment.ts'

describe('the address of metrics', () => {
  test.each([
    [{}, undefined],
    [{ LOCKERFLOW_METRICS_PORT: '9000' }, { host: '127.0.0.1', port: 9_000 }],
    [
      { LOCKERFLOW_METRICS_PORT: '9000', OTEL_EXPORTER_PROMETHEUS_HOST: '0.0.0.0', LOCKERFLOW_ENVIRONMENT: 'staging' },
      { host: '0.0.0.0', port: 9_000 },
    ],
    [{ OTEL_METRICS_EXPORTER: 'prometheus' }, { host: '127.0.0.1', port: 9_464 }],
    [
      {
        OTEL_METRICS_EXPORTER: 'prometheus',
        OTEL_EXPORTER_PROMETHEUS_PORT: '9001',
        OTEL_EXPORTER_PROMETHEUS_HOST: 'localhost',
      },
      { host: '127.0.0.1', port: 9_001 },
    ],
    [{ LOCKERFLOW_METRICS_PORT: '9000', OTEL_SDK_DISABLED: 'true' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }, undefined],
  ])('with %j is %j', (source, expected) => {
    expect(readTelemetry('service', source).prometheus).toEqual(expected)
  })

  test.each([
    ['LOCKERFLOW_METRICS_PORT', '0', 'must be a port from 1 to 65535'],
    ['LOCKERFLOW_METRICS_PORT', '65536', 'must be a port from 1 to 65535'],
    ['LOCKERFLOW_METRICS_PORT', 'http', 'must be a port from 1 to 65535'],
    ['OTEL_EXPORTER_PROMETHEUS_HOST', 'metrics.example', 'must be an IPv4 address'],
    ['OTEL_METRIC_EXPORT_INTERVAL', 'often', 'must be a number of milliseconds'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http', 'must be one of http/protobuf'],
  ])('refuses %s=%s', (name, text, wrong) => {
    expect(() => readTelemetry('service', { [name]: text })).toThrow(`${name}: ${wrong}`)
  })
})

test('without an environment, metrics have no address but loopback', () => {
  const name = 'OTEL_EXPORTER_PROMETHEUS_HOST'
  const wrong = `LOCKERFLOW_ENVIRONMENT: must be staging or production, since ${name} is not a loopback address`
  expect(() => readTelemetry('service', { LOCKERFLOW_METRICS_PORT: '9000', [name]: '0.0.0.0' })).toThrow(wrong)
})

test('the address of the process is not that of its metrics', () => {
  const given = { LOCKERFLOW_ENVIRONMENT: 'staging', LOCKERFLOW_HOST: '0.0.0.0', LOCKERFLOW_METRICS_PORT: '9000' }
  expect(readTelemetry('service', given).prometheus?.host).toBe('127.0.0.1')
})

describe('the collector of metrics', () => {
  const endpoint = 'http://127.0.0.1:4318'
  test.each([
    [{ OTEL_METRICS_EXPORTER: 'prometheus', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, undefined],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a=b%20c, d=e=f' },
      { url: `${endpoint}/v1/metrics`, protocol: 'http', headers: { a: 'b c', d: 'e=f' }, interval: 60_000 },
    ],
    [
      {
        OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${endpoint}/mine`,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_METRIC_EXPORT_INTERVAL: '500',
      },
      { url: `${endpoint}/mine`, protocol: 'grpc', headers: {}, interval: 500 },
    ],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      },
      { url: endpoint, protocol: 'grpc', headers: {}, interval: 60_000 },
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' },
      { url: `${endpoint}/v1/metrics`, protocol: 'http', headers: {}, interval: 60_000 },
    ],
  ])('with %j is %j', (source, expected) => {
    expect(readTelemetry('worker', source).metricsCollector).toEqual(expected)
  })
})

test('the SDK gets both exporters when the port is set beside an endpoint', () => {
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', LOCKERFLOW_METRICS_PORT: '9000' }
  const target: Record<string, string | undefined> = {}
  exportSettings(readTelemetry('service', given), target)
  expect(target).toEqual({
    OTEL_METRICS_EXPORTER: 'otlp,prometheus',
    OTEL_EXPORTER_PROMETHEUS_HOST: '127.0.0.1',
    OTEL_EXPORTER_PROMETHEUS_PORT: '9000',
  })
})
