import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import protos from '@temporalio/proto'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import type { Diagnosis } from '../../cli/doctor/examination.ts'
import { freePort } from '../../platform/ports.ts'
import { startVerb } from '../support/command/verbs.ts'
import { eventually } from '../support/eventually.ts'
import { json, startStandIn as startServiceStandIn } from '../support/servers/apiStandIn.ts'
import { startGrpcStandIn } from '../support/servers/grpcStandIn.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const { temporal } = protos

const world = useWorld({ service: { recentTraffic: 10 } })

const globexPoint = 'pup-3'

let sound: NodeJS.ProcessEnv

beforeAll(() => {
  const { address, namespace } = inject('temporal')
  const service = `http://127.0.0.1:${world.service.port}`
  sound = {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    LOCKERFLOW_TASK_QUEUE: world.taskQueue,
    LOCKERFLOW_BASE_URL: service,
    LOCKERFLOW_AUTH_URL: service,
    LOCKERFLOW_CLIENT_ID: 'acme',
    LOCKERFLOW_CLIENT_SECRET: 'acme-secret',
    LOCKERFLOW_SERVICE_PORT: '0',
    LOCKERFLOW_GATEWAY_PORT: '0',
    LOCKERFLOW_TEMPORAL_PORT: '0',
    LOCKERFLOW_TEMPORAL_UI_PORT: '0',
  }
})

const busy = 'Temporal does not answer within 5 s'

/** Examines again while Temporal is busy with the flows of other tests. */
function examine(changes: NodeJS.ProcessEnv = {}) {
  return eventually(async () => {
    const examined = await examineOnce(changes)
    return examined.parts.some(({ found }) => found === busy) ? undefined : examined
  })
}

async function examineOnce(changes: NodeJS.ProcessEnv) {
  const running = startVerb({ ...sound, ...changes }, 'doctor')
  const failure = await running.ended
  return { exitCode: failure?.exitCode ?? 0, parts: running.values as readonly Diagnosis[], lines: running.lines }
}

/** A server that answers every request in the same way. */
async function startStandIn(status: number, body: object, headers: Readonly<Record<string, string>> = {}) {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

test('a sound installation has a line for each part, and none that is wrong', async () => {
  // A worker that has started may not have polled yet.
  await eventually(async () => (await examine()).exitCode === 0)
  const { exitCode, parts, lines } = await examine()
  expect(parts.filter(({ state }) => state !== 'ok')).toEqual([])
  expect(parts.map(({ part }) => part)).toEqual([
    ...[
      'Node',
      'settings',
      'ports',
      'Temporal',
      "Temporal's version",
      'namespace',
      'search attributes',
      'service',
      'schema',
    ],
    ...['sign-in', 'clocks', 'callback address', 'workers', 'deployment', 'your flows', 'paused flows'],
  ])
  expect(exitCode).toBe(0)
  expect(lines).toHaveLength(parts.length)
})

const away = async () => `127.0.0.1:${await freePort('127.0.0.1')}`

test.each<[string, string, () => Promise<NodeJS.ProcessEnv>]>([
  ['Temporal', 'Start Temporal', async () => ({ TEMPORAL_ADDRESS: await away() })],
  ['namespace', 'TEMPORAL_NAMESPACE', async () => ({ TEMPORAL_NAMESPACE: 'nowhere' })],
  ['service', 'LOCKERFLOW_BASE_URL', async () => ({ LOCKERFLOW_BASE_URL: `http://${await away()}` })],
  ['sign-in', 'LOCKERFLOW_CLIENT_ID', async () => ({ LOCKERFLOW_CLIENT_SECRET: 'another-secret' })],
  ['workers', 'lockerflow worker', async () => ({ LOCKERFLOW_TASK_QUEUE: 'without-workers' })],
  ['deployment', 'lockerflow promote', async () => ({ LOCKERFLOW_DEPLOYMENT: 'without-builds' })],
  ['your flows', 'flows check', async () => ({ LOCKERFLOW_FLOWS: 'nowhere/*.yaml' })],
  [
    'callback address',
    'LOCKERFLOW_GATEWAY_URL',
    async () => ({ LOCKERFLOW_CLIENT_ID: 'globex', LOCKERFLOW_CLIENT_SECRET: 'globex-secret' }),
  ],
  [
    'ports',
    'set the variables',
    async () => ({ LOCKERFLOW_SERVICE_PORT: String(await startStandIn(200, { other: 'program' })) }),
  ],
  [
    'schema',
    'runs them',
    async () => {
      const missing = [{ name: 'migration', reason: 'Migrations of this version have not run' }]
      return { LOCKERFLOW_BASE_URL: `http://127.0.0.1:${await startStandIn(503, { ready: false, missing })}` }
    },
  ],
  [
    'clocks',
    'NTP',
    async () => {
      const date = new Date(Date.now() + 600_000).toUTCString()
      return { LOCKERFLOW_BASE_URL: `http://127.0.0.1:${await startStandIn(200, {}, { date })}` }
    },
  ],
])('finds a wrong part and its remedy: %s', async (part, remedy, change) => {
  const { exitCode, parts } = await examine(await change())
  const diagnosis = parts.find(each => each.part === part)
  expect(diagnosis).toMatchObject({ state: 'wrong', remedy: expect.stringContaining(remedy) })
  for (const address of diagnosis?.found.match(/127\.0\.0\.1:\d+/g) ?? [])
    if (part === 'Temporal') expect(diagnosis?.found.split(address)).toHaveLength(2)
  expect(exitCode).toBe(1)
})

test('parts of a namespace that does not exist are unknown, so that only the namespace needs a remedy', async () => {
  const { parts } = await examine({
    TEMPORAL_NAMESPACE: 'nowhere',
    LOCKERFLOW_DEPLOYMENT: 'without-builds',
    LOCKERFLOW_BUILD_ID: 'first',
  })
  const states = parts.filter(({ state }) => state !== 'ok').map(({ part, state }) => [part, state])
  expect(states).toEqual([
    ['namespace', 'wrong'],
    ['search attributes', 'unknown'],
    ['workers', 'unknown'],
    ['deployment', 'unknown'],
    ['paused flows', 'unknown'],
  ])
})

test('parts of a service that cannot be reached are unknown, so that only the service needs a remedy', async () => {
  const address = `http://${await away()}`
  const { parts } = await examine({ LOCKERFLOW_BASE_URL: address, LOCKERFLOW_AUTH_URL: address })
  const found = parts.filter(({ state }) => state === 'unknown').map(each => [each.part, each.found])
  expect(found).toEqual(
    ['schema', 'sign-in', 'clocks', 'callback address'].map(part => [part, 'the service cannot be reached']),
  )
})

test.for([502, 500])('a proxy that answers HTTP %i for the service: it is not ready', async status => {
  const address = `http://127.0.0.1:${await startStandIn(status, {})}`
  const { exitCode, parts } = await examine({ LOCKERFLOW_BASE_URL: address })
  expect(parts.find(({ part }) => part === 'service')).toMatchObject({
    state: 'wrong',
    found: `${address}: HTTP ${status} without the readiness of a service`,
    remedy: expect.stringContaining('proxy'),
  })
  expect(parts.find(({ part }) => part === 'schema')).toMatchObject({ state: 'unknown' })
  expect(exitCode).toBe(1)
})

test('names the task queues of own activities that no worker polls', async () => {
  const examined = async (pattern: string) =>
    (await examine({ LOCKERFLOW_FLOWS: pattern })).parts.find(({ part }) => part === 'your flows')
  expect(await examined('test/support/flows/parcelReturn/*Return.yaml')).toMatchObject({
    state: 'ok',
    found: 'parcelReturn',
  })
  const file = join(mkdtempSync(join(tmpdir(), 'lockerflow-')), 'repairShop.yaml')
  const queue = `without-workers-${randomUUID()}`
  const declared = readFileSync('examples/repair-shop/flows/repairShop.yaml', 'utf8')
  writeFileSync(file, declared.replace('repair-shop-python', queue))
  expect(await examined(file)).toMatchObject({
    state: 'wrong',
    found: `no worker polls ${queue} (activity repair of repairShop)`,
    remedy: expect.stringContaining('Start a worker for each of these task queues'),
  })
})

test('names every port at which another program listens', async () => {
  const port = String(await startStandIn(200, { other: 'program' }))
  const names = ['SERVICE', 'GATEWAY', 'TEMPORAL', 'TEMPORAL_UI', 'CODEC', 'FLOW_API']
  const settings = names.map(name => `LOCKERFLOW_${name}_PORT`)
  const { parts } = await examine(Object.fromEntries(settings.map(name => [name, port])))
  expect(parts.find(({ part }) => part === 'ports')).toMatchObject({
    state: 'wrong',
    found: `in use by other programs: ${settings.map(name => `${name} ${port}`).join(', ')}`,
  })
})

test('our own processes may listen at their ports', async () => {
  const gateway = await startStandIn(200, { live: true })
  const settings = {
    LOCKERFLOW_SERVICE_PORT: String(world.service.port),
    LOCKERFLOW_TEMPORAL_PORT: sound.TEMPORAL_ADDRESS?.split(':')[1],
    LOCKERFLOW_TEMPORAL_UI_PORT: String(await startStandIn(200, { Codec: {} })),
    ...{ LOCKERFLOW_GATEWAY_PORT: String(gateway), LOCKERFLOW_FLOW_API_PORT: String(gateway) },
  }
  expect((await examine(settings)).parts.find(({ part }) => part === 'ports')).toMatchObject({ state: 'ok' })
})

test('the service itself tries the callback address, and one that nothing answers at is found', async () => {
  const register = (address: string | null) =>
    world.call('ConfigureCallback', { url: address, authType: address === null ? 'HMAC' : 'None' }, 'globex')
  const asked: (string | undefined)[] = []
  const state = { status: 500 }
  const receiver = createServer(({ method, headers }, response) => {
    asked.push(`${method} by ${headers['user-agent']}`)
    response.writeHead(method === 'HEAD' ? 405 : state.status).end()
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    receiver.close().closeAllConnections()
    await register(null)
  })
  const globex = { LOCKERFLOW_CLIENT_ID: 'globex', LOCKERFLOW_CLIENT_SECRET: 'globex-secret' }
  const examined = async () => (await examine(globex)).parts.find(({ part }) => part === 'callback address')
  const remedy = expect.stringContaining('LOCKERFLOW_GATEWAY_URL')

  const silent = `http://${await away()}/callbacks`
  await register(silent)
  expect(await examined()).toEqual({
    ...{ part: 'callback address', state: 'wrong', remedy },
    found: `${silent}: the service gets no response (ECONNREFUSED)`,
  })
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callbacks`
  await register(url)
  expect(await examined()).toMatchObject({ state: 'ok', found: `${url}, which the service reaches` })
  expect(asked).toEqual(['HEAD by lockerflow'])
  const request = { ...parcel, PupUid: globexPoint }
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', request, 'globex')
  await expect.poll(examined).toMatchObject({
    state: 'wrong',
    found: `${url}: the last callback of the service was not delivered (500)`,
    remedy: expect.stringContaining('the log of the receiver at that address'),
  })
  state.status = 401
  await expect.poll(examined).toMatchObject({
    state: 'wrong',
    found: `${url}: the last callback of the service was not delivered (401)`,
    remedy: expect.stringMatching(/LOCKERFLOW_CALLBACK_KEY.*clock/),
  })
  await world.call('CancelShipment', { shipmentUid: shipmentUids[0] ?? '' }, 'globex')
})

test('callbacks that go to an address other than that of the gateway are found', async () => {
  const gateway = world.toGateway.address
  const examined = async (changes: NodeJS.ProcessEnv) =>
    (await examine(changes)).parts.find(({ part }) => part === 'callback address')
  expect(await examined({ LOCKERFLOW_GATEWAY_URL: `${gateway}/` })).toMatchObject({ state: 'ok' })
  const moved = { LOCKERFLOW_GATEWAY_URL: 'http://10.1.2.3:8081' }
  expect(await examined(moved)).toMatchObject({
    state: 'wrong',
    found: `${gateway}/callbacks gets the callbacks instead of http://10.1.2.3:8081/callbacks`,
    remedy: expect.stringContaining('LOCKERFLOW_GATEWAY_URL'),
  })
  expect(await examined({ ...moved, LOCKERFLOW_CALLBACK_REGISTRATION: 'manual' })).toMatchObject({ state: 'ok' })
})

test('a server that is too old', async () => {
  const { GetSystemInfoResponse } = temporal.api.workflowservice.v1
  const answer = GetSystemInfoResponse.encode({ serverVersion: '1.24.2', capabilities: {} }).finish()
  const standIn = await startGrpcStandIn(5, 'NOT_FOUND', { GetSystemInfo: answer })
  onTestFinished(standIn.stop)
  const { exitCode, parts } = await examine({ TEMPORAL_ADDRESS: standIn.address })
  expect(parts.find(({ part }) => part === "Temporal's version")).toMatchObject({
    state: 'wrong',
    found: '1.24.2',
    remedy: "Update Temporal's server to 1.31.0 or later.",
  })
  expect(exitCode).toBe(1)
})

test('a server that does not answer in time is busy, and no setting is wrong', async () => {
  const { GetSystemInfoResponse } = temporal.api.workflowservice.v1
  const answer = GetSystemInfoResponse.encode({ serverVersion: '1.31.0', capabilities: {} }).finish()
  const deadlineExceeded = 4
  const standIn = await startGrpcStandIn(deadlineExceeded, 'Deadline exceeded', { GetSystemInfo: answer })
  onTestFinished(standIn.stop)
  const { parts } = await examineOnce({ TEMPORAL_ADDRESS: standIn.address })
  const diagnosis = {
    state: 'wrong',
    found: busy,
    remedy: 'Check the load of Temporal and of its database, then run lockerflow doctor again.',
  }
  const names = ['namespace', 'search attributes', 'workers']
  expect(parts.filter(({ part }) => names.includes(part))).toEqual(names.map(part => ({ part, ...diagnosis })))
})

test.each([
  ['22.1.0', { state: 'wrong', remedy: 'Install Node 24 or later from https://nodejs.org.' }],
  // As the packages require it.
  ['26.0.0', { state: 'ok', found: '26.0.0' }],
])('Node %s', async (node, found) => {
  const { versions } = process
  const set = (value: object) => Object.defineProperty(process, 'versions', { value, configurable: true })
  set({ ...versions, node })
  onTestFinished(() => void set(versions))
  const { exitCode, parts } = await examine()
  expect(parts[0]).toMatchObject(found)
  expect(exitCode).toBe(found.state === 'ok' ? 0 : 1)
})

test('a namespace without search attributes', async () => {
  const namespace = `bare-${Date.now()}`
  const { workflowService } = world.client.connection
  const days = { seconds: 86_400 as never }
  await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: days })
  await expect
    .poll(async () => (await examine({ TEMPORAL_NAMESPACE: namespace })).parts)
    .toContainEqual(expect.objectContaining({ part: 'search attributes', state: 'wrong' }))
})

test.for([
  [404, null],
  [405, null],
  [200, 'UnknownMethod'],
] as const)(
  'a service of the specification alone, for others HTTP %i %s: its token is the proof',
  async ([status, error]) => {
    const service = await startServiceStandIn()
    onTestFinished(service.stop)
    service.operation = json(status, { success: false, error, message: 'no such operation' })
    const { parts } = await examine({ LOCKERFLOW_BASE_URL: service.url, LOCKERFLOW_AUTH_URL: service.url })
    const detailOf = (name: string) => parts.find(({ part }) => part === name)
    expect(detailOf('service')).toMatchObject({
      state: 'ok',
      found: expect.stringContaining('not a service of lockerflow'),
    })
    expect(detailOf('schema')).toMatchObject({ state: 'ok', found: 'none, since this is not a service of lockerflow' })
    expect(detailOf('sign-in')).toMatchObject({ state: 'ok', found: expect.stringContaining('acme gets a token') })
  },
)

test('a token endpoint that rejects the credentials with HTTP 400, as OAuth does', async () => {
  const service = await startServiceStandIn()
  onTestFinished(service.stop)
  service.token = json(400, { error: 'invalid_client' })
  const { parts } = await examine({ LOCKERFLOW_BASE_URL: service.url, LOCKERFLOW_AUTH_URL: service.url })
  expect(parts).toContainEqual(expect.objectContaining({ part: 'sign-in', state: 'wrong' }))
})
