import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startVerb } from '../support/command/verbs.ts'
import { type ApiWorld, startApiWorld } from '../support/world/apiWorld.ts'

let world: ApiWorld

beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world.stop())

interface Request {
  readonly operation: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
  /** The number of earlier requests of this operation. */
  readonly before: number
  /** The number of creates without a response so far. */
  readonly open: number
}

/** Changes a request on its way to the service, or responds in its place. A create reaches the service in any case. */
type Change = (request: Request) => object | undefined

const isCreate = ({ operation }: Request) => operation.startsWith('Create')
const isRead = ({ operation }: Request) => operation === 'GetShipments'

/** Another service: ours behind a proxy that takes capabilities away. */
async function startOther(change: Change): Promise<string> {
  const counts = new Map<string, number>()
  let open = 0
  const server = createServer(async (incoming, outgoing) => {
    const sent = await text(incoming)
    const operation = incoming.url?.split('/').at(-1) ?? ''
    const before = counts.get(operation) ?? 0
    counts.set(operation, before + 1)
    const isJson = incoming.headers['content-type'] === 'application/json'
    const request = { operation, headers: incoming.headers, body: isJson ? JSON.parse(sent) : {}, before, open }
    const given = isJson ? change(request) : undefined
    const give = (status: number, body: string) => {
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body)
    }
    if (given !== undefined && !isCreate(request)) return give(200, JSON.stringify(given))
    const { 'content-length': _length, host: _host, connection: _connection, ...headers } = request.headers
    open++
    const response = await fetch(`${world.service.address}${incoming.url}`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: isJson ? JSON.stringify(request.body) : sent,
    })
    const received = await response.text()
    open--
    give(response.status, given === undefined ? received : JSON.stringify(given))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function examine(change: Change, variables: NodeJS.ProcessEnv = {}, pupUid = 'pup-1') {
  const running = await start(change, variables, pupUid)
  const failure = await running.ended
  return { failure, report: running.values[0], lines: running.lines, notes: running.notes }
}

async function start(change: Change, variables: NodeJS.ProcessEnv, pupUid: string) {
  const address = await startOther(change)
  const environment = {
    LOCKERFLOW_BASE_URL: address,
    LOCKERFLOW_AUTH_URL: address,
    LOCKERFLOW_CLIENT_ID: 'acme',
    LOCKERFLOW_CLIENT_SECRET: 'acme-secret',
    ...variables,
  }
  return startVerb(environment, 'capabilities', '--pick-up-point', pupUid)
}

async function activeShipments() {
  return (await world.api.call('GetShipments', { activeShipments: true })).totalItems
}

const refusal = (error: string) => ({ success: false, error, message: null })
const noShipments = { success: true, error: null, message: null, items: [], pageNo: 1, totalPages: 0, totalItems: 0 }

test('a service with all capabilities has them, and no booking is left', async () => {
  const { failure, lines, notes } = await examine(() => undefined)
  expect(failure).toBeUndefined()
  expect(lines).toEqual([
    expect.stringMatching(/^has {4}reads {14}GetShipments lists a new shipment after \d\.\d s$/),
    'has    reads-by-case      GetShipments by referenceCaseNo lists the shipments of the case only',
    'has    idempotent         a repeated create has the first response, even while the first one runs',
    'as set standard-webhooks  not examined: the headers of a callback show it',
    'LOCKERFLOW_SERVICE_PROFILE=reads,reads-by-case,idempotent,standard-webhooks',
  ])
  expect(notes).toEqual([])
  expect(await activeShipments()).toBe(0)
})

test.for<[string, string, string, Change]>([
  [
    'takes no keys',
    'idempotent',
    'a repeated create books again',
    ({ headers }) => void delete headers['idempotency-key'],
  ],
  [
    'forgets a key until its create has ended',
    'idempotent',
    'two simultaneous creates with one key book twice',
    request => void (isCreate(request) && request.open > 0 && delete request.headers['idempotency-key']),
  ],
  [
    'takes every key for one',
    'idempotent',
    'a create with another key has the response of the first one',
    request => {
      if (isCreate(request)) request.headers['idempotency-key'] = 'one-key'
      return undefined
    },
  ],
  [
    'refuses a repeated create',
    'idempotent',
    'a repeated create is refused: CaseExists',
    request => (isCreate(request) && request.before > 0 ? refusal('CaseExists') : undefined),
  ],
  [
    'filters nothing by case',
    'reads-by-case',
    'GetShipments by referenceCaseNo lists shipments of other cases',
    request => void (isRead(request) && delete request.body.referenceCaseNo),
  ],
  [
    'finds nothing by case',
    'reads-by-case',
    'GetShipments is refused: Unsupported',
    request => (isRead(request) && request.body.referenceCaseNo !== undefined ? refusal('Unsupported') : undefined),
  ],
  [
    'refuses to list shipments',
    'reads',
    'GetShipments is refused: Unsupported',
    request => (isRead(request) ? refusal('Unsupported') : undefined),
  ],
])('a service that %s lacks %s', async ([, capability, found, change]) => {
  const { failure, report, notes } = await examine(change)
  expect(report).toMatchObject({ capabilities: expect.arrayContaining([{ capability, has: false, found }]) })
  expect(failure?.message).toMatch(/^LOCKERFLOW_SERVICE_PROFILE: must not contain .*, which the service lacks\.$/)
  expect([notes, await activeShipments()]).toEqual([[], 0])
})

test('a service of the specification alone has no capability, and the setting none is right', async () => {
  const { failure, lines } = await examine(
    ({ operation, headers }) => {
      delete headers['idempotency-key']
      return operation === 'GetShipments' ? refusal('UnknownOperation') : undefined
    },
    { LOCKERFLOW_SERVICE_PROFILE: 'none' },
  )
  expect(failure).toBeUndefined()
  expect(lines.map(line => line.slice(0, 5))).toEqual(['lacks', 'lacks', 'lacks', 'as se', 'LOCKE'])
  expect(lines.at(-1)).toBe('LOCKERFLOW_SERVICE_PROFILE=none')
})

test('a service that lists a shipment late has reads', async () => {
  const late: Change = request => (isRead(request) && request.before < 2 ? noShipments : undefined)
  const { failure, report } = await examine(late)
  expect(failure).toBeUndefined()
  expect(report).toMatchObject({ capabilities: [{ capability: 'reads', has: true }, { has: true }, { has: true }] })
})

test('shipments that the service does not cancel are left over, with the reason', async () => {
  const refuse: Change = request => (request.operation === 'CancelShipment' ? refusal('Unsupported') : undefined)
  const { failure, notes, report } = await examine(refuse)
  expect(failure?.message).toBe('shipments are left over.')
  const { items } = await world.api.call('GetShipments', { activeShipments: true })
  const uids = items.map(({ shipmentUid }) => shipmentUid)
  expect(uids).toHaveLength(2)
  expect(notes.toSorted()).toEqual(uids.map(uid => `left over: ${uid}: Unsupported`).toSorted())
  expect(report).toMatchObject({ left: expect.arrayContaining([{ shipmentUid: uids[0], reason: 'Unsupported' }]) })
  for (const shipmentUid of uids) await world.api.call('CancelShipment', { shipmentUid })
})

test('a create without a response is named with its case', async () => {
  const { failure, notes } = await examine(request => (isCreate(request) ? { success: 'perhaps' } : undefined))
  expect(failure).toMatchObject({ code: 'MalformedResponse', exitCode: 1 })
  expect(failure?.message).toMatch(/^The response is not JSON/)
  expect(notes).toEqual([
    expect.stringMatching(
      /^left over: case capabilities-\S+: a create without a response \(MalformedResponse\) may have booked$/,
    ),
  ])
  const { items } = await world.api.call('GetShipments', { activeShipments: true })
  expect(items.map(({ referenceCaseNo }) => notes[0]?.includes(`case ${referenceCaseNo}:`))).toEqual([true])
  await world.api.call('CancelShipment', { shipmentUid: items[0]?.shipmentUid ?? '' })
})

test('an unknown pick up point is named as the option', async () => {
  const { failure } = await examine(() => undefined, {}, 'nowhere')
  expect(failure).toMatchObject({ code: 'InvalidPupUid', exitCode: 1 })
  expect(failure?.message).toMatch(/^--pick-up-point: /)
})

test('a signal ends it, and its booking is cancelled', async () => {
  const reading = Promise.withResolvers<void>()
  const running = await start(request => void (isRead(request) && reading.resolve()), {}, 'pup-1')
  await reading.promise
  running.interrupt()
  expect(await running.ended).toMatchObject({ code: 'Interrupted' })
  expect([running.values, running.notes, await activeShipments()]).toEqual([[], [], 0])
})

test('a service that is unavailable is not reported as one without capabilities', async () => {
  const away: Change = request => (isRead(request) ? refusal('ServiceUnavailable') : undefined)
  const { failure, report, notes } = await examine(away)
  expect([failure?.code, report, notes, await activeShipments()]).toEqual(['ServiceUnavailable', undefined, [], 0])
  const denied = await examine(() => undefined, { LOCKERFLOW_CLIENT_SECRET: 'another-secret' })
  expect(denied.failure).toMatchObject({ code: 'SignInFailed' })
})
