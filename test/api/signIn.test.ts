import { setTimeout as expiry } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { ApiFault } from '#api'
import { held, json, raw, reset, silence, success, tokenBody } from './farSide.ts'
import { faultOf, page, stockRequest, test } from './fixture.ts'

const found = json(200, { ...success, ...page })
const rejected = json(401, { success: false, error: 'Unauthorized', message: null })

describe('signing in', () => {
  test('sends the form of the specification, and the token with each request', async ({ farSide, api }) => {
    farSide.operation = found
    await api.call('GetShipments', {})
    const [{ text, headers } = { text: '', headers: {} }] = farSide.at('/connect/token')
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(text))).toEqual({
      client_id: 'acme',
      client_secret: 'acme-secret',
      grant_type: 'client_credentials',
      scope: 'integration_api',
    })
    expect(farSide.at('GetShipments')[0]?.headers.authorization).toBe('Bearer token-1')
  })

  test('twenty calls wait for one slow token', async ({ farSide, api }) => {
    const token = held(farSide.token)
    farSide.token = token.reply
    farSide.operation = found
    const calls = Array.from({ length: 20 }, () => api.call('GetShipments', {}))
    await token.arrived
    token.release()
    await Promise.all(calls)
    expect(farSide.at('/connect/token')).toHaveLength(1)
    expect(farSide.at('GetShipments')).toHaveLength(20)
  })

  test('twenty rejected calls renew the token once and go out once more, a create too', async ({ farSide, api }) => {
    farSide.token = (response, seen, earlier) => json(200, tokenBody(`token-${earlier + 1}`))(response, seen, earlier)
    farSide.operation = (response, seen, earlier) => {
      const good = json(200, { ...success, shipmentUids: ['S1'] })
      return (seen.headers.authorization === 'Bearer token-1' ? rejected : good)(response, seen, earlier)
    }
    const calls = Array.from({ length: 20 }, () => api.call('CreateLocalShipmentAsStock', stockRequest))
    expect(await Promise.all(calls)).toHaveLength(20)
    expect(farSide.at('/connect/token')).toHaveLength(2)
  })

  test('a service that always says 401 does not cost a token for each call', async ({ farSide, api }) => {
    farSide.token = (response, seen, earlier) => json(200, tokenBody(`token-${earlier + 1}`))(response, seen, earlier)
    farSide.operation = rejected
    const first = await faultOf(api.call('CreateLocalShipmentAsStock', stockRequest))
    expect(first).toMatchObject({ code: 'Unauthorized', status: 401, retryable: true, maybeDone: false })
    expect(farSide.at('AsStock')).toHaveLength(2)
    for (let call = 0; call < 5; call++) await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))
    expect(farSide.at('/connect/token')).toHaveLength(2)
  })

  test('an expired token is not used, however long the next one takes', async ({ farSide, api }) => {
    const second = held(json(200, tokenBody('token-2')))
    farSide.operation = found
    farSide.token = json(200, tokenBody('token-1', 0.02))
    await api.call('GetShipments', {})
    farSide.token = second.reply
    await expiry(25)
    const call = api.call('GetShipments', {})
    await second.arrived
    second.release()
    await call
    expect(farSide.at('GetShipments').at(-1)?.headers.authorization).toBe('Bearer token-2')
  })

  test('a token that is about to expire is renewed while calls go on with it', async ({ farSide, api }) => {
    const second = held(json(200, tokenBody('token-2')))
    farSide.operation = found
    farSide.token = json(200, tokenBody('token-1', 2.5))
    await api.call('GetShipments', {})
    farSide.token = second.reply
    const ended = second.arrived.then(() => true)
    while (!(await Promise.race([ended, api.call('GetShipments', {}).then(() => false)])));
    await api.call('GetShipments', {})
    expect(farSide.at('GetShipments').at(-1)?.headers.authorization).toBe('Bearer token-1')
    second.release()
    await expect
      .poll(async () => {
        await api.call('GetShipments', {})
        return farSide.at('GetShipments').at(-1)?.headers.authorization
      })
      .toBe('Bearer token-2')
  })
})

describe('a token endpoint that fails', () => {
  const rows = {
    refuses: json(401, { error: 'invalid_client' }),
    'is broken': raw(500, '<html>'),
    'answers nonsense': json(200, { access_token: 7 }),
    'cuts the connection': reset,
    'never answers': silence,
  }
  for (const [name, reply] of Object.entries(rows)) {
    test(`${name}: nothing was done, and it can be tried again`, async ({ farSide, connect }) => {
      farSide.token = reply
      const fault = await faultOf(connect({ timeouts: { token: 60 } }).call('CreateLocalShipmentAsStock', stockRequest))
      expect(fault).toMatchObject({ code: 'SignInFailed', retryable: true, maybeDone: false })
      expect(farSide.at('AsStock')).toHaveLength(0)
    })
  }

  test('is left alone for a moment, and used again when it is mended', async ({ farSide, api }) => {
    farSide.token = raw(503, '')
    const cancel = () => api.call('CancelShipment', { shipmentUid: 'S1' })
    const faults = await Promise.all(Array.from({ length: 20 }, () => faultOf(cancel())))
    faults.push(await faultOf(cancel()))
    expect(faults.every(({ code }) => code === 'SignInFailed')).toBe(true)
    expect(farSide.at('/connect/token')).toHaveLength(1)
    expect(faults.at(-1)?.retryAfter).toBeGreaterThan(0)
    farSide.token = json(200, tokenBody())
    await expect.poll(() => cancel().catch((error: ApiFault) => error.code)).toEqual({})
    expect(farSide.at('/connect/token')).toHaveLength(2)
  })

  test('does not tell the secret in its failures', async ({ farSide, api }) => {
    farSide.token = (response, seen, earlier) => json(400, { error: seen.text })(response, seen, earlier)
    const fault = await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))
    expect(`${fault.message} ${JSON.stringify(fault)}`).not.toContain('acme-secret')
    expect(fault).toBeInstanceOf(ApiFault)
  })
})
