import { describe, expect } from 'vitest'
import { ApiRefusal } from '#contract/client'
import { json, success } from '../../support/servers/apiStandIn.ts'
import { faultOf, page, stockRequest, test } from '../../support/world/apiTest.ts'

const shipment = {
  ShipmentUid: 'S1',
  shipmentType: 'LocalPupShipment',
  STATECODE: 'ReadyForDropOff',
  stateStart: '2026-01-02T03:04:05',
  created: '2026-01-02T03:04:05',
  referenceNo: null,
  referenceCaseNo: 'I1',
  description: null,
  fromUserUid: null,
  toUserUid: null,
  pupUid: 'pup-1',
  lockerUid: null,
  lockerName: '7',
  PickUpCode: '123456',
  deliveryCODE: '654321',
  swapsShipmentUid: null,
  priorShipmentUid: null,
  circularPriorShipmentUid: null,
  keepBookedAfterPickUp: false,
  objects: [],
  addedByALaterVersion: { pickUpCode: '999999' },
}

describe('reading a response', () => {
  test.for([
    ['with the envelope', { ...success, shipmentUids: ['S1'] }],
    ['without success and error', { message: 'booked', shipmentUids: ['S1'] }],
    ['without any envelope', { shipmentUids: ['S1'] }],
    ['in another casing', { Success: true, Error: null, SHIPMENTUIDS: ['S1'] }],
    ['with fields of a later version', { ...success, shipmentUids: ['S1'], lockerColour: 'green' }],
  ] as const)('a success %s', async ([, body], { standIn, api }) => {
    standIn.operation = json(200, body)
    expect(await api.call('CreateLocalShipmentAsStock', stockRequest)).toEqual({ shipmentUids: ['S1'] })
  })

  test('fields that may be null can be left out', async ({ standIn, api }) => {
    const { lockerUid, fromUserUid, swapsShipmentUid, ...fewer } = shipment
    standIn.operation = json(200, { ...success, ...page, items: [fewer] })
    const { items } = await api.call('GetShipments', {})
    expect(items[0]).toMatchObject({ lockerUid, fromUserUid, swapsShipmentUid, shipmentUid: 'S1' })
  })

  test.for([
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05'],
    ['2026-01-02T03:04:05.1234567', '2026-01-02T03:04:05.1234567'],
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000'],
    ['2026-01-01T22:04:05.250-05:00', '2026-01-02T03:04:05.250'],
  ])('the time %s is in UTC and has no offset', async ([written, time], { standIn, api }) => {
    const item = { ...shipment, stateStart: written, created: written }
    standIn.operation = json(200, { ...success, ...page, items: [item] })
    const { items } = await api.call('GetShipments', {})
    expect(items[0]).toMatchObject({ stateStart: time, created: time })
  })

  test.for([
    [400, 'NoLockerAvailable'],
    [403, 'AccessDenied'],
    [404, 'InvalidShipment'],
    [409, 'InvalidShipmentState'],
    [422, 'InvalidUserUid'],
  ] as const)('a refusal with the HTTP status %i and the code %s', async ([status, code], { standIn, api }) => {
    standIn.operation = json(status, { success: false, error: code, message: 'none free', userUid: 'U1' })
    const ending = api.call('CreateLocalShipmentAsStock', stockRequest)
    await expect(ending).rejects.toThrow(ApiRefusal)
    await expect(ending).rejects.toMatchObject({ code, message: 'none free', response: { userUid: 'U1' } })
  })

  test.for([
    ['with its code', { success: false, error: 'NoLockerAvailable', message: 'none free' }, 'NoLockerAvailable'],
    ['without success', { error: 'NoLockerAvailable', message: 'none free' }, 'NoLockerAvailable'],
    ['in another casing', { SUCCESS: false, ERROR: 'NoLockerAvailable', MESSAGE: 'none free' }, 'NoLockerAvailable'],
    ['without a code', { success: false, error: null, message: 'none free' }, 'UnknownRefusal'],
    ['with a sentence as its code', { success: false, error: 'Kim has it', message: 'none free' }, 'UnknownRefusal'],
  ] as const)('a refusal %s', async ([, body, code], { standIn, api }) => {
    standIn.operation = json(200, body)
    const ending = api.call('CreateLocalShipmentAsStock', stockRequest)
    await expect(ending).rejects.toThrow(ApiRefusal)
    await expect(ending).rejects.toMatchObject({ code, message: 'none free' })
    expect(standIn.at('AsStock')).toHaveLength(1)
  })

  test.for([
    ['InternalError', 200, 'outcome unknown'],
    ['INTERNALSERVERERROR', 200, 'outcome unknown'],
    ['ServiceUnavailable', 200, 'outcome unknown'],
    ['Unavailable', 400, 'outcome unknown'],
    ['GatewayTimeout', 200, 'outcome unknown'],
    ['Timeout', 422, 'outcome unknown'],
    ['TooManyRequests', 200, 'nothing done'],
    ['RateLimited', 404, 'nothing done'],
    ['Unauthorized', 200, 'nothing done'],
    ['forbidden', 200, 'nothing done'],
  ] as const)('%s with HTTP %i is no refusal but a fault: %s', async ([code, status, effect], { standIn, api }) => {
    standIn.operation = json(status, { success: false, error: code, message: 'try later' }, { 'retry-after': '7' })
    const fault = await faultOf(api.call('CreateLocalShipmentAsStock', stockRequest))
    expect(fault).toMatchObject({ code, status, retryable: true, retryAfter: 7 })
    expect(fault.outcomeUnknown).toBe(effect === 'outcome unknown')
  })

  test('a read whose response has the code of a technical fault is repeated', async ({ standIn, api }) => {
    const busy = json(200, { success: false, error: 'ServiceUnavailable', message: null })
    const found = json(200, { ...success, ...page })
    standIn.operation = (response, seen, earlier) => (earlier === 0 ? busy : found)(response, seen, earlier)
    expect(await api.call('GetShipments', {})).toEqual(page)
    expect(standIn.at('GetShipments')).toHaveLength(2)
  })

  test('a refusal without a message gets the one of the error table', async ({ standIn, api }) => {
    standIn.operation = json(200, { success: false, error: 'InvalidShipment', message: null })
    await expect(api.call('CancelShipment', { shipmentUid: 'S1' })).rejects.toThrow('The shipment is unknown')
  })

  test('the fields of a refusal are available, but not logged', async ({ standIn, api }) => {
    const account = { UserUid: 'U1', emailAddress: 'someone@example.com' }
    standIn.operation = json(200, { success: false, error: 'MutationConfigFailed', message: null, ...account })
    const refusal = await api.call('GetAccount', {}).catch((error: ApiRefusal) => error)
    expect(refusal).toHaveProperty('response.userUid', 'U1')
    expect(JSON.stringify(refusal)).not.toContain('someone')
  })
})

describe('access codes', () => {
  test('are null in a response, at any depth and in any casing', async ({ standIn, api }) => {
    standIn.operation = json(200, { ...success, ...page, items: [shipment] })
    const { items } = await api.call('GetShipments', {})
    expect(items[0]).toMatchObject({
      shipmentUid: 'S1',
      stateCode: 'ReadyForDropOff',
      pickUpCode: null,
      deliveryCode: null,
    })
    expect(JSON.stringify(items)).not.toMatch(/123456|654321|999999/)
  })

  test('are null in a refusal too', async ({ standIn, api }) => {
    standIn.operation = json(200, { success: false, error: 'InvalidShipment', extra: [{ PICKUPCODE: '123456' }] })
    const refusal = await api.call('CancelShipment', { shipmentUid: 'S1' }).catch((error: ApiRefusal) => error)
    expect(refusal).toHaveProperty('response.extra', [{ PICKUPCODE: null }])
  })

  test('are available to the caller', async ({ standIn, api }) => {
    standIn.operation = json(200, { ...success, shipmentUid: 'S1', pickUpCode: '123456', DeliveryCode: '654321' })
    expect(await api.call('GetShipmentAccessCode', { shipmentUid: 'S1' }, { withCodes: true })).toEqual({
      shipmentUid: 'S1',
      pickUpCode: '123456',
      deliveryCode: '654321',
    })
  })
})

describe('the request', () => {
  test('keeps the path of the base address', async ({ standIn, connect }) => {
    standIn.operation = json(200, { ...success, shipmentUids: ['S1'] })
    const api = connect({ baseUrl: `${standIn.url}/tenants/acme/`, authUrl: `${standIn.url}/login` })
    await api.call('CreateLocalShipmentAsStock', stockRequest)
    expect(standIn.seen.map(({ path }) => path)).toEqual([
      '/login/connect/token',
      '/tenants/acme/v1/Logistics/CreateLocalShipmentAsStock',
    ])
    expect(JSON.parse(standIn.seen[1]?.text ?? '')).toEqual(stockRequest)
  })

  test('carries the same idempotency key each time, whatever its characters', async ({ standIn, api }) => {
    standIn.operation = json(200, { ...success, shipmentUids: ['S1'] })
    for (const idempotencyKey of ['I-1/run/op', 'Ä 1', 'Ä 1', 'Ö 1']) {
      await api.call('CreateLocalShipmentAsStock', stockRequest, { idempotencyKey })
    }
    const [plain, one, again, other] = standIn.at('AsStock').map(({ headers }) => headers['idempotency-key'])
    expect(plain).toBe('I-1/run/op')
    expect(one).toMatch(/^[0-9a-f]{64}$/)
    expect(again).toBe(one)
    expect(other).not.toBe(one)
  })

  test('is not sent with an empty idempotency key, which every request would share', async ({ standIn, api }) => {
    const calls = [
      api.call('CreateLocalShipmentAsStock', stockRequest, { idempotencyKey: '' }),
      api.send('CreateLocalShipmentAsStock', stockRequest, { idempotencyKey: '' }),
    ]
    for (const call of calls) await expect(call).rejects.toThrow(new TypeError('idempotencyKey: must not be empty.'))
    expect(standIn.seen).toEqual([])
  })
})
