import { getEventListeners, once } from 'node:events'
import { describe, expect } from 'vitest'
import { createApi } from '#contract/client'
import { held, json, noResponse, success } from '../../support/servers/apiStandIn.ts'
import { faultOf, page, stockRequest, test } from '../../support/world/apiTest.ts'
import { apiSettings } from '../../support/world/settings.ts'

/** Milliseconds; enough for a busy machine to connect and to send the request, which the stand-in never answers. */
const short = { read: 3_000, change: 3_000 }
const created = json(200, { ...success, shipmentUids: ['S1'] })

describe('how long a call waits', () => {
  test('a read and a change time out, a create of the same duration does not', async ({ standIn, connect }) => {
    const create = held(created)
    standIn.operation = (...request) => (request[1].path.endsWith('AsStock') ? create.reply : noResponse)(...request)
    const api = connect({ timeouts: short, readRetries: 0 })
    const booking = api.call('CreateLocalShipmentAsStock', stockRequest)
    await create.arrived
    const timedOut = { code: 'NoResponse', retryable: true, outcomeUnknown: true, status: undefined }
    expect(await faultOf(api.call('GetShipments', {}))).toMatchObject(timedOut)
    expect(await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))).toMatchObject(timedOut)
    create.release()
    expect(await booking).toEqual({ shipmentUids: ['S1'] })
  })

  test('a read that times out closes its connection', async ({ standIn, connect }) => {
    const closed = Promise.withResolvers<void>()
    standIn.operation = response => void once(response, 'close').then(() => closed.resolve())
    await faultOf(connect({ timeouts: short, readRetries: 0 }).call('GetShipments', {}))
    await closed.promise
  })

  test('a slow body times out like slow headers', async ({ standIn, connect }) => {
    standIn.operation = response => response.writeHead(200).write('{')
    const api = connect({ timeouts: short, readRetries: 0 })
    expect(await faultOf(api.call('GetShipments', {}))).toMatchObject({ code: 'NoResponse', outcomeUnknown: true })
  })

  test('a create without a response times out in the end', async ({ standIn, connect }) => {
    standIn.operation = noResponse
    const fault = await faultOf(
      connect({ timeouts: { create: 3_000 } }).call('CreateLocalShipmentAsStock', stockRequest),
    )
    expect(fault).toMatchObject({ code: 'NoResponse', retryable: true, outcomeUnknown: true })
    expect(standIn.at('AsStock')).toHaveLength(1)
  })

  test('a request without a free connection has certainly not been done', async ({ standIn, connect }) => {
    const create = held(created)
    standIn.operation = create.reply
    const api = connect({ timeouts: short, connections: 1 })
    const booking = api.call('CreateLocalShipmentAsStock', stockRequest)
    await create.arrived
    const fault = await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))
    expect(fault).toMatchObject({ code: 'ServiceUnreachable', retryable: true, outcomeUnknown: false })
    create.release()
    await booking
    // The one connection takes requests in order: what was given up would have come before this one.
    await api.call('CreateLocalShipmentAsStock', stockRequest)
    expect(standIn.at('CancelShipment')).toHaveLength(0)
  })
})

describe("the caller's signal", () => {
  test('aborts a read and a change immediately', async ({ standIn, api }) => {
    for (const call of [
      (signal: AbortSignal) => api.call('GetShipments', {}, { signal }),
      (signal: AbortSignal) => api.call('CancelShipment', { shipmentUid: 'S1' }, { signal }),
    ]) {
      const waiting = held(noResponse)
      standIn.operation = waiting.reply
      const controller = new AbortController()
      const ending = faultOf(call(controller.signal))
      await waiting.arrived
      controller.abort()
      expect(await ending).toMatchObject({ code: 'CallAborted', outcomeUnknown: true })
    }
    expect(standIn.at('GetShipments')).toHaveLength(1)
  })

  test('aborted before the call sends nothing', async ({ standIn, api }) => {
    const ending = faultOf(api.call('GetShipments', {}, { signal: AbortSignal.abort() }))
    expect(await ending).toMatchObject({ code: 'CallAborted', outcomeUnknown: false })
    expect(standIn.at('GetShipments')).toHaveLength(0)
  })

  test('does not abort a create', async ({ standIn, api }) => {
    const create = held(created)
    standIn.operation = create.reply
    const controller = new AbortController()
    const booking = api.call('CreateLocalShipmentAsStock', stockRequest, { signal: controller.signal })
    await create.arrived
    controller.abort()
    create.release()
    expect(await booking).toEqual({ shipmentUids: ['S1'] })
  })

  test('does not abort the token request of other calls', async ({ standIn, api }) => {
    const token = held(standIn.token)
    standIn.token = token.reply
    standIn.operation = json(200, { ...success, ...page })
    const controller = new AbortController()
    const given = faultOf(api.call('GetShipments', {}, { signal: controller.signal }))
    const other = api.call('GetShipments', {})
    await token.arrived
    const reason = new Error('the caller has gone')
    controller.abort(reason)
    const fault = await given
    expect(fault).toMatchObject({ code: 'CallAborted', outcomeUnknown: false })
    expect(fault.cause).toHaveProperty('cause.cause', reason)
    token.release()
    expect(await other).toEqual(page)
    expect(standIn.at('/connect/token')).toHaveLength(1)
  })
})

test('closing waits for the calls in flight', async ({ standIn, api }) => {
  const create = held(created)
  standIn.operation = create.reply
  const booking = api.call('CreateLocalShipmentAsStock', stockRequest)
  await create.arrived
  const closing = api.close()
  expect(await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))).toMatchObject({ outcomeUnknown: false })
  create.release()
  expect(await booking).toEqual({ shipmentUids: ['S1'] })
  await closing
})

test('closing cuts off calls that their caller can abort too', async ({ standIn, connect }) => {
  const change = held(noResponse)
  standIn.operation = change.reply
  const api = connect({ closeTimeout: 100, timeouts: { change: 60_000 } })
  const { signal } = new AbortController()
  const changing = faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }, { signal }))
  await change.arrived
  await api.close()
  const closed = { code: 'NoResponse', message: expect.stringContaining('cut off by close'), outcomeUnknown: true }
  expect(await changing).toMatchObject(closed)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('closing cuts calls off after its timeout, creates too', async ({ standIn, connect }) => {
  const create = held(noResponse)
  standIn.operation = create.reply
  const api = connect({ closeTimeout: 100 })
  const booking = faultOf(api.call('CreateLocalShipmentAsStock', stockRequest))
  await create.arrived
  await api.close()
  expect(await booking).toMatchObject({ code: 'NoResponse', retryable: true, outcomeUnknown: true })
})

describe('settings', () => {
  // Node ends a longer timer after a millisecond, so a create would be cut off while it books.
  test.for([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])('refuses the timeout %d', length => {
    const settings = { ...apiSettings('http://127.0.0.1:1'), timeouts: { create: length } }
    expect(() => createApi(settings)).toThrow(/^timeouts\.create: must be milliseconds from 1 to 2147483647, not /)
  })

  test.for([-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])('refuses the timeout of close %d', closeTimeout => {
    const settings = { ...apiSettings('http://127.0.0.1:1'), closeTimeout }
    expect(() => createApi(settings)).toThrow(/^closeTimeout: must be milliseconds from 0 to 2147483647, not /)
  })

  test.for([
    ['readRetries', -1, 0],
    ['readRetries', 1.5, 0],
    ['readRetries', Number.POSITIVE_INFINITY, 0],
    ['readRetries', Number.NaN, 0],
    ['connections', 0, 1],
  ] as const)('refuses the %s %d', ([field, number, least]) => {
    const settings = { ...apiSettings('http://127.0.0.1:1'), [field]: number }
    expect(() => createApi(settings)).toThrow(`${field}: must be a whole number of at least ${least}, not ${number}.`)
  })

  test('an undefined timeout is the default', async ({ standIn, connect }) => {
    standIn.operation = json(200, { ...success, ...page })
    const unset: object = { read: undefined }
    expect(await connect({ timeouts: unset, readRetries: 0 }).call('GetShipments', {})).toEqual(page)
  })

  test.for([
    ['baseUrl', 'nonsense'],
    ['baseUrl', 'localhost:8080'],
    ['authUrl', 'nonsense'],
    ['authUrl', 'ftp://127.0.0.1'],
  ] as const)('refuses the %s %s', ([field, address]) => {
    const settings = { ...apiSettings('http://127.0.0.1:1'), [field]: address }
    expect(() => createApi(settings)).toThrow(new TypeError(`${field}: must be an http or https address.`))
  })
})
