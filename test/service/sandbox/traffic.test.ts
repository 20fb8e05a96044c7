import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CallbackAddress, Envelope, RecentCallback, RecentRequest } from '#contract'
import { createRecent } from '../../../service/sandbox/recent.ts'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { quick, stock } from '../../support/service/callbacks.ts'
import { booking } from '../../support/service/topology.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

async function start(settings: object = {}) {
  const world = await createWorld({ service: { delivery: quick, recentTraffic: 20, ...settings } })
  const receiver = await startReceiver()
  onTestFinished(async () => {
    await world.stop()
    await receiver.stop()
  })
  return { world, receiver }
}

async function request(
  world: ServiceWorld,
  path: string,
  { client = 'acme', ...init }: RequestInit & { client?: string } = {},
) {
  const headers = { authorization: `Bearer ${await world.service.token(client)}`, ...init.headers }
  return fetch(`http://127.0.0.1:${world.service.port}${path}`, { ...init, headers })
}

async function list<Line>(world: ServiceWorld, path: string, client = 'acme'): Promise<Line[]> {
  const response = await request(world, path, { client })
  expect(response.status).toBe(200)
  const text = await response.text()
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Line)
}

async function post(world: ServiceWorld, path: string, body: object) {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await request(world, path, init)
  return { status: response.status, body: await response.json() }
}

const resend = (world: ServiceWorld, body: object) => post(world, '/sandbox/callbacks/resend', body)
const probe = async (world: ServiceWorld) => (await post(world, '/sandbox/callbacks/probe', {})).body

/** A server that notes what it is asked, and answers 405. */
async function startHead() {
  const asked: string[] = []
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    response.writeHead(405).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return { port: (server.address() as AddressInfo).port, asked }
}

/** Follows a list, line by line. */
async function follow(world: ServiceWorld, path: string) {
  const response = await request(world, `${path}?follow=true`)
  expect(response.status).toBe(200)
  const lines = createInterface({ input: Readable.fromWeb(response.body as never) })
  const queue: unknown[] = []
  lines.on('line', line => void (line !== '' && queue.push(JSON.parse(line))))
  return { queue, closed: once(lines, 'close') }
}

test('a tenant sees its own requests without their bodies, and nothing of others', async () => {
  const { world } = await start()
  const shipmentUid = await stock(world, { Details: { ReferenceCaseNo: 'R "7"', Description: 'a secret' } })
  await world.call('CancelShipment', { shipmentUid })
  await world.call('CancelShipment', { shipmentUid })
  const path = '/sandbox/requests'
  await expect.poll(async () => (await list(world, path)).length).toBe(3)
  const requests = await list<RecentRequest>(world, path)
  expect(requests).toMatchObject([
    { operation: 'CreateLocalShipmentAsStock', status: 200, errorCode: null, caseNo: 'R "7"', clientId: 'acme' },
    { operation: 'CancelShipment', status: 200, errorCode: null, caseNo: null, shipmentUid },
    { operation: 'CancelShipment', status: 200, errorCode: 'InvalidShipmentState', shipmentUid },
  ])
  expect(JSON.stringify(requests)).not.toContain('a secret')
  expect(await list(world, `${path}?after=${requests[1]?.id}`)).toEqual([requests[2]])
  expect(await list(world, path, 'globex')).toEqual([])
  expect(await list(world, '/sandbox/callbacks', 'globex')).toEqual([{ callbackUrl: null }])
})

test('the list of deliveries has the address, the answer and the body of each, and a follower gets new ones', async () => {
  const { world, receiver } = await start()
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'None' })
  receiver.answer((_callback, count) => ({ status: count === 1 ? 500 : 204 }))
  const { queue, closed } = await follow(world, '/sandbox/callbacks')
  const shipmentUid = await stock(world)
  const delivery = { url: receiver.url, shipmentUid }
  await expect
    .poll(() => queue)
    .toMatchObject([
      { callbackUrl: receiver.url },
      { ...delivery, failures: 0, delivered: false, answer: '500' },
      { ...delivery, failures: 1, delivered: true, answer: '204' },
    ])
  const [address, ...kept] = await list<CallbackAddress | RecentCallback>(world, '/sandbox/callbacks')
  expect(address).toEqual({ callbackUrl: receiver.url })
  expect(kept).toEqual(queue.slice(1))
  expect(kept).toMatchObject(receiver.received.map(({ body }) => ({ body })))
  await world.stop()
  await closed
})

test('resends the present state of delivered shipments, by message, shipment, case or time', async () => {
  const { world, receiver } = await start()
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'None' })
  const started = new Date(Date.now() - 1_000).toISOString()
  const first = await stock(world, { Details: { ReferenceCaseNo: 'R-1' } })
  const second = await stock(world)
  await receiver.until(2)
  const { store } = world.service
  await expect.poll(() => store.selectFrom('outbox').select('seq').execute()).toEqual([])
  const [{ messageId } = { messageId: '' }] = (await list<RecentCallback>(world, '/sandbox/callbacks')).filter(
    ({ shipmentUid }) => shipmentUid === first,
  )
  const counts = () =>
    [first, second].map(uid => receiver.received.filter(({ message }) => message.shipmentUid === uid).length)
  for (const [selection, resent, expected] of [
    [{ messageId }, 1, [2, 1]],
    [{ shipmentUid: second }, 1, [2, 2]],
    [{ caseNo: 'R-1' }, 1, [3, 2]],
    [{ since: started }, 2, [4, 3]],
    [{ since: '2100-01-01T00:00:00Z' }, 0, [4, 3]],
    [{ messageId: 'msg_unknown' }, 0, [4, 3]],
  ] as const) {
    expect(await resend(world, selection)).toMatchObject({ status: 200, body: { resent, success: true } })
    await expect.poll(counts).toEqual(expected)
    await expect.poll(() => store.selectFrom('outbox').select('seq').execute()).toEqual([])
  }
  const [original, again] = receiver.received.filter(({ message }) => message.shipmentUid === first)
  expect(again?.body).toBe(original?.body)
  expect(again?.headers['webhook-id']).not.toBe(original?.headers['webhook-id'])
  expect(await resend(world, {})).toMatchObject({ status: 400, body: { error: 'InvalidRequest' } })
})

test('a tenant cannot resend callbacks of another', async () => {
  const { world, receiver } = await start()
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'None' }, 'globex')
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' }, 'globex')
  await receiver.until(1)
  expect(await resend(world, { shipmentUid: shipmentUids[0] })).toMatchObject({ body: { resent: 0 } })
})

test('tries the address of the tenant alone, and sends no callback', async () => {
  const { world, receiver } = await start()
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'None' }, 'globex')
  expect(await probe(world)).toEqual({ callbackUrl: null, reachable: false, answer: 'no address' })
  const { port, asked } = await startHead()
  const callbackUrl = `http://127.0.0.1:${port}/`
  await world.call('ConfigureCallback', { url: callbackUrl, authType: 'None' })
  expect(await probe(world)).toEqual({ callbackUrl, reachable: true, answer: '405' })
  expect(asked).toEqual(['HEAD /'])
  expect(receiver.received).toEqual([])
})

test('does not try an address that callbacks may not go to', async () => {
  const { world } = await start({ allowPrivateNetworks: false })
  const { port, asked } = await startHead()
  const { store } = world.service
  const url = `http://127.0.0.1:${port}/`
  // Registered while private networks were allowed.
  await store.updateTable('tenants').set({ callback_url: url }).where('tenant_id', '=', 'acme').execute()
  expect(await probe(world)).toEqual({ callbackUrl: url, reachable: false, answer: 'forbidden address' })
  expect(asked).toEqual([])
})

test.each([
  ['without its setting', { recentTraffic: 0 }],
  ['in production', { environment: 'production', recentTraffic: 20, tokenLifetime: 900 }],
])('there are no such paths %s', async (_case, settings) => {
  const { world } = await start(settings)
  for (const path of ['/sandbox/requests', '/sandbox/callbacks']) expect((await request(world, path)).status).toBe(404)
  expect((await resend(world, { shipmentUid: 'x' })).status).toBe(404)
  expect((await post(world, '/sandbox/callbacks/probe', {})).status).toBe(404)
})

test('a caller needs a token, and a tenant may follow eight lists', async () => {
  const { world } = await start()
  expect((await fetch(`http://127.0.0.1:${world.service.port}/sandbox/requests`)).status).toBe(401)
  for (let open = 0; open < 8; open++) await follow(world, '/sandbox/requests')
  const ninth = await request(world, '/sandbox/requests?follow=true')
  expect({ status: ninth.status, body: await ninth.json() }).toMatchObject({
    status: 429,
    body: { error: 'RateLimited' },
  })
})

test('a wrong query is refused with the problem of each field', async () => {
  const { world } = await start()
  const response = await request(world, `/sandbox/requests?follow=yes&after=${'x'.repeat(101)}`)
  const { error, message } = (await response.json()) as Envelope
  expect({ status: response.status, error }).toEqual({ status: 400, error: 'InvalidRequest' })
  expect(message).toBe('after: must have at most 100 characters; follow: must be one of "true", "false".')
})

describe('the list in memory', () => {
  const noted = (recent: ReturnType<typeof createRecent<{ id: string; text: string }>>, tenant: string) =>
    recent.list(tenant).map(({ text }) => text)

  test('forgets the oldest entries, and the tenants that were idle for the longest time', () => {
    const recent = createRecent<{ id: string; text: string }>(2)
    for (const text of ['a', 'b', 'c']) recent.note('acme', { text })
    expect(noted(recent, 'acme')).toEqual(['b', 'c'])
    for (let other = 0; other < 50; other++) recent.note(`tenant ${other}`, { text: '' })
    expect(noted(recent, 'acme')).toEqual([])
    expect(noted(recent, 'tenant 49')).toEqual([''])
  })

  test('with an id that it does not have, lists everything', () => {
    const recent = createRecent<{ id: string; text: string }>(2)
    recent.note('acme', { text: 'a' })
    expect(recent.list('acme', 'of another process')).toHaveLength(1)
    expect(recent.list('acme', recent.list('acme')[0]?.id)).toEqual([])
  })
})
