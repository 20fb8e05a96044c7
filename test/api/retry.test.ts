import { describe, expect } from 'vitest'
import { json, type Reply, raw, reset, success } from '../support/servers/apiStandIn.ts'
import { faultOf, page, stockRequest, test } from '../support/world/apiTest.ts'

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
