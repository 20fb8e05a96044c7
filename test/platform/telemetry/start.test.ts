import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { startTelemetry, tracing } from '#platform/telemetry'
import { eventually } from '../../support/eventually.ts'
import { measureSlowness } from '../../support/slowness.ts'
import { startCollector } from '../../support/telemetry/collector.ts'
import { startMain } from '../../support/telemetry/processes.ts'
import { otelVariables } from '../../support/telemetry/useTelemetry.ts'

const serviceSettings = { LOCKERFLOW_SERVICE_PORT: '0', LOCKERFLOW_DATABASE_URL: 'file::memory:' }
/** Prints the packages of OpenTelemetry that a process has loaded when it ends. */
const loaded = fileURLToPath(new URL('../../support/telemetry/loaded.ts', import.meta.url))
const isPackage = (line: string) => line.startsWith('loaded @opentelemetry/')

test('a process loads OpenTelemetry if a variable switches it on, and not otherwise', async () => {
  const collector = await startCollector()
  onTestFinished(() => collector.stop())
  const settings = { ...serviceSettings, NODE_OPTIONS: `--import=${loaded}` }
  const [without, disabled, on] = await Promise.all(
    [{}, { ...otelVariables(collector), OTEL_SDK_DISABLED: 'true' }, otelVariables(collector)].map(variables =>
      startMain('service', { ...settings, ...variables }),
    ),
  )
  await Promise.all([without, disabled, on].map(process => process?.stop()))
  expect(without?.log.filter(isPackage)).toEqual([])
  expect(disabled?.log.filter(isPackage)).toEqual([])
  expect(on?.log.filter(isPackage)).toContain('loaded @opentelemetry/sdk-node')
})

test('a process that stops exports the spans that are left', async () => {
  const collector = await startCollector()
  onTestFinished(() => collector.stop())
  const service = await startMain('service', {
    ...serviceSettings,
    ...otelVariables(collector),
    // Longer than the test: only the stop exports.
    OTEL_BSP_SCHEDULE_DELAY: '3600000',
    // On a loaded machine the export can take longer than the two seconds of a stop.
    OTEL_BSP_EXPORT_TIMEOUT: '40000',
  })
  // Without a connection that stays open, for which the stop would wait.
  const headers = { connection: 'close' }
  await fetch(`${service.found}/v1/Logistics/GetShipments`, { method: 'POST', headers })
  expect(collector.spans).toEqual([])
  await service.stop()
  expect(collector.spans).toMatchObject([{ name: 'GetShipments', service: 'lockerflow-service' }])
})

test('a collector receives the metrics of each process', { timeout: 300_000 }, async () => {
  const collector = await startCollector()
  const { address, namespace } = inject('temporal')
  const temporal = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }
  const otlp = {
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.address}/v1/metrics`,
    OTEL_METRIC_EXPORT_INTERVAL: '200',
  }
  const service = await startMain('service', { ...serviceSettings, ...otlp })
  const driving = { ...temporal, ...otlp, LOCKERFLOW_BASE_URL: service.found, LOCKERFLOW_AUTH_URL: service.found }
  const gateway = await startMain('gateway', { ...driving, LOCKERFLOW_GATEWAY_PORT: '0' })
  const worker = await startMain('worker', { ...driving, LOCKERFLOW_WORKER_PORT: '0' })
  onTestFinished(async () => {
    await Promise.all([worker, gateway, service].map(process => process.stop()))
    await collector.stop()
  })
  // Names and the process are readable in the binary form too.
  const has = (...texts: string[]) => collector.metrics.some(body => texts.every(text => body.includes(text)))
  await eventually(() => has('lockerflow-service', 'lockerflow_request_duration_seconds'))
  await eventually(() => has('lockerflow-gateway', 'lockerflow_flows_overdue'))
  await eventually(() => has('temporal_worker_task_slots_available'))
})

test('a port of metrics that is in use is reported with its setting', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const service = await startMain('service', { ...serviceSettings, LOCKERFLOW_METRICS_PORT: String(port) })
  onTestFinished(() => service.stop())
  const line = await eventually(() => service.log.find(each => each.includes('telemetry-not-exported')))
  expect(JSON.parse(line)).toMatchObject({
    reason: expect.stringContaining(`LOCKERFLOW_METRICS_PORT: port ${port} on 127.0.0.1 is in use.`),
  })
})

test('a collector that refuses is reported, and a stop does not wait for one that hangs', async () => {
  const server = createServer((_request, response) => {
    if (hangs) return
    response.writeHead(400).end()
  }).listen(0, '127.0.0.1')
  let hangs = false
  onTestFinished(() => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const variables = otelVariables({ address: `http://127.0.0.1:${port}` })
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  const reasons: string[] = []
  const telemetry = await startTelemetry('test', reason => reasons.push(reason))
  tracing?.startSpan({ name: 'refused' }).end()
  expect(await eventually(() => reasons[0])).toMatch(/400|Bad Request/)
  hangs = true
  tracing?.startSpan({ name: 'lost' }).end()
  const slowness = measureSlowness()
  const start = performance.now()
  await telemetry.stop()
  // The limit is two seconds; the export would wait for ten.
  expect((performance.now() - start) / slowness()).toBeLessThan(9_000)
  expect(tracing).toBeUndefined()
})
