import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { commonHeaders } from '#contract'
import { createLog } from '#platform/logs'
import { type RunningWorker, startWorker } from '#worker'
import { findMissingAttributes } from '../../worker/attributes.ts'
import { connect } from '../../worker/connection.ts'
import { type Health, reportReadiness, serveHealth } from '../../worker/health.ts'
import { ensureNamespace } from '../../worker/namespace.ts'
import { readSettings } from '../../worker/settings.ts'
import { eventually } from '../support/eventually.ts'
import { type Relay, startRelay } from '../support/servers/relay.ts'
import { measureSlowness } from '../support/slowness.ts'
import { installTestRuntime } from '../support/world/runtime.ts'
import { apiSettings, workerSettings } from '../support/world/settings.ts'

let relay: Relay
let worker: RunningWorker
let health: Health

describe('a worker', () => {
  beforeAll(async () => {
    installTestRuntime()
    const { address, namespace } = inject('temporal')
    const closedPort = 'http://127.0.0.1:9'
    relay = await startRelay(address)
    const temporal = { address: relay.address, namespace }
    worker = await startWorker(await workerSettings(temporal, 'health', apiSettings(closedPort)))
    health = await serveHealth(worker, 0)
  })

  afterAll(async () => {
    health.close()
    await worker.stop()
    await relay.cut()
  })

  test.each([
    ['GET', '/health/live', 200],
    ['GET', '/health/ready', 200],
    ['GET', '/', 404],
    ['POST', '/health/ready', 405],
  ])('that runs answers %s %s with %i', async (method, path, status) => {
    // A busy machine can leave Temporal too little time for its answer.
    const inTime = await eventually(async () => {
      const answered = await statusOf(path, method)
      return answered === 503 ? undefined : answered
    })
    expect(inTime).toBe(status)
  })

  test('is alive but not ready while Temporal is unavailable, and ready again afterwards', async () => {
    const reasons: unknown[] = []
    const log = createLog('info', { write: line => void reasons.push(JSON.parse(line).reason) })
    onTestFinished(reportReadiness(worker, log, 10))
    await relay.cut()
    const slowness = measureSlowness()
    const asked = performance.now()
    expect(await statusOf('/health/ready')).toBe(503)
    // Two seconds, and one for a slow machine. The process of a worker keeps them by its own clock, see startup.test.ts.
    expect((performance.now() - asked) / slowness()).toBeLessThan(3_000)
    expect(await missingOf(health)).toEqual([{ name: 'temporal', reason: 'Temporal does not answer' }])
    expect(await statusOf('/health/live')).toBe(200)
    await eventually(() => reasons.length > 0)
    await relay.mend()
    await eventually(async () => (await statusOf('/health/ready')) === 200)
    // Once per change: a hundred checks a second see the same reason.
    expect(reasons[0]).toBe('Temporal does not answer')
    expect(reasons.length).toBeLessThan(5)
  })

  // The last of this worker.
  test('that is stopping is not ready', async () => {
    const stopped = worker.stop()
    expect(await missingOf(health)).toEqual([{ name: 'running', reason: 'the worker is stopping' }])
    await stopped
  })
})

describe('the health check of a worker names', () => {
  /** The missing parts that it lists for a namespace of the Temporal of the tests. */
  async function missingIn(toNamespace: (connection: Awaited<ReturnType<typeof connect>>) => Promise<string>) {
    const connection = await connect({ address: inject('temporal').address })
    onTestFinished(() => connection.close())
    const namespace = await toNamespace(connection)
    const own = await serveHealth(
      { notReadyReason: () => findMissingAttributes(connection, namespace) },
      0,
      '127.0.0.1',
    )
    onTestFinished(() => own.close())
    return missingOf(own)
  }

  test('a namespace that Temporal does not have', async () => {
    expect(await missingIn(async () => 'nowhere')).toEqual([
      { name: 'namespace', reason: 'TEMPORAL_NAMESPACE: Temporal does not have the namespace nowhere' },
    ])
  })

  test('search attributes that a namespace lacks', async () => {
    const missing = await missingIn(async connection => {
      const namespace = `unprepared-${randomUUID()}`
      await ensureNamespace(connection, namespace, { retention: 86_400_000 })
      return namespace
    })
    expect(missing).toEqual([{ name: 'searchAttributes', reason: expect.stringContaining('LockerflowCase') }])
  })

  test('nothing in a prepared namespace', async () => {
    expect(await missingIn(async () => inject('temporal').namespace)).toEqual([])
  })
})

test('a worker listens on loopback only, unless its environment is named', async () => {
  expect(readSettings({ LOCKERFLOW_WORKER_PORT: '0' }).host).toBe('127.0.0.1')
  expect(readSettings({ LOCKERFLOW_WORKER_PORT: '0', LOCKERFLOW_ENVIRONMENT: 'staging' }).host).toBeUndefined()
  const own = await serveHealth({ notReadyReason: async () => undefined }, 0, '127.0.0.1')
  const { headers } = await fetch(`http://127.0.0.1:${own.port}/health/live`)
  expect(Object.fromEntries(headers)).toMatchObject(commonHeaders)
  expect(headers.has('server')).toBe(false)
  await expect(fetch(`http://127.0.0.2:${own.port}/health/live`)).rejects.toThrow()
  own.close()
})

/** The parts that a worker lacks, by its health check. */
async function missingOf({ port }: Health) {
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`)
  const { ready, missing } = (await response.json()) as { ready: boolean; missing: { name: string; reason: string }[] }
  const isReady = missing.length === 0
  expect({ ready, status: response.status }).toEqual({ ready: isReady, status: isReady ? 200 : 503 })
  return missing
}

async function statusOf(path: string, method = 'GET'): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${health.port}${path}`, { method })
  return status
}

test.each([
  ['', undefined],
  ['0', 0],
  ['8083', 8083],
])('LOCKERFLOW_WORKER_PORT=%s is the port %s', (text, port) => {
  expect(readSettings({ LOCKERFLOW_WORKER_PORT: text }).healthPort).toBe(port)
})

test('an empty variable of Temporal is not set: no key, and no TLS', () => {
  const { temporal, namespace } = readSettings({ TEMPORAL_API_KEY: '', TEMPORAL_NAMESPACE: '' })
  expect({ temporal, namespace }).toEqual({ temporal: { address: '127.0.0.1:7233' }, namespace: 'default' })
})

test.each(['65536', '-1', 'http', '808080'])('LOCKERFLOW_WORKER_PORT=%s is refused', text => {
  expect(() => readSettings({ LOCKERFLOW_WORKER_PORT: text })).toThrow(/^LOCKERFLOW_WORKER_PORT: must be a port/)
})
