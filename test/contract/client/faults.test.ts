import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect } from 'vitest'
import { halfAnswer, json, type Reply, raw, reset, startStandIn } from '../../support/servers/apiStandIn.ts'
import { faultOf, stockRequest, test } from '../../support/world/apiTest.ts'

const refusing = (code: string) => ({ success: false, error: code, message: 'said the service' })

const wire: Record<
  string,
  { reply: Reply; code: string; status?: number; retryable: boolean; outcomeUnknown: boolean }
> = {
  'reset after the request': { reply: reset, code: 'NoResponse', retryable: true, outcomeUnknown: true },
  'half an answer': { reply: halfAnswer, code: 'NoResponse', retryable: true, outcomeUnknown: true },
  'not JSON': {
    reply: raw(200, '<html>'),
    code: 'MalformedResponse',
    status: 200,
    retryable: true,
    outcomeUnknown: true,
  },
  'an empty answer': {
    reply: raw(204, ''),
    code: 'MalformedResponse',
    status: 204,
    retryable: true,
    outcomeUnknown: true,
  },
  'no object': { reply: json(200, []), code: 'MalformedResponse', status: 200, retryable: true, outcomeUnknown: true },
  'fields of the wrong shape': {
    reply: json(200, { success: true, shipmentUids: 'S1' }),
    code: 'MalformedResponse',
    status: 200,
    retryable: true,
    outcomeUnknown: true,
  },
  'a success without its fields': {
    reply: json(200, { message: null }),
    code: 'MalformedResponse',
    status: 200,
    retryable: true,
    outcomeUnknown: true,
  },
  'a redirect, which is not followed': {
    reply: raw(307, '', { location: '/elsewhere' }),
    code: 'MalformedResponse',
    status: 307,
    retryable: true,
    outcomeUnknown: true,
  },
  "a proxy's page": {
    reply: raw(502, '<h1>Bad gateway</h1>'),
    code: 'InternalError',
    status: 502,
    retryable: true,
    outcomeUnknown: true,
  },
  "a proxy's sentence in place of a code": {
    reply: json(500, { error: 'upstream went away', message: null }),
    code: 'InternalError',
    status: 500,
    retryable: true,
    outcomeUnknown: true,
  },
}

test('a response that does not match names its fields, in a text that can be shown', async ({ standIn, api }) => {
  const items = Array.from({ length: 20 }, () => ({ shipmentUid: 7, stateCode: 'of Robin Reader' }))
  standIn.operation = json(200, { success: true, items })
  const { reason = '' } = await faultOf(api.call('GetShipments', {}))
  expect(reason).toMatch(/^GetShipments: items\[0\]\.shipmentUid: .*; .*; .*; and \d+ more$/)
  expect(reason).not.toContain('Robin')
})

describe('a network fault reports whether the create may have been done', () => {
  for (const [name, { reply, ...expected }] of Object.entries(wire)) {
    test(name, async ({ standIn, api }) => {
      standIn.operation = reply
      const fault = await faultOf(api.call('CreateLocalShipmentAsStock', stockRequest))
      expect(fault).toMatchObject({ status: undefined, ...expected })
      expect(standIn.at('AsStock')).toHaveLength(1)
    })
  }

  test('a refused connection has certainly done nothing', async ({ connect }) => {
    const gone = await startStandIn()
    await gone.stop()
    const api = connect({ baseUrl: gone.url })
    const fault = await faultOf(api.call('CreateLocalShipmentAsStock', stockRequest))
    expect(fault).toMatchObject({
      code: 'ServiceUnreachable',
      retryable: true,
      outcomeUnknown: false,
      status: undefined,
    })
  })

  test('a refused sign-in has certainly done nothing', async ({ standIn, connect }) => {
    const gone = await startStandIn()
    await gone.stop()
    const fault = await faultOf(connect({ authUrl: gone.url }).call('CreateLocalShipmentAsStock', stockRequest))
    expect(fault).toMatchObject({ code: 'SignInFailed', retryable: true, outcomeUnknown: false })
    expect(standIn.seen).toHaveLength(0)
  })

  test('a connection that is reset while the request arrives', async ({ connect }) => {
    const resetting = createServer(socket => socket.once('data', () => socket.resetAndDestroy())).listen(0, '127.0.0.1')
    await once(resetting, 'listening')
    const { port } = resetting.address() as AddressInfo
    const api = connect({ baseUrl: `http://127.0.0.1:${port}` })
    const fault = await faultOf(api.call('CreateLocalShipmentAsStock', stockRequest))
    resetting.close()
    expect(fault).toMatchObject({ code: 'NoResponse', retryable: true, outcomeUnknown: true })
  })
})

const statuses = [
  { status: 400, code: 'InvalidRequest', retryable: false, outcomeUnknown: false },
  { status: 401, code: 'Unauthorized', retryable: true, outcomeUnknown: false },
  { status: 403, code: 'Forbidden', retryable: true, outcomeUnknown: false },
  { status: 404, code: 'UnknownOperation', retryable: false, outcomeUnknown: false },
  { status: 405, code: 'MethodNotAllowed', retryable: false, outcomeUnknown: false },
  { status: 409, code: 'IdempotencyKeyInUse', retryable: true, outcomeUnknown: true },
  { status: 413, code: 'RequestTooLarge', retryable: false, outcomeUnknown: false },
  { status: 415, code: 'UnsupportedMediaType', retryable: false, outcomeUnknown: false },
  { status: 422, code: 'IdempotencyKeyReused', retryable: false, outcomeUnknown: false },
  { status: 429, code: 'RateLimited', retryable: true, outcomeUnknown: false },
  { status: 500, code: 'InternalError', retryable: true, outcomeUnknown: true },
  { status: 503, code: 'Unavailable', retryable: true, outcomeUnknown: true },
]

describe('an error status is mapped with and without an error code of the service', () => {
  test.for(statuses)('$status $code', async (row, { standIn, api }) => {
    standIn.operation = raw(row.status, 'no JSON here')
    expect(await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))).toMatchObject(row)
    standIn.operation = json(row.status, refusing('OfItsOwn'))
    const coded = await faultOf(api.call('CreateLocalShipmentAsStock', stockRequest, { idempotencyKey: 'key-1' }))
    expect(coded).toMatchObject({ ...row, code: 'OfItsOwn' })
    expect(coded.message).toContain('said the service')
  })

  // Without a key, 409 can only be about the request.
  test.for([
    { code: 'OfItsOwn', success: false, retryable: false, outcomeUnknown: false },
    { code: 'IdempotencyKeyInUse', success: false, retryable: true, outcomeUnknown: true },
    { code: 'Conflict', success: false, retryable: true, outcomeUnknown: true },
    { code: 'Timeout', success: false, retryable: true, outcomeUnknown: true },
    { code: 'OfItsOwn', success: undefined, retryable: true, outcomeUnknown: true },
  ])('409 without a key, $code and success $success', async ({ success, ...expected }, { standIn, api }) => {
    standIn.operation = json(409, { success, error: expected.code, message: 'said the service' })
    expect(await faultOf(api.call('CreateLocalShipmentAsStock', stockRequest))).toMatchObject(expected)
    expect(await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))).toMatchObject(expected)
  })
})

describe('Retry-After', () => {
  test.for([
    { header: '7', seconds: 7 },
    { header: 'soon', seconds: undefined },
  ])('$header', async ({ header, seconds }, { standIn, api }) => {
    standIn.operation = json(429, refusing('RateLimited'), { 'retry-after': header })
    const { retryAfter } = await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))
    expect(retryAfter).toBe(seconds)
  })

  test('a date', async ({ standIn, api }) => {
    const date = new Date(Date.now() + 90_000).toUTCString()
    standIn.operation = json(429, refusing('RateLimited'), { 'retry-after': date })
    const begun = Date.now()
    const { retryAfter = 0 } = await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))
    // The response arrives between these two moments. A date of HTTP has whole seconds.
    const left = (now: number) => (Date.parse(date) - now) / 1_000
    expect(retryAfter).toBeLessThanOrEqual(left(begun) + 1)
    expect(retryAfter).toBeGreaterThanOrEqual(left(Date.now()) - 1)
  })
})
