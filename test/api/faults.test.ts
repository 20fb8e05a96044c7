import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect } from 'vitest'
import { halfAnswer, json, type Reply, raw, reset, startFarSide } from './farSide.ts'
import { faultOf, stockRequest, test } from './fixture.ts'

const refusing = (code: string) => ({ success: false, error: code, message: 'said the service' })

const wire: Record<string, { reply: Reply; code: string; status?: number; retryable: boolean; maybeDone: boolean }> = {
  'reset after the request': { reply: reset, code: 'NoAnswer', retryable: true, maybeDone: true },
  'half an answer': { reply: halfAnswer, code: 'NoAnswer', retryable: true, maybeDone: true },
  'not JSON': { reply: raw(200, '<html>'), code: 'StrangeAnswer', status: 200, retryable: true, maybeDone: true },
  'an empty answer': { reply: raw(204, ''), code: 'StrangeAnswer', status: 204, retryable: true, maybeDone: true },
  'no object': { reply: json(200, []), code: 'StrangeAnswer', status: 200, retryable: true, maybeDone: true },
  'fields of the wrong shape': {
    reply: json(200, { success: true, shipmentUids: 'S1' }),
    code: 'StrangeAnswer',
    status: 200,
    retryable: true,
    maybeDone: true,
  },
  'a success without its fields': {
    reply: json(200, { message: null }),
    code: 'StrangeAnswer',
    status: 200,
    retryable: true,
    maybeDone: true,
  },
  'a redirect, which is not followed': {
    reply: raw(307, '', { location: '/elsewhere' }),
    code: 'StrangeAnswer',
    status: 307,
    retryable: true,
    maybeDone: true,
  },
  "a proxy's page": {
    reply: raw(502, '<h1>Bad gateway</h1>'),
    code: 'InternalError',
    status: 502,
    retryable: true,
    maybeDone: true,
  },
  "a proxy's sentence in place of a code": {
    reply: json(500, { error: 'upstream went away', message: null }),
    code: 'InternalError',
    status: 500,
    retryable: true,
    maybeDone: true,
  },
}

describe('a fault at the wire says whether the create may have been done', () => {
  for (const [name, { reply, ...expected }] of Object.entries(wire)) {
    test(name, async ({ farSide, api }) => {
      farSide.operation = reply
      const fault = await faultOf(api.call('CreateLocalShipmentAsStock', stockRequest))
      expect(fault).toMatchObject({ status: undefined, ...expected })
      expect(farSide.at('AsStock')).toHaveLength(1)
    })
  }

  test('a refused connection has surely done nothing', async ({ connect }) => {
    const gone = await startFarSide()
    await gone.stop()
    const api = connect({ baseUrl: gone.url })
    const fault = await faultOf(api.call('CreateLocalShipmentAsStock', stockRequest))
    expect(fault).toMatchObject({ code: 'ServiceUnreachable', retryable: true, maybeDone: false, status: undefined })
  })

  test('so has a refused sign-in', async ({ farSide, connect }) => {
    const gone = await startFarSide()
    await gone.stop()
    const fault = await faultOf(connect({ authUrl: gone.url }).call('CreateLocalShipmentAsStock', stockRequest))
    expect(fault).toMatchObject({ code: 'SignInFailed', retryable: true, maybeDone: false })
    expect(farSide.seen).toHaveLength(0)
  })

  test('a connection that is reset while the request arrives', async ({ connect }) => {
    const resetting = createServer(socket => socket.once('data', () => socket.resetAndDestroy())).listen(0, '127.0.0.1')
    await once(resetting, 'listening')
    const { port } = resetting.address() as AddressInfo
    const api = connect({ baseUrl: `http://127.0.0.1:${port}` })
    const fault = await faultOf(api.call('CreateLocalShipmentAsStock', stockRequest))
    resetting.close()
    expect(fault).toMatchObject({ code: 'NoAnswer', retryable: true, maybeDone: true })
  })
})

const statuses = [
  { status: 400, code: 'InvalidRequest', retryable: false, maybeDone: false },
  { status: 401, code: 'Unauthorized', retryable: true, maybeDone: false },
  { status: 403, code: 'Forbidden', retryable: true, maybeDone: false },
  { status: 404, code: 'UnknownOperation', retryable: false, maybeDone: false },
  { status: 405, code: 'MethodNotAllowed', retryable: false, maybeDone: false },
  { status: 409, code: 'IdempotencyKeyInUse', retryable: true, maybeDone: true },
  { status: 413, code: 'RequestTooLarge', retryable: false, maybeDone: false },
  { status: 415, code: 'UnsupportedMediaType', retryable: false, maybeDone: false },
  { status: 422, code: 'IdempotencyKeyReused', retryable: false, maybeDone: false },
  { status: 429, code: 'RateLimited', retryable: true, maybeDone: false },
  { status: 500, code: 'InternalError', retryable: true, maybeDone: true },
  { status: 503, code: 'Unavailable', retryable: true, maybeDone: true },
]

describe('a failing status has a meaning with and without a code of the service', () => {
  test.for(statuses)('$status $code', async (row, { farSide, api }) => {
    farSide.operation = raw(row.status, 'no JSON here')
    expect(await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))).toMatchObject(row)
    farSide.operation = json(row.status, refusing('OfItsOwn'))
    const coded = await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))
    expect(coded).toMatchObject({ ...row, code: 'OfItsOwn' })
    expect(coded.message).toContain('said the service')
  })
})

describe('Retry-After', () => {
  const date = new Date(Date.now() + 90_000).toUTCString()
  test.for([
    { header: '7', seconds: 7 },
    { header: date, seconds: 90 },
    { header: 'soon', seconds: undefined },
  ])('$header', async ({ header, seconds }, { farSide, api }) => {
    farSide.operation = json(429, refusing('RateLimited'), { 'retry-after': header })
    const { retryAfter } = await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))
    if (seconds === undefined) expect(retryAfter).toBeUndefined()
    else expect(Math.abs((retryAfter ?? 0) - seconds)).toBeLessThan(3)
  })
})
