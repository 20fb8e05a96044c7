import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hmac, toHashKey } from '../../../service/encryption/secrets.ts'

test.each([
  ['an empty text', ''],
  ['a short text', '["pup-1","123456"]'],
  ['a text of several blocks', 'p'.repeat(500)],
  ['a text of several bytes per character', '["Sint-Niklaas – 北","000000"]'],
])('the hash of %s is HMAC-SHA256', (_name, text) => {
  for (const length of [1, 32, 64]) {
    const key = randomBytes(length)
    expect(hmac(toHashKey(key), text)).toBe(createHmac('sha256', key).update(text).digest('base64url'))
  }
})

test('a key hashes one text after another, in any order', () => {
  const key = toHashKey(randomBytes(32))
  const [one, two] = [hmac(key, 'one'), hmac(key, 'two')]
  expect([hmac(key, 'two'), hmac(key, 'one')]).toEqual([two, one])
})
