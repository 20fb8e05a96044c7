import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { defaultPayloadConverter } from '@temporalio/common'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CodecServer, type CodecServerSettings, startCodecServer } from '#gateway/codecServer'
import { createEncryptionCodec } from '../../../platform/codec/dataConverter.ts'
import { converterOf, newKey, ringOf } from '../../support/codec/keys.ts'
import { toJson } from '../../support/codec/payloads.ts'
import { cpuTime } from '../../support/slowness.ts'
import { silentLog } from '../../support/world/settings.ts'

const key = newKey('2026-12')
const codec = createEncryptionCodec(ringOf(key))
const origin = 'http://127.0.0.1:8233'
const servers: CodecServer[] = []

async function start(settings: Partial<CodecServerSettings> = {}): Promise<CodecServer> {
  const server = await startCodecServer({
    host: '127.0.0.1',
    port: 0,
    dataConverter: converterOf(key),
    namespace: 'default',
    origins: [origin],
    log: silentLog,
    ...settings,
  })
  servers.push(server)
  return server
}

let server: CodecServer
beforeAll(async () => {
  server = await start()
})
afterAll(() => Promise.all(servers.map(each => each.stop())))

async function encrypted(value: unknown) {
  const payloads = await codec.encode([defaultPayloadConverter.toPayload(value)])
  return { payloads: payloads.map(toJson) }
}

function post(path: string, body: unknown, headers: Record<string, string> = {}, { address } = server) {
  return fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-namespace': 'default', ...headers },
    body: JSON.stringify(body),
  })
}

async function valuesIn(response: Response): Promise<unknown[]> {
  expect(response.status).toBe(200)
  const { payloads } = (await response.json()) as { payloads: { data: string }[] }
  return payloads.map(({ data }) => JSON.parse(Buffer.from(data, 'base64').toString()))
}

test('decrypts payloads, and passes unencrypted ones on', async () => {
  const { payloads } = await encrypted({ name: 'Robin' })
  const plain = toJson(defaultPayloadConverter.toPayload('plain'))
  expect(await valuesIn(await post('/decode', { payloads: [...payloads, plain] }))).toEqual([
    { name: 'Robin' },
    'plain',
  ])
})

test.each([
  ['another namespace', '/decode', { 'x-namespace': 'other' }, 403, 'X-Namespace: must be default.'],
  ['no namespace', '/decode', { 'x-namespace': '' }, 403, 'X-Namespace: must be default.'],
  ['another origin', '/decode', { origin: 'https://evil.example' }, 403, 'The origin must be'],
])('%s is refused', async (_, path, headers, status, message) => {
  const response = await post(path, await encrypted('x'), headers)
  expect(response.status).toBe(status)
  expect(await response.text()).toContain(message)
})

test.each([
  ['another field', { payload: [] }, 400, 'payloads'],
  ['text instead of base64', { payloads: [{ data: '<>' }] }, 400, 'payloads'],
])('a body with %s is refused', async (_, body, status, message) => {
  const response = await post('/decode', body)
  expect(response.status).toBe(status)
  expect(await response.text()).toContain(message)
})

test('a payload of a missing key is an error that names the setting', async () => {
  const other = createEncryptionCodec(ringOf(newKey('lost')))
  const payloads = (await other.encode([defaultPayloadConverter.toPayload('x')])).map(toJson)
  const response = await post('/decode', { payloads })
  expect(response.status).toBe(422)
  expect(await response.text()).toContain('LOCKERFLOW_CODEC_KEYS: must contain the key lost')
})

test('a body without payloads is an empty list, as the temporal command sends it for a query without arguments', async () => {
  for (const path of ['/decode', '/encode']) expect(await valuesIn(await post(path, {}))).toEqual([])
})

test('a body of 14 MB does not hold up other requests', async () => {
  const encoded = await codec.encode(Array(18_000).fill(defaultPayloadConverter.toPayload('x'.repeat(400))))
  /** Decodes the body. Returns the milliseconds of processor time of the longest turn of the event loop. */
  async function decode(): Promise<number> {
    const answer = post('/decode', { payloads: encoded.map(toJson) }).then(response => response.text())
    const body = answer.then(() => true)
    let longest = 0
    for (let isDone: unknown = false; isDone !== true; isDone = await Promise.race([body, yieldToEventLoop()])) {
      const before = cpuTime()
      await yieldToEventLoop()
      longest = Math.max(longest, cpuTime() - before)
    }
    expect(JSON.parse(await answer).payloads).toHaveLength(18_000)
    return longest
  }
  // A machine that pauses lengthens a turn.
  expect(Math.min(await decode(), await decode(), await decode())).toBeLessThan(300)
})

test('a body with more objects than a page of a history has is refused', async () => {
  expect((await post('/decode', { payloads: Array(40_001).fill({}) })).status).toBe(413)
})

test('encrypts what the temporal command sends', async () => {
  const plain = toJson(defaultPayloadConverter.toPayload('hello'))
  const response = await post('/encode', { payloads: [plain] })
  expect(await valuesIn(await post('/decode', await response.json()))).toEqual(['hello'])
})

test('the health check needs no namespace', async () => {
  const healthOf = async (path: string) => (await fetch(server.address + path)).json()
  expect(await healthOf('/health/live')).toEqual({ live: true })
  expect(await healthOf('/health/ready')).toEqual({ ready: true, missing: [] })
})

describe('the Web UI in a browser', () => {
  test('may call from its origin, with the cookies or the token of a proxy', async () => {
    const preflight = await fetch(`${server.address}/decode`, { method: 'OPTIONS', headers: { origin } })
    expect(preflight.status).toBe(204)
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'authorization, content-type, x-namespace',
      vary: 'Origin',
    })
    const response = await post('/decode', await encrypted('shown'), { origin })
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(await valuesIn(response)).toEqual(['shown'])
  })

  test('of another origin gets no permission', async () => {
    const headers = { origin: 'https://evil.example' }
    const preflight = await fetch(`${server.address}/decode`, { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(403)
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
  })
})
