import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkWebhookSignature, isValidUidSignature, uidSignature, webhookSecret, webhookSignature } from '#contract'

const key = 'a key of the gateway'
const body = '{"messageType":"ShipmentStatusUpdate"}'
const now = 1_800_000_000

function headers({ keys = [key], id = 'msg_1', at = now, signed = body } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': webhookSignature(keys, id, at, signed),
  }
}

describe('the signature of the specification', () => {
  test('is the HMAC of the shipment uid, SHA-256 in lower-case hex (SPEC-90)', () => {
    const expected = createHmac('sha256', key).update('shipment-1').digest('hex')
    expect(uidSignature(key, 'shipment-1')).toBe(expected)
    expect(expected).toMatch(/^[0-9a-f]{64}$/)
  })

  test('follows the scheme that is configured', () => {
    const scheme = { header: 'x-sign', algorithm: 'sha512', encoding: 'base64' } as const
    expect(uidSignature(key, 's', scheme)).toBe(createHmac('sha512', key).update('s').digest('base64'))
    expect(isValidUidSignature([key], 's', uidSignature(key, 's', scheme), scheme)).toBe(true)
  })

  test('may be in upper-case hex, as other services write it', () => {
    expect(isValidUidSignature([key], 'shipment-1', uidSignature(key, 'shipment-1').toUpperCase())).toBe(true)
    const scheme = { header: 'x-sign', algorithm: 'sha256', encoding: 'base64' } as const
    const inBase64 = uidSignature(key, 'shipment-1', scheme)
    expect(isValidUidSignature([key], 'shipment-1', inBase64.toUpperCase(), scheme)).toBe(false)
  })

  test('may be made with the key before or after a change', () => {
    for (const used of ['new', key]) {
      expect(isValidUidSignature(['new', key], 'shipment-1', uidSignature(used, 'shipment-1'))).toBe(true)
    }
  })

  test.each([
    ['no signature', undefined],
    ['that of another shipment', uidSignature(key, 'shipment-2')],
    ['that of another key', uidSignature('another key', 'shipment-1')],
    ['half of it', uidSignature(key, 'shipment-1').slice(0, 32)],
  ])('is invalid with %s', (_, given) => {
    expect(isValidUidSignature([key], 'shipment-1', given)).toBe(false)
  })

  test.each([[[]], [['']], [[key, '']]])('is not checked with the keys %j', keys => {
    for (const given of [uidSignature('', 'shipment-1'), undefined]) {
      expect(() => isValidUidSignature(keys, 'shipment-1', given)).toThrow(/^keys: must contain at least one key/)
    }
  })
})

describe('the Standard Webhooks signature', () => {
  test('is v1 with the base64 HMAC of id, time and body', () => {
    const secret = Buffer.from(webhookSecret(key).slice('whsec_'.length), 'base64')
    const digest = createHmac('sha256', secret).update(`msg_1.${now}.${body}`).digest('base64')
    expect(webhookSignature([key], 'msg_1', now, body)).toBe(`v1,${digest}`)
  })

  test.each([
    ['as sent', headers(), body, undefined],
    ['a clock ten minutes behind', headers({ at: now - 600 }), body, undefined],
    ['a clock ten minutes ahead', headers({ at: now + 600 }), body, undefined],
    ['signed with the key before and the key after a change', headers({ keys: ['new', key] }), body, undefined],
    ['a clock a quarter of an hour behind', headers({ at: now - 900 }), body, undefined],
    ['a clock a quarter of an hour ahead', headers({ at: now + 900 }), body, undefined],
    ['without headers', {}, body, 'missing header'],
    ['without an id', { ...headers(), 'webhook-id': undefined }, body, 'missing header'],
    ['without a time', { ...headers(), 'webhook-timestamp': undefined }, body, 'missing header'],
    ['without a signature', { ...headers(), 'webhook-signature': undefined }, body, 'missing header'],
    ['with a malformed time', { ...headers(), 'webhook-timestamp': 'noon' }, body, 'malformed timestamp'],
    ['too old', headers({ at: now - 901 }), body, 'timestamp too old'],
    ['from the future', headers({ at: now + 901 }), body, 'timestamp in the future'],
    ['with another body', headers(), `${body} `, 'signature does not match'],
    ['with another id', { ...headers(), 'webhook-id': 'msg_2' }, body, 'signature does not match'],
    ['with another time', { ...headers(), 'webhook-timestamp': String(now + 1) }, body, 'signature does not match'],
    ['with another key', headers({ keys: ['another'] }), body, 'signature does not match'],
    ['of another version only', { ...headers(), 'webhook-signature': 'v1a,xyz' }, body, 'signature does not match'],
  ])('%s', (_, given, received, fault) => {
    expect(checkWebhookSignature([key], given, received, now)).toBe(fault)
  })

  test.each([undefined, null, Number.NaN, String(now), new Date(0)])(
    'of any age is not accepted at the time %s',
    time => {
      const old = headers({ at: 1 })
      expect(() => checkWebhookSignature([key], old, body, time as number)).toThrow(/^now: must be a number of seconds/)
    },
  )
})
