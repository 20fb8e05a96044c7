import { mkdirSync, rmdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { defaultPayloadConverter } from '@temporalio/common'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { failed } from '#contract'
import {
  type CodecServer,
  type CodecServerSettings,
  readCodecServerSettings,
  startCodecServer,
} from '#gateway/codecServer'
import { createDataConverter, openPersonalKeys } from '#platform/codec'
import { createLog } from '#platform/logs'
import { createEncryptionCodec } from '../../../platform/codec/dataConverter.ts'
import { converterOf, newKey, ringOf } from '../../support/codec/keys.ts'
import { toJson } from '../../support/codec/payloads.ts'
import { temporaryFile } from '../../support/service/temporaryStore.ts'
import { cpuTime } from '../../support/slowness.ts'
import { silentLog } from '../../support/world/settings.ts'

const key = newKey('2026-12')
const codec = createEncryptionCodec(ringOf(key))
const origin = 'http://127.0.0.1:8233'
const users = new Map([['robin', 'a-long-password-of-robin']])
const basic = `Basic ${Buffer.from('robin:a-long-password-of-robin').toString('base64')}`
const token = 'a-token-of-the-temporal-command'
const servers: CodecServer[] = []

async function start(settings: Partial<CodecServerSettings> = {}): Promise<CodecServer> {
  const server = await startCodecServer({
    host: '127.0.0.1',
    port: 0,
    dataConverter: converterOf(key),
    namespace: 'default',
    signIn: { by: 'basic', users },
    origins: [origin],
    encodes: false,
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
    headers: { 'content-type': 'application/json', 'x-namespace': 'default', authorization: basic, ...headers },
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
  ['no credentials', { authorization: '' }],
  ['a wrong password', { authorization: `Basic ${Buffer.from('robin:a-long-password-of-sam').toString('base64')}` }],
  ['an unknown name', { authorization: `Basic ${Buffer.from('sam:a-long-password-of-robin').toString('base64')}` }],
  ['a token', { authorization: `Bearer ${token}` }],
  ['half a header', { authorization: 'Basic' }],
])('%s is refused, and the response asks to sign in', async (_, headers) => {
  const response = await post('/decode', await encrypted('secret'), headers)
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
  const text = await response.text()
  expect(text).toContain('The Authorization header must have valid credentials.')
  expect(text).not.toContain('secret')
})

test.each([
  ['another namespace', '/decode', { 'x-namespace': 'other' }, 403, 'X-Namespace: must be default.'],
  ['no namespace', '/decode', { 'x-namespace': '' }, 403, 'X-Namespace: must be default.'],
  ['encoding, unless it is allowed', '/encode', {}, 403, 'LOCKERFLOW_CODEC_ENCODE=true lets it encode.'],
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

test('guesses of one address are a few lines of the log, which count the others', async () => {
  const lines: Record<string, unknown>[] = []
  const guessed = await start({ log: createLog('info', { write: line => void lines.push(JSON.parse(line)) }) })
  const guess = () => post('/decode', {}, { authorization: 'Basic guess' }, guessed)
  const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await guess()).status))
  expect(new Set(statuses)).toEqual(new Set([401]))
  expect(lines.filter(({ logId }) => logId === 'codec-sign-in-failed').length).toBeLessThan(10)
})

test('a payload of a missing key is an error that names the setting', async () => {
  const other = createEncryptionCodec(ringOf(newKey('lost')))
  const payloads = (await other.encode([defaultPayloadConverter.toPayload('x')])).map(toJson)
  const response = await post('/decode', { payloads })
  expect(response.status).toBe(422)
  expect(await response.text()).toContain('LOCKERFLOW_CODEC_KEYS: must contain the key lost')
})

test('a body without payloads is an empty list, as the temporal command sends it for a query without arguments', async () => {
  // The command asks to encode the arguments of a query, although it has none, so a server that only decodes must not refuse.
  for (const to of [server, await start({ encodes: true })])
    for (const path of ['/decode', '/encode']) expect(await valuesIn(await post(path, {}, {}, to))).toEqual([])
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

test('encrypts where it is allowed', async () => {
  const allowed = await start({ encodes: true })
  const plain = toJson(defaultPayloadConverter.toPayload('hello'))
  const response = await post('/encode', { payloads: [plain] }, {}, allowed)
  expect(await valuesIn(await post('/decode', await response.json()))).toEqual(['hello'])
})

test('encrypts names and addresses of a starter with the key of their person', async () => {
  const keys = openPersonalKeys(temporaryFile(), ringOf(key))
  onTestFinished(() => keys.close())
  const allowed = await start({ encodes: true, dataConverter: createDataConverter(ringOf(key), keys) })
  const input = { caseNo: 'A-1', request: { emailAddress: 'kim@home.example', firstName: 'Kim' } }
  const body = { payloads: [toJson(defaultPayloadConverter.toPayload(input))] }
  const payloads = await (await post('/encode', body, {}, allowed)).json()
  expect(await valuesIn(await post('/decode', payloads, {}, allowed))).toEqual([input])
  // The server of the other tests has the ring alone.
  const request = { emailAddress: '[removed]', firstName: '[removed]' }
  expect(await valuesIn(await post('/decode', payloads))).toEqual([{ ...input, request }])
})

describe('the health check', () => {
  const unreadable = 'the store of the keys of persons was not read; the log line codec-key-store-unavailable says why'

  const healthOf = async ({ address }: CodecServer, path: string) => {
    const response = await fetch(address + path)
    return { status: response.status, body: await response.json() }
  }

  test('needs no sign-in, and no store without keys of persons', async () => {
    expect(await healthOf(server, '/health/live')).toEqual({ status: 200, body: { live: true } })
    expect(await healthOf(server, '/health/ready')).toEqual({ status: 200, body: { ready: true, missing: [] } })
  })

  test('names the store of the keys of persons while it cannot be read', async () => {
    const file = temporaryFile()
    const { pathname } = new URL(file)
    const settings = {
      LOCKERFLOW_CODEC_KEYS: key,
      LOCKERFLOW_CODEC_USERS: 'robin:a-long-password-of-robin',
      LOCKERFLOW_PERSONAL_KEYS_URL: file,
    }
    const { dataConverter, keys } = readCodecServerSettings(settings)
    mkdirSync(pathname)
    const own = await start({ dataConverter, ...(keys && { keys }) })
    expect(await healthOf(own, '/health/ready')).toEqual({
      status: 503,
      body: {
        ready: false,
        missing: [{ name: 'keyStore', reason: unreadable }],
      },
    })
    expect((await healthOf(own, '/health/live')).status).toBe(200)
    rmdirSync(pathname)
    expect(await healthOf(own, '/health/ready')).toMatchObject({ status: 200, body: { missing: [] } })
  })

  test('names a database that is away, and only the log has its address and never its password', async () => {
    const lines: string[] = []
    const log = createLog('warn', { write: line => void lines.push(line) })
    const keys = openPersonalKeys('postgres://keys:a-secret-password@127.0.0.1:1/none', ringOf(key))
    onTestFinished(() => keys.close())
    const { status, body } = await healthOf(await start({ keys, log }), '/health/ready')
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { missing: [{ name: 'keyStore', reason: unreadable }] },
    })
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      { logId: 'codec-key-store-unavailable', reason: expect.stringContaining('127.0.0.1:1') },
    ])
    expect(lines.join('')).not.toContain('a-secret-password')
  })
})

describe('the Web UI in a browser', () => {
  test('may call from its origin, with credentials; the preflight needs none', async () => {
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

  test('gets the credentials from a page that asks for them', async () => {
    expect((await fetch(server.address)).headers.get('www-authenticate')).toMatch(/^Basic realm=/)
    expect((await fetch(server.address, { headers: { authorization: basic } })).status).toBe(200)
  })
})

describe('sign-in with tokens', () => {
  let keys: Server
  let bearer: CodecServer
  let sign: (claims: Record<string, string>, expires?: string, typ?: string) => Promise<string>

  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }
    keys = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] }))).listen(0, '127.0.0.1')
    await new Promise(resolve => keys.once('listening', resolve))
    const keySetUrl = `http://127.0.0.1:${(keys.address() as AddressInfo).port}`
    const issuer = { issuer: 'https://login.example', audience: 'temporal', keySetUrl }
    bearer = await start({ signIn: { by: 'bearer', tokens: [token], issuer } })
    sign = ({ sub = 'robin', iss = issuer.issuer, aud = issuer.audience }, expires = '1h', typ) =>
      new SignJWT({ sub })
        .setProtectedHeader({ alg: 'ES256', kid: 'k', ...(typ && { typ }) })
        .setIssuer(iss)
        .setAudience(aud)
        .setExpirationTime(expires)
        .sign(privateKey)
  })
  afterAll(() => keys.close())

  const call = async (given: string) =>
    (await post('/decode', await encrypted('x'), { authorization: `Bearer ${given}` }, bearer)).status

  test('accepts a token of a program and one of the issuer', async () => {
    expect(await call(token)).toBe(200)
    expect(await call(await sign({}))).toBe(200)
  })

  test('refuses other tokens', async () => {
    expect(await call(`${token}x`)).toBe(401)
    expect(await call(await sign({ iss: 'https://other.example' }))).toBe(401)
    expect(await call(await sign({ aud: 'other' }))).toBe(401)
    expect(await call(await sign({}, '10s ago'))).toBe(401)
    expect((await post('/decode', {}, {}, bearer)).headers.get('www-authenticate')).toBe('Bearer')
  })

  test('refuses tokens of another type', async () => {
    expect(await call(await sign({}, '1h', 'at+jwt'))).toBe(200)
    expect(await call(await sign({}, '1h', 'JWT'))).toBe(200)
    expect(await call(await sign({}, '1h', 'logout+jwt'))).toBe(401)
  })

  test('accepts a token that has just expired, since the clock of the issuer may differ', async () => {
    expect(await call(await sign({}, '1s ago'))).toBe(200)
  })

  test('tells an issuer that is away from a wrong token', async () => {
    const lines: Record<string, unknown>[] = []
    const log = createLog('info', { write: line => void lines.push(JSON.parse(line)) })
    const keySetUrl = 'http://127.0.0.1:1/keys'
    const issuer = { issuer: 'https://login.example', audience: 'temporal', keySetUrl }
    const isolated = await start({ signIn: { by: 'bearer', tokens: [token], issuer }, log })
    const response = await post(
      '/decode',
      await encrypted('x'),
      { authorization: `Bearer ${await sign({})}` },
      isolated,
    )
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 503,
      body: failed('Unavailable', 'The keys of the issuer were not read. Try again later.'),
    })
    expect(lines.filter(({ logId }) => logId !== undefined)).toMatchObject([
      { logId: 'codec-issuer-keys-unavailable', err: { message: expect.stringContaining(keySetUrl) } },
    ])
    expect((await post('/decode', await encrypted('x'), { authorization: 'Bearer no-token' }, isolated)).status).toBe(
      401,
    )
    const own = { authorization: `Bearer ${token}` }
    expect(await valuesIn(await post('/decode', await encrypted('x'), own, isolated))).toEqual(['x'])
  })
})
