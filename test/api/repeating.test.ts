import { describe, expect } from 'vitest'
import { json, type Reply, raw, reset, success } from './farSide.ts'
import { faultOf, page, stockRequest, test } from './fixture.ts'

const found = json(200, { ...success, ...page })

/** The given replies in turn, the last one again and again. */
const inTurn =
  (...replies: Reply[]): Reply =>
  (response, seen, earlier) =>
    (replies[earlier] ?? replies.at(-1))?.(response, seen, earlier)

describe('repeating', () => {
  test('a read is repeated after faults that a moment mends', async ({ farSide, api }) => {
    farSide.operation = inTurn(reset, raw(503, ''), found)
    expect(await api.call('GetShipments', {})).toEqual(page)
    expect(farSide.at('GetShipments')).toHaveLength(3)
  })

  test('a read is repeated twice and no more', async ({ farSide, api }) => {
    farSide.operation = raw(503, '')
    expect(await faultOf(api.call('GetShipments', {}))).toMatchObject({ code: 'Unavailable' })
    expect(farSide.at('GetShipments')).toHaveLength(3)
  })

  test('the number of repetitions is a setting', async ({ farSide, connect }) => {
    farSide.operation = raw(503, '')
    await faultOf(connect({ readRetries: 0 }).call('GetShipments', {}))
    expect(farSide.at('GetShipments')).toHaveLength(1)
  })

  test('a short Retry-After is waited for', async ({ farSide, api }) => {
    farSide.operation = inTurn(raw(429, '', { 'retry-after': '1' }), found)
    const began = performance.now()
    await api.call('GetShipments', {})
    expect(performance.now() - began).toBeGreaterThanOrEqual(990)
  })

  test('a long Retry-After is left to the caller', async ({ farSide, api }) => {
    farSide.operation = raw(429, '', { 'retry-after': '30' })
    expect(await faultOf(api.call('GetShipments', {}))).toMatchObject({ retryAfter: 30 })
    expect(farSide.at('GetShipments')).toHaveLength(1)
  })

  test('changes and creates go out once', async ({ farSide, api }) => {
    farSide.operation = raw(503, '')
    await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))
    await faultOf(api.call('CreateLocalShipmentAsStock', stockRequest))
    expect(farSide.at('CancelShipment')).toHaveLength(1)
    expect(farSide.at('AsStock')).toHaveLength(1)
  })
})
