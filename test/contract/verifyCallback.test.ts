import { expect, test } from 'vitest'
import { callbackExample, verifyCallback, webhookSignature } from '#contract'

const key = 'a key of the receiver, of 32 byte'
const body = JSON.stringify(callbackExample)

function signed(text: string, at = Math.floor(Date.now() / 1_000)) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': webhookSignature([key], 'msg_1', at, text),
  }
}

/** As some serverless platforms pass them. */
function inCapitals(headers: Record<string, string>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
}

test.each([
  ['a record of headers and a text', signed(body), body],
  ['the headers of fetch and bytes', new Headers(signed(body)), Buffer.from(body)],
  ['names of headers in another casing', inCapitals(signed(body)), body],
  ['a text with a byte order mark', signed(`\uFEFF${body}`), `\uFEFF${body}`],
  ['bytes with a byte order mark', signed(`\uFEFF${body}`), Buffer.from(`\uFEFF${body}`)],
])('a callback is verified from %s', (_, headers, raw) => {
  expect(verifyCallback(headers, raw, ['an older key', key])).toMatchObject({ ok: true, callback: callbackExample })
})

test('keys of the body may have any casing', () => {
  const upper = body.replace('"messageType"', '"MessageType"')
  expect(verifyCallback(signed(upper), upper, [key])).toMatchObject({ ok: true })
})

test.each([
  ['no header', {}, body, 'missing header'],
  ['a changed body', signed(body), `${body} `, 'signature does not match'],
  ['an old time', signed(body, 1_000_000), body, 'timestamp too old'],
  ['a body that is not JSON', signed('{'), '{', 'body is not a callback'],
  ['another message', signed('{"messageType":"Other"}'), '{"messageType":"Other"}', 'body is not a callback'],
])('%s has a reason', (_, headers, raw, reason) => {
  expect(verifyCallback(headers, raw, [key])).toEqual({ ok: false, reason })
})

test('another key has a reason', () => {
  expect(verifyCallback(signed(body), body, ['another key'])).toEqual({ ok: false, reason: 'signature does not match' })
})

test.each([
  ['no key', []],
  ['an empty key, as of a variable that is not set', ['']],
  ['an empty key beside a good one', [key, '']],
])('%s is an error of the receiver, whatever is signed with it', (_, keys) => {
  const at = Math.floor(Date.now() / 1_000)
  const forged = { ...signed(body, at), 'webhook-signature': webhookSignature([''], 'msg_1', at, body) }
  expect(() => verifyCallback(forged, body, keys)).toThrow(/^keys: must contain at least one key, and no empty one\./)
  expect(() => verifyCallback({}, body, keys)).toThrow(TypeError)
})

test.each([
  ['keys', signed(body), body, key],
  ['headers', undefined, body, [key]],
  ['headers', null, body, [key]],
  ['rawBody', signed(body), callbackExample, [key]],
  ['rawBody', signed(body), undefined, [key]],
])('%s of another type in plain JavaScript are an error that names them', (name, ...given) => {
  const verify = verifyCallback as (...values: unknown[]) => unknown
  expect(() => verify(...given)).toThrow(TypeError)
  expect(() => verify(...given)).toThrow(new RegExp(`^${name}: must be `))
})
