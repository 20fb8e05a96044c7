import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { ApiFault } from '#contract/client'
import { held, json, noResponse, type Reply, raw, reset, success, tokenBody } from '../../support/servers/apiStandIn.ts'
import { faultOf, page, stockRequest, test } from '../../support/world/apiTest.ts'

const found = json(200, { ...success, ...page })
const rejected = json(401, { success: false, error: 'Unauthorized', message: null })
/** The other ways of a service to reject a token. */
const rejections = [
  ['HTTP 401', rejected],
  ['HTTP 401 without a body', raw(401, '')],
  ['HTTP 200 and a code', json(200, { success: false, error: 'Unauthorized', message: null })],
  ['HTTP 200 and a code in another casing', json(200, { Success: false, Error: 'UNAUTHORIZED' })],
  ['HTTP 200 and a code alone', json(200, { error: 'Unauthorized' })],
] as const

describe('signing in', () => {
  test('sends the form, and the token with each request (SPEC-84, SPEC-85)', async ({ standIn, api }) => {
    standIn.operation = found
    await api.call('GetShipments', {})
    const [{ text, headers } = { text: '', headers: {} }] = standIn.at('/connect/token')
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(text))).toEqual({
      client_id: 'acme',
      client_secret: 'acme-secret',
      grant_type: 'client_credentials',
      scope: 'integration_api',
    })
    expect(standIn.at('GetShipments')[0]?.headers.authorization).toBe('Bearer token-1')
  })

  test.for([
    ['as a text', '600'],
    ['as null', null],
    ['not at all', undefined],
    ['as zero', 0],
  ])('accepts a token whose lifetime is given %s, and uses it again', async ([, life], { standIn, api }) => {
    standIn.token = json(200, { ...tokenBody(), expires_in: life })
    standIn.operation = found
    for (let call = 0; call < 3; call++) await api.call('GetShipments', {})
    expect(standIn.at('/connect/token')).toHaveLength(1)
  })

  test.for(['one\ntwo', 'tøken', 'two\u0000'])(
    'refuses the token %j, which no header can carry',
    async (text, { standIn, api }) => {
      standIn.token = json(200, tokenBody(text))
      standIn.operation = found
      const details = { code: 'SignInFailed', status: 200, reason: 'malformed token response', retryable: true }
      expect(await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))).toMatchObject(details)
      expect(standIn.at('CancelShipment')).toHaveLength(0)
    },
  )

  test('accepts a token response in another casing', async ({ standIn, api }) => {
    standIn.token = json(200, { Access_Token: 'token-1', TOKEN_TYPE: 'BEARER', Expires_In: 600 })
    standIn.operation = found
    for (let call = 0; call < 2; call++) await api.call('GetShipments', {})
    expect(standIn.at('GetShipments')[0]?.headers.authorization).toBe('Bearer token-1')
    expect(standIn.at('/connect/token')).toHaveLength(1)
  })

  test('waits for a token endpoint that takes six seconds', async ({ standIn, api }) => {
    standIn.token = async (response, seen, earlier) => {
      await setTimeout(6_000)
      json(200, tokenBody())(response, seen, earlier)
    }
    standIn.operation = found
    expect(await api.call('GetShipments', {})).toEqual(page)
  })

  test('twenty calls share one slow token request', async ({ standIn, api }) => {
    const token = held(standIn.token)
    standIn.token = token.reply
    standIn.operation = found
    const calls = Array.from({ length: 20 }, () => api.call('GetShipments', {}))
    await token.arrived
    token.release()
    await Promise.all(calls)
    expect(standIn.at('/connect/token')).toHaveLength(1)
    expect(standIn.at('GetShipments')).toHaveLength(20)
  })

  test.for(rejections)(
    'calls rejected by %s renew the token once and are sent once more, a create too',
    async ([, rejection], { standIn, api }) => {
      standIn.token = (response, seen, earlier) => json(200, tokenBody(`token-${earlier + 1}`))(response, seen, earlier)
      standIn.operation = (response, seen, earlier) => {
        const good = json(200, { ...success, shipmentUids: ['S1'] })
        return (seen.headers.authorization === 'Bearer token-1' ? rejection : good)(response, seen, earlier)
      }
      const calls = Array.from({ length: 20 }, () => api.call('CreateLocalShipmentAsStock', stockRequest))
      expect(await Promise.all(calls)).toHaveLength(20)
      expect(standIn.at('/connect/token')).toHaveLength(2)
    },
  )

  test('a refusal whose text contains the word is not a rejection', async ({ standIn, api }) => {
    standIn.operation = json(200, { success: false, error: 'InvalidUserUid', message: 'Unauthorized' })
    await expect(api.call('CancelShipment', { shipmentUid: 'S1' })).rejects.toMatchObject({ code: 'InvalidUserUid' })
    expect([standIn.at('/connect/token').length, standIn.at('CancelShipment').length]).toEqual([1, 1])
  })

  test('a service that always returns 401 does not cause a token request per call', async ({ standIn, api }) => {
    standIn.token = (response, seen, earlier) => json(200, tokenBody(`token-${earlier + 1}`))(response, seen, earlier)
    standIn.operation = rejected
    const start = performance.now()
    const first = await faultOf(api.call('CreateLocalShipmentAsStock', stockRequest))
    expect(first).toMatchObject({ code: 'Unauthorized', status: 401, retryable: true, outcomeUnknown: false })
    expect(standIn.at('AsStock')).toHaveLength(2)
    for (let call = 0; call < 5; call++) await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))
    // A token is renewed once a second at most, and a slow machine takes longer for the calls.
    const seconds = Math.floor((performance.now() - start) / 1_000)
    expect(standIn.at('/connect/token').length).toBeLessThanOrEqual(2 + seconds)
  })

  test('an expired token is not used, even if the next one is slow', async ({ standIn, api }) => {
    const second = held(json(200, tokenBody('token-2')))
    standIn.operation = found
    standIn.token = json(200, tokenBody('token-1', 0.02))
    await api.call('GetShipments', {})
    standIn.token = second.reply
    await setTimeout(25)
    const call = api.call('GetShipments', {})
    await second.arrived
    second.release()
    await call
    expect(standIn.at('GetShipments').at(-1)?.headers.authorization).toBe('Bearer token-2')
  })

  test('a token that is about to expire is renewed while calls still use it (SPEC-87)', async ({ standIn, api }) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const second = held(json(200, tokenBody('token-2')))
    standIn.operation = found
    standIn.token = json(200, tokenBody('token-1', 10))
    await api.call('GetShipments', {})
    standIn.token = second.reply
    vi.advanceTimersByTime(7_999)
    await api.call('GetShipments', {})
    expect(standIn.at('/connect/token')).toHaveLength(1)
    vi.advanceTimersByTime(1)
    await api.call('GetShipments', {})
    await second.arrived
    await api.call('GetShipments', {})
    expect(standIn.at('GetShipments').at(-1)?.headers.authorization).toBe('Bearer token-1')
    second.release()
    await expect
      .poll(async () => {
        await api.call('GetShipments', {})
        return standIn.at('GetShipments').at(-1)?.headers.authorization
      })
      .toBe('Bearer token-2')
  })
})

describe('a token endpoint that fails', () => {
  const rows: Record<string, [reply: Reply, reason: string]> = {
    refuses: [json(401, { error: 'invalid_client' }), 'HTTP 401 invalid_client'],
    'is broken': [raw(500, '<html>'), 'HTTP 500 without a code'],
    'answers nonsense': [json(200, { access_token: 7 }), 'malformed token response'],
    'cuts the connection': [reset, 'read ECONNRESET'],
    'never answers': [noResponse, 'no response within 60 ms'],
  }
  for (const [name, [reply, reason]] of Object.entries(rows)) {
    test(`${name}: nothing was done, it can be tried again, and the reason is told`, async ({ standIn, connect }) => {
      standIn.token = reply
      const fault = await faultOf(connect({ timeouts: { token: 60 } }).call('CreateLocalShipmentAsStock', stockRequest))
      expect(fault).toMatchObject({ code: 'SignInFailed', retryable: true, outcomeUnknown: false })
      // A slow connection can end by the timeout.
      expect([reason, 'no response within 60 ms']).toContain(fault.reason)
      expect(fault.message).toContain(fault.reason)
      expect(standIn.at('AsStock')).toHaveLength(0)
    })
  }

  test('is not called for a moment, and used again after it recovers', async ({ standIn, api }) => {
    standIn.token = raw(503, '')
    const cancel = () => api.call('CancelShipment', { shipmentUid: 'S1' })
    const faults = await Promise.all(Array.from({ length: 20 }, () => faultOf(cancel())))
    faults.push(await faultOf(cancel()))
    expect(faults.every(({ code }) => code === 'SignInFailed')).toBe(true)
    expect(standIn.at('/connect/token')).toHaveLength(1)
    expect(faults.at(-1)?.retryAfter).toBeGreaterThan(0)
    standIn.token = json(200, tokenBody())
    await expect.poll(() => cancel().catch((error: ApiFault) => error.code)).toEqual({})
    expect(standIn.at('/connect/token')).toHaveLength(2)
  })

  test.for([
    ['a day', '86400'],
    ['the year 9999', 'Fri, 31 Dec 9999 23:59:59 GMT'],
    ['years', '999999999'],
  ] as const)('is asked again within 30 seconds if its Retry-After names %s', async ([, text], { standIn, api }) => {
    standIn.token = raw(503, '', { 'retry-after': text })
    const cancel = () => faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))
    await cancel()
    expect((await cancel()).retryAfter).toBeLessThanOrEqual(30)
  })

  test('is the cause of the calls that wait for its next request too', async ({ standIn, api }) => {
    standIn.token = reset
    const call = () => faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))
    const [first, second] = [await call(), await call()]
    expect(first.cause).toBeInstanceOf(Error)
    expect(second.cause).toBe(first.cause)
    expect(standIn.at('/connect/token')).toHaveLength(1)
  })

  test('does not reveal the secret in its failures', async ({ standIn, api }) => {
    standIn.token = (response, seen, earlier) => json(400, { error: seen.text })(response, seen, earlier)
    const fault = await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))
    expect(`${fault.message} ${JSON.stringify(fault)}`).not.toContain('acme-secret')
    expect(fault).toBeInstanceOf(ApiFault)
  })
})
