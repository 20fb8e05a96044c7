import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { failed, tokenPath } from '#contract'
import { errors, isErrorCode } from '#contract/terms'
import { holdStore } from '../../support/service/blockedRequests.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { type ServiceResponse, startTestService, type TestService } from '../../support/service/testService.ts'

let service: TestService
let authorized: Record<string, string>
beforeAll(async () => {
  service = await startTestService({ bodyLimit: 4_096 })
  authorized = { authorization: `Bearer ${await service.token()}`, 'content-type': 'application/json' }
})
afterAll(() => service.stop())

/** The properties of every failing response. */
function expectFailure({ status, headers, body }: ServiceResponse, error: string): void {
  expect(body).toEqual({ success: false, error, message: expect.any(String) })
  expect(Object.keys(body)).toEqual(['success', 'error', 'message'])
  expect(isErrorCode(error) && errors[error].status).toBe(status)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('x-request-id')).toBeTruthy()
}

const path = '/v1/Logistics/GetShipments'
const post = (
  body: NonNullable<RequestInit['body']> | null,
  headers: Record<string, string> = authorized,
): RequestInit => ({
  method: 'POST',
  headers,
  body,
})
const json = { 'content-type': 'application/json' }

describe('the first failing check decides the response (SPEC-34)', () => {
  test.each<[string, string, () => RequestInit, string]>([
    ['no such path, no token', '/v1/Logistics/Nothing', () => post('{'), 'UnknownOperation'],
    ['another casing of a path', path.toLowerCase(), () => post('{}'), 'UnknownOperation'],
    ['a slash too many', `${path}/`, () => post('{}'), 'UnknownOperation'],
    ['a malformed path', '/v1/%', () => post('{}'), 'UnknownOperation'],
    ['the root', '/', () => ({}), 'UnknownOperation'],
    ['another method, no token', path, () => ({ method: 'GET' }), 'MethodNotAllowed'],
    ['no token, no JSON', path, () => post('{', json), 'Unauthorized'],
    ['no token, another type', path, () => post('<x/>', { 'content-type': 'text/xml' }), 'Unauthorized'],
    ['no token, too large', path, () => post('x'.repeat(5_000), json), 'Unauthorized'],
    ['another scheme', path, () => post('{}', { ...json, authorization: 'Basic YTpi' }), 'Unauthorized'],
    ['another type', path, () => post('{}', { ...authorized, 'content-type': 'text/plain' }), 'UnsupportedMediaType'],
    ['a form', path, () => post(new URLSearchParams({ pageNo: '1' }), untyped()), 'UnsupportedMediaType'],
    ['no type', path, () => post(new Blob(['{}']), untyped()), 'UnsupportedMediaType'],
    ['an encoding', path, () => post('{}', { ...authorized, 'content-encoding': 'gzip' }), 'UnsupportedMediaType'],
    ['an unknown encoding', path, () => post('{', { ...authorized, 'content-encoding': 'x' }), 'UnsupportedMediaType'],
    ['no token, an encoding', path, () => post('{}', { ...json, 'content-encoding': 'gzip' }), 'Unauthorized'],
    ['a token request, encoded', tokenPath, () => post('a=b', { 'content-encoding': 'br' }), 'UnsupportedMediaType'],
    ['too large', path, () => post(`"${'x'.repeat(5_000)}"`), 'RequestTooLarge'],
    ['no body', path, () => post(null), 'InvalidRequest'],
    ['half a body', path, () => post('{"pageNo":'), 'InvalidRequest'],
    ['not UTF-8', path, () => post(Buffer.from([0x7b, 0xff, 0x7d])), 'InvalidRequest'],
    ['a lone surrogate in a text', path, () => post('{"userUid":"\\ud83d"}'), 'InvalidRequest'],
    ['a lone surrogate in an unknown field', path, () => post('{"other":["\\ude00"]}'), 'InvalidRequest'],
    ['a lone surrogate in a key', path, () => post('{"\\udfff":1}'), 'InvalidRequest'],
    ['an array', path, () => post('[]'), 'InvalidRequest'],
    ['null', path, () => post('null'), 'InvalidRequest'],
    ['brackets in brackets', path, () => post('['.repeat(2_000) + ']'.repeat(2_000)), 'InvalidRequest'],
  ])('%s', async (_name, to, request, error) => {
    expectFailure(await service.send(to, request()), error)
  })

  const untyped = () => ({ authorization: String(authorized.authorization) })
})

test('every offending field is named', async () => {
  const { body } = await service.call('GetShipments', { pageNo: 0, pageSize: 'many', sortBy: 'Colour' })
  expect(body.error).toBe('InvalidRequest')
  for (const field of ['pageNo', 'pageSize', 'sortBy']) expect(body.message).toContain(field)
})

test.each<[keyof typeof identified, unknown]>([
  ['GetShipments', 7],
  ['GetShipments', 'u'.repeat(65)],
  ['RemoveAccount', 7],
  ['RemoveAccount', 'u'.repeat(65)],
  ['CancelShipment', ['u']],
  ['CancelShipment', 'u'.repeat(65)],
  ['CreateLocalShipmentAsStock', {}],
  ['CreateLocalShipmentAsStock', 'u'.repeat(65)],
])('%s: an identifier like %j is an invalid request', async (name, uid) => {
  const [field, others] = identified[name]
  const { body } = await service.call(name, { ...others, [field]: uid })
  expect(body).toMatchObject({ error: 'InvalidRequest', message: expect.stringContaining(`${field}: `) })
  // One that could exist has a code of its own.
  const unknown = await service.call(name, { ...others, [field]: 'u'.repeat(64) })
  expect(unknown.body.error).not.toBe('InvalidRequest')
})

const identified = {
  GetShipments: ['userUid', {}],
  RemoveAccount: ['userUid', {}],
  CancelShipment: ['shipmentUid', {}],
  CreateLocalShipmentAsStock: [
    'PupUid',
    { AllowLargerLockers: true, AllowOverflowLockers: false, Dimension: { Length: 1, Width: 1, Height: 1 } },
  ],
} as const

test('a body is UTF-8 whatever charset its type names', async () => {
  const headers = { ...authorized, 'content-type': 'application/json; charset=iso-8859-1' }
  const utf8 = await service.send(path, post('{"userUid":"é","pageNo":0}', headers))
  expect(utf8.body.message).toMatch(/^pageNo: [^;]*$/)
  expectFailure(await service.send(path, post(Buffer.from('{"userUid":"é"}', 'latin1'), headers)), 'InvalidRequest')
})

test.each([
  ['header', ''],
  ['body', 'Host: a\r\nContent-Length: 9\r\nContent-Type: application/json\r\n\r\n{'],
])('a request whose %s stops arriving ends at the limit', async (_name, rest) => {
  const own = await start({ requestTimeout: 300 })
  const bearer = rest === '' ? '' : `Authorization: Bearer ${await own.token()}\r\n`
  const startedAt = performance.now()
  const socket = connect(own.port, '127.0.0.1')
  socket.write(`POST ${path} HTTP/1.1\r\n${bearer}${rest}`)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 408 /)
  const message = 'The request must arrive completely within 0.3 seconds.'
  expect(JSON.parse(body)).toEqual(failed('InvalidRequest', message))
  // Node.js would end it after a minute.
  expect(performance.now() - startedAt).toBeLessThan(30_000)
})

test('brackets that exhaust the stack are an unreadable request', async () => {
  const own = await start({ bodyLimit: 1_048_576 })
  const headers = { ...json, authorization: `Bearer ${await own.token()}` }
  const brackets = '['.repeat(400_000) + ']'.repeat(400_000)
  for (const body of [brackets, `{"other":${brackets}}`])
    expectFailure(await own.send(path, post(body, headers)), 'InvalidRequest')
})

test('the encoding identity and an escaped whole character are accepted', async () => {
  const headers = { ...authorized, 'content-encoding': 'Identity' }
  expect((await service.send(path, post('{"userUid":"\\ud83d\\ude00"}', headers))).status).toBe(200)
  const encoded = await service.send(path, post('{}', { ...authorized, 'content-encoding': 'gzip' }))
  expect(encoded.headers.get('accept-encoding')).toBe('identity')
})

test.each([
  [path, 'POST'],
  ['/v1/Logistics/%47etShipments', 'POST'],
  ['/v1/Logistics/GetShipment%73?a=%', 'POST'],
  ['/connect/token', 'POST'],
  ['/health/live', 'GET, HEAD'],
])('%s reports that it must be called with %s', async (to, allow) => {
  const response = await service.send(to, { method: 'DELETE' })
  expectFailure(response, 'MethodNotAllowed')
  expect(response.headers.get('allow')).toBe(allow)
})

test('a missing token and an invalid token have different errors (SPEC-84)', async () => {
  const missing = await service.call('GetShipments', {}, { token: null })
  expect(missing.headers.get('www-authenticate')).toBe('Bearer realm="lockerflow"')
  const bad = await service.call('GetShipments', {}, { token: 'x.y.z' })
  expect(bad.headers.get('www-authenticate')).toBe('Bearer realm="lockerflow", error="invalid_token"')
})

test.each(['Basic x', 'Bearer', 'x.y.z'])(
  'the header Authorization: %s counts as a missing token',
  async authorization => {
    const { status, headers } = await service.send(path, post('{}', { authorization }))
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer realm="lockerflow"')
  },
)

test('an internal error returns the request id, and no details', async () => {
  const own = await start()
  await own.token()
  await own.store.schema.dropTable('pick_up_point_tenants').execute()
  const response = await own.call('GetPickUpPoints', {}, { headers: { 'x-request-id': 'id-1' } })
  expectFailure(response, 'InternalError')
  expect(response.body).toEqual(failed('InternalError', 'The service failed; the request id is id-1.'))
  expect(own.lines).toContainEqual(expect.objectContaining({ requestId: 'id-1', msg: 'request failed' }))
})

test('a store that another process has locked makes the service unavailable until the lock is released', async () => {
  const databaseUrl = await temporaryStore()
  const own = await start({ databaseUrl, lockTimeout: 20 })
  await own.token()
  const letGo = await holdStore(await start({ databaseUrl }))
  const response = await own.call('GetPickUpPoints', {})
  expectFailure(response, 'Unavailable')
  expect(response.headers.get('retry-after')).toBe('1')
  await letGo()
  expect((await own.call('GetPickUpPoints', {})).status).toBe(200)
})

test('a lost store makes the service unavailable and not ready', async () => {
  const own = await start()
  await own.token()
  await own.store.destroy()
  expectFailure(await own.call('GetPickUpPoints', {}), 'Unavailable')
  expect(await own.send('/health/ready')).toMatchObject({
    status: 503,
    body: { success: false, error: 'Unavailable', ready: false, missing: [{ name: 'store' }] },
  })
  expect((await own.send('/health/live')).status).toBe(200)
})

test('a client above its rate limit gets Retry-After, and others are served', async () => {
  const frozen = Date.now()
  let ahead = 0
  const own = await start({ rateLimit: 2, clock: () => frozen + ahead })
  const call = async (client = 'acme') => own.call('GetPickUpPoints', {}, { client })
  for (let request = 0; request < 4; request++) expect((await call()).status).toBe(200)
  const limited = await call()
  expectFailure(limited, 'RateLimited')
  expect(limited.headers.get('retry-after')).toBe('1')
  expect((await call('globex')).status).toBe(200)
  ahead = 500
  expect((await call()).status).toBe(200)
  expect((await call()).status).toBe(429)
  // A long pause allows no more than the burst.
  ahead = 60_000
  for (let request = 0; request < 4; request++) expect((await call()).status).toBe(200)
  expect((await call()).status).toBe(429)
  // A clock that is set back takes nothing away.
  expect((await call('globex')).status).toBe(200)
  ahead = 0
  expect((await call('globex')).status).toBe(200)
})

test('malformed HTTP gets an envelope too', async () => {
  const socket = connect(service.port, '127.0.0.1')
  socket.end('this is not HTTP\r\n\r\n')
  const [head, body] = (await text(socket)).split('\r\n\r\n')
  expect(head).toContain('400 Bad Request')
  expect(head).toContain('x-request-id: ')
  expect(JSON.parse(String(body))).toMatchObject({ success: false, error: 'InvalidRequest' })
})

async function start(...settings: Parameters<typeof startTestService>): Promise<TestService> {
  const own = await startTestService(...settings)
  onTestFinished(() => own.stop())
  return own
}
