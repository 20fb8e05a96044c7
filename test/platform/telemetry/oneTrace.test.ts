import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { createFlowClient, type FlowClient } from '#client'
import { type Api, createApi } from '#contract/client'
import { startTelemetry, type Telemetry, traceApiCall, tracing } from '#platform/telemetry'
import { clientInterceptors } from '#platform/telemetry/temporal'
import { prebuildFlows } from '#worker'
import { pass, startWire, type Wire } from '../../../testing/stack/wire.ts'
import { eventually } from '../../support/eventually.ts'
import { type Collector, type ExportedSpan, startCollector } from '../../support/telemetry/collector.ts'
import { type Process, startMain } from '../../support/telemetry/processes.ts'
import { otelVariables } from '../../support/telemetry/useTelemetry.ts'
import { parcel } from '../../support/world/apiWorld.ts'

const person = { emailAddress: 'ada@example.org', firstName: 'Augusta', lastName: 'Lovelace', pickUpPointUid: 'pup-1' }
const taskQueue = `test-${randomUUID()}`

let collector: Collector
let service: Process
let gateway: Process
let worker: Process
let toService: Wire
let telemetry: Telemetry
let connection: Connection
let flows: FlowClient
let api: Api
let userUid: string
let workerSettings: Record<string, string>
let folder: string

beforeAll(async () => {
  const { address, namespace } = inject('temporal')
  collector = await startCollector()
  const otel = otelVariables(collector)
  service = await startMain('service', {
    ...otel,
    LOCKERFLOW_SERVICE_PORT: '0',
    LOCKERFLOW_DATABASE_URL: 'file::memory:',
  })
  toService = await startWire(() => service.found)
  const driving = {
    ...otel,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    LOCKERFLOW_AUTH_URL: service.found,
  }
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  const bundle = join(folder, 'workflows.js')
  await prebuildFlows(bundle)
  workerSettings = {
    ...driving,
    LOCKERFLOW_WORKFLOW_BUNDLE: bundle,
    // Without a cache, Temporal gives the tasks of a worker that has left to the next one at once.
    LOCKERFLOW_MAX_CACHED_WORKFLOWS: '0',
    LOCKERFLOW_BASE_URL: toService.address,
    LOCKERFLOW_TASK_QUEUE: taskQueue,
  }
  gateway = await startMain('gateway', {
    ...driving,
    LOCKERFLOW_BASE_URL: service.found,
    LOCKERFLOW_GATEWAY_PORT: '0',
    LOCKERFLOW_CALLBACK_KEY: randomBytes(24).toString('base64url'),
  })
  worker = await startMain('worker', workerSettings)

  for (const [name, value] of Object.entries(otel)) vi.stubEnv(name, value)
  telemetry = await startTelemetry('starter', reason => console.error(reason))
  connection = await Connection.connect({ address })
  const client = new Client({ connection, namespace, interceptors: { workflow: clientInterceptors() } })
  flows = createFlowClient(client, { taskQueue })
  const credentials = { clientId: 'acme', clientSecret: 'acme-secret' }
  api = createApi({ baseUrl: service.found, authUrl: service.found, ...credentials, trace: traceApiCall })
  userUid = (await api.call('CreateOrGetAccount', person)).userUid ?? ''
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await Promise.all([connection?.close(), api?.close(), telemetry?.stop()])
  await Promise.all([worker?.stop(), gateway?.stop(), service?.stop()])
  await toService?.stop()
  await collector?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Waits for a span whose path from its root, or from a span without an exported parent, has these names. */
function pathTo(traceId: () => string | undefined, ...names: string[]): Promise<readonly ExportedSpan[]> {
  return eventually(() => {
    for (const span of collector.spans.filter(({ name }) => name === names.at(-1))) {
      const path = ancestry(span)
      if (path.map(({ name }) => name).join() === names.join() && (traceId() ?? span.traceId) === span.traceId)
        return path
    }
    return undefined
  }).catch(() => {
    const paths = collector.spans.map(span => ancestry(span).map(({ name, service }) => `${service} ${name}`))
    throw new Error(`no path ${names.join(' > ')} in:\n${paths.map(path => path.join(' > ')).join('\n')}`)
  })
}

function ancestry(span: ExportedSpan): readonly ExportedSpan[] {
  const parent = collector.spans.find(({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId)
  return parent === undefined ? [span] : [...ancestry(parent), span]
}

async function issue(caseNo: string) {
  const booking = await flows.startAndWaitForBooking('issue', { caseNo, request: { ...parcel, ToUserUid: userUid } })
  if (booking.kind !== 'Booked') throw new Error(JSON.stringify(booking))
  return booking.shipments[0]
}

const start = ['UpdateWithStartWorkflow:issue', 'RunWorkflow:issue']
const create = 'CreateLocalShipmentAsIssue'
const delivery = [
  'deliver callback',
  'receive callback',
  'SignalWorkflow:shipmentStatus',
  'HandleSignal:shipmentStatus',
]

test('a booking is one trace from its starter to the signal of its callback', async () => {
  await issue(`T-${randomUUID()}`)
  const path = await pathTo(
    () => undefined,
    ...[...start, 'RunActivity:planAndBook', create, create, 'transaction', ...delivery],
  )
  expect(new Set(path.map(({ traceId }) => traceId)).size).toBe(1)
  expect(path.map(({ service }) => service.replace('lockerflow-', ''))).toEqual([
    ...['starter', 'worker', 'worker', 'worker', 'service', 'service'],
    ...['service', 'gateway', 'gateway', 'worker'],
  ])
  expect(path[4]?.attributes).toMatchObject({
    'lockerflow.operation': create,
    'lockerflow.tenant_id': expect.any(String),
    'http.response.status_code': expect.anything(),
  })
  expect(path.filter(({ failed }) => failed)).toEqual([])
  await pathTo(() => path[0]?.traceId, 'UpdateWithStartWorkflow:issue', 'HandleUpdate:waitForBooking')
})

test('a create whose response is lost is repeated in the same trace', async () => {
  const caseNo = `T-${randomUUID()}`
  let isLost = false
  toService.rule = ({ path, body }) => {
    if (isLost || !path.includes('/CreateLocal') || !body.includes(caseNo)) return pass
    isLost = true
    return { kind: 'loseAnswer' }
  }
  await issue(caseNo)
  expect(isLost).toBe(true)
  const lost = await eventually(() => collector.spans.find(({ name, failed }) => name === create && failed))
  const trace = () => lost.traceId
  await pathTo(trace, ...start, 'RunActivity:planAndBook', create, create, 'transaction', ...delivery)
  // The service responds to the second request from its stored response.
  await pathTo(trace, ...start, 'RunActivity:bookShipments', create, create)
})

test('a callback that is signalled while the worker is away reaches the flow in the trace of its change', async () => {
  const shipment = await issue(`T-${randomUUID()}`)
  const { deliveryCode } = await api.call(
    'GetShipmentAccessCode',
    { shipmentUid: shipment?.shipmentUid ?? '' },
    { withCodes: true },
  )
  await worker.stop()
  const access = { pupUid: 'pup-1', lockerName: shipment?.lockerName ?? '', pinCode: deliveryCode ?? '' }
  await tracing?.inSpan({ name: 'opening', parent: 'none' }, () => api.call('SimulateLockerAccess', access))
  const opened = ['opening', 'SimulateLockerAccess', 'SimulateLockerAccess', 'transaction']
  await pathTo(() => undefined, ...opened, ...delivery.slice(0, -1))
  worker = await startMain('worker', workerSettings)
  await pathTo(() => undefined, ...opened, ...delivery)
})
