import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import {
  checkWebhookSignature,
  operations,
  readRequest,
  uidSignature,
  webhookSecret,
  webhookSignature,
} from '#contract'
import { signatureKey } from '#platform/settings'

// The library checks the time against the clock of the machine.
const now = Math.floor(Date.now() / 1_000)
const body = '{"messageType":"ShipmentStatusUpdate","sentence":"ünïcode"}'
const [key, nextKey] = ['the key of today', 'the key of tomorrow']

const headersOf = (signature: string) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(now),
  'webhook-signature': signature,
})

describe('a callback that lockerflow signed', () => {
  test.each([
    ['one key', [key]],
    ['two keys, the newest first', [nextKey, key]],
  ])('is accepted by the standardwebhooks library: %s', (_, keys) => {
    const headers = headersOf(webhookSignature(keys, 'msg_1', now, body))
    expect(new Webhook(webhookSecret(key)).verify(body, headers)).toEqual(JSON.parse(body))
  })

  test('is rejected by the library when its body was changed', () => {
    const headers = headersOf(webhookSignature([key], 'msg_1', now, body))
    expect(() => new Webhook(webhookSecret(key)).verify(`${body} `, headers)).toThrow('No matching signature')
  })
})

test('a secret of the library is the key of its bytes for both sides, and the text for the uid signature', () => {
  const secret = webhookSecret('16 bytes or more')
  expect(webhookSecret(secret)).toBe(secret)
  const headers = headersOf(webhookSignature([secret], 'msg_1', now, body))
  expect(headers['webhook-signature']).toBe(webhookSignature(['16 bytes or more'], 'msg_1', now, body))
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(checkWebhookSignature([secret], headers, body, now)).toBeUndefined()
  expect(uidSignature(secret, 'S1')).toBe(createHmac('sha256', secret).update('S1').digest('hex'))
})

test.each(['whsec_', 'whsec_c2hvcnQ=', 'whsec_without+padding+in+base64', 'whsec_a-text-that-is-no-base64!'])(
  'the key %s is refused wherever it is given',
  secret => {
    const wrong = 'must have base64 of at least 16 bytes after whsec_'
    expect(() => webhookSignature([secret], 'msg_1', now, body)).toThrow(wrong)
    expect(() => checkWebhookSignature([key, secret], headersOf('v1,'), body, now)).toThrow(wrong)
    const padded = secret.padEnd(16, '?')
    expect(signatureKey.safeParse(padded).error?.issues[0]?.message).toBe(wrong)
    expect(readRequest(operations.ConfigureCallback, { url: null, authType: 'HMAC', authKey: padded })).toMatchObject({
      ok: false,
    })
  },
)

describe('a callback that the library signed', () => {
  const headers = headersOf(new Webhook(webhookSecret(key)).sign('msg_1', new Date(now * 1_000), body))

  test('is accepted by the gateway', () => {
    expect(checkWebhookSignature([nextKey, key], headers, body, now)).toBeUndefined()
  })

  test('is rejected under another key', () => {
    expect(checkWebhookSignature([nextKey], headers, body, now)).toBe('signature does not match')
  })
})
