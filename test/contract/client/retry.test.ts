import { describe, expect } from 'vitest'
import {
  close,
  halfAnswer,
  held,
  json,
  noResponse,
  type Reply,
  raw,
  reset,
  success,
} from '../../support/servers/apiStandIn.ts'
import { faultOf, page, stockRequest, test } from '../../support/world/apiTest.ts'

const found = json(200, { ...success, ...page })

/** The given replies in turn, the last one again and again. */
const inTurn =
  (...replies: Reply[]): Reply =>
  (response, seen, earlier) =>
    (replies[earlier] ?? replies.at(-1))?.(response, seen, earlier)

describe('repeating', () => {
  test('a read is retried after transient faults', async ({ standIn, api }) => {
    standIn.operation = inTurn(reset, raw(503, ''), found)
    expect(await api.call('GetShipments', {})).toEqual(page)
    expect(standIn.at('GetShipments')).toHaveLength(3)
  })

  test('a read is retried twice at most', async ({ standIn, api }) => {
    standIn.operation = raw(503, '')
    expect(await faultOf(api.call('GetShipments', {}))).toMatchObject({ code: 'Unavailable' })
    expect(standIn.at('GetShipments')).toHaveLength(3)
  })

  test('the number of retries is a setting', async ({ standIn, connect }) => {
    standIn.operation = raw(503, '')
    await faultOf(connect({ readRetries: 0 }).call('GetShipments', {}))
    expect(standIn.at('GetShipments')).toHaveLength(1)
  })

  test('a short Retry-After is honoured', async ({ standIn, api }) => {
    standIn.operation = inTurn(raw(429, '', { 'retry-after': '1' }), found)
    const began = performance.now()
    await api.call('GetShipments', {})
    expect(performance.now() - began).toBeGreaterThanOrEqual(990)
  })

  test('a long Retry-After is left to the caller', async ({ standIn, api }) => {
    standIn.operation = raw(429, '', { 'retry-after': '30' })
    expect(await faultOf(api.call('GetShipments', {}))).toMatchObject({ retryAfter: 30 })
    expect(standIn.at('GetShipments')).toHaveLength(1)
  })

  test('changes and creates are sent once', async ({ standIn, api }) => {
    standIn.operation = raw(503, '')
    await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))
    await faultOf(api.call('CreateLocalShipmentAsStock', stockRequest))
    expect(standIn.at('CancelShipment')).toHaveLength(1)
    expect(standIn.at('AsStock')).toHaveLength(1)
  })
})

describe('a create with a key', () => {
  const booked = json(200, { ...success, shipmentUids: ['S1'] })
  const key = { idempotencyKey: 'key-1' }

  test.for([
    { way: 'resets', closed: reset },
    { way: 'closes', closed: close },
  ])('is repeated on a new connection if the server $way the kept one', async ({ closed }, { standIn, api }) => {
    const [one, other, last] = [held(found), held(found), held(found)]
    standIn.operation = inTurn(one.reply, other.reply, last.reply)
    const read = () => api.call('GetShipments', {})
    const reads = [read(), read()]
    await Promise.all([one.arrived, other.arrived])
    one.release()
    other.release()
    await Promise.all(reads)
    const kept = new Set<unknown>(standIn.connections)

    const reading = read()
    await last.arrived
    standIn.operation = async (response, ...rest) => {
      const isKept = kept.has(response.socket)
      // The other kept connection becomes free before this one is closed.
      if (isKept) last.release()
      await reading
      return (isKept ? closed : booked)(response, ...rest)
    }
    expect(await api.call('CreateLocalShipmentAsStock', stockRequest, key)).toEqual({ shipmentUids: ['S1'] })
    const keys = standIn.at('AsStock').map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual(['key-1', 'key-1'])
  })

  test.for([
    { fault: 'after the second one', reply: reset, sent: 2 },
    { fault: 'after a response that says nothing about the first one', reply: inTurn(reset, raw(429, '')), sent: 2 },
    { fault: 'after the beginning of a response', reply: halfAnswer, sent: 1 },
    { fault: 'after a timeout', reply: noResponse, sent: 1, create: 500 },
    { fault: 'if the caller repeats it', reply: reset, sent: 1, repeatCreate: false },
  ])('is not repeated $fault', async ({ reply, sent, create = 60_000, repeatCreate = true }, { standIn, connect }) => {
    standIn.operation = reply
    const api = connect({ timeouts: { create } })
    const fault = await faultOf(api.call('CreateLocalShipmentAsStock', stockRequest, { ...key, repeatCreate }))
    expect(fault).toMatchObject({ code: 'NoResponse', outcomeUnknown: true })
    expect(standIn.at('AsStock')).toHaveLength(sent)
  })
})
