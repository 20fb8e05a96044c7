import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { checkWebhookSignature, webhookSecret, webhookSignature } from '#contract'

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

describe('a callback that the library signed', () => {
  const headers = headersOf(new Webhook(webhookSecret(key)).sign('msg_1', new Date(now * 1_000), body))

  test('is accepted by the gateway', () => {
    expect(checkWebhookSignature([nextKey, key], headers, body, now)).toBeUndefined()
  })

  test('is rejected under another key', () => {
    expect(checkWebhookSignature([nextKey], headers, body, now)).toBe('signature does not match')
  })
})
