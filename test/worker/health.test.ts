import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { installRuntime, type RunningWorker, startWorker } from '#worker'
import { readEnvironment } from '../../worker/environment.ts'
import { answerHealth, type Health } from '../../worker/health.ts'
import { bundle } from '../flows/bundle.ts'
import { eventually } from '../flows/eventually.ts'
import { type Relay, startRelay } from '../gateway/relay.ts'

let relay: Relay
let worker: RunningWorker
let health: Health

describe('a worker', () => {
  beforeAll(async () => {
    installRuntime('ERROR')
    const { address, namespace } = inject('temporal')
    const nobody = 'http://127.0.0.1:9'
    relay = await startRelay(address)
    worker = await startWorker({
      temporal: { address: relay.address },
      namespace,
      taskQueue: 'health',
      environment: 'staging',
      api: { baseUrl: nobody, authUrl: nobody, clientId: 'acme', clientSecret: 'acme-secret' },
      profile: fullProfile,
      looks: { first: 3_600_000, longest: 86_400_000 },
      bundle: await bundle(),
    })
    health = await answerHealth(worker, 0)
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
  ])('at work answers %s %s with %i', async (method, path, status) => {
    expect(await statusOf(path, method)).toBe(status)
  })

  test('is alive but not ready while Temporal is away, and ready again when it is back', async () => {
    await relay.cut()
    expect(await statusOf('/health/ready')).toBe(503)
    expect(await statusOf('/health/live')).toBe(200)
    await relay.mend()
    await eventually(async () => (await statusOf('/health/ready')) === 200)
  })

  // The last of this worker.
  test('that has been told to stop is not ready', async () => {
    const stopped = worker.stop()
    expect(await statusOf('/health/ready')).toBe(503)
    await stopped
  })
})

async function statusOf(path: string, method = 'GET'): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${health.port}${path}`, { method })
  return status
}

test.each([
  ['', undefined],
  ['0', 0],
  ['8083', 8083],
])('LOCKERFLOW_WORKER_PORT=%s is the port %s', (text, port) => {
  expect(readEnvironment({ LOCKERFLOW_WORKER_PORT: text }).healthPort).toBe(port)
})

test('an empty variable of Temporal is not set: no key, and no TLS', () => {
  const { temporal, namespace } = readEnvironment({ TEMPORAL_API_KEY: '', TEMPORAL_NAMESPACE: '' })
  expect({ temporal, namespace }).toEqual({ temporal: { address: '127.0.0.1:7233' }, namespace: 'default' })
})

test.each(['65536', '-1', 'http', '808080'])('LOCKERFLOW_WORKER_PORT=%s is refused', text => {
  expect(() => readEnvironment({ LOCKERFLOW_WORKER_PORT: text })).toThrow(/^LOCKERFLOW_WORKER_PORT: has to be a port/)
})
