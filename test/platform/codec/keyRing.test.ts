import { expect, test } from 'vitest'
import { readKeyRing } from '#platform/codec'
import { newKey, ringOf } from '../../support/codec/keys.ts'

const [first, second] = [newKey('2026-11'), newKey('2026-12')]

test.each([
  ['commas', `${first},${second}`],
  ['lines', `${first}\n${second}\n`],
  ['blanks and commas', ` ${first} , ${second}`],
])('keys are separated by %s, and the first is the current one', (_, text) => {
  const ring = readKeyRing(text)
  expect(ring).toMatchObject({ current: { id: '2026-11' } })
  expect(typeof ring === 'object' && [...ring.keys.keys()]).toEqual(['2026-11', '2026-12'])
})

test('a key may be in base64 for addresses, without padding', () => {
  const key = Buffer.alloc(32, 0xfb)
  const read = (encoding: 'base64' | 'base64url') => ringOf(`a:${key.toString(encoding)}`).current?.key.export()
  expect(read('base64url')).toEqual(key)
  expect(read('base64')).toEqual(key)
})

test.each([
  ['no key', ' ', 'must contain at least one key'],
  ['a key of 31 bytes', `a:${Buffer.alloc(31).toString('base64')}`, 'unlike entry 1'],
  ['a key of 33 bytes', `${first},a:${Buffer.alloc(33).toString('base64')}`, 'unlike entry 2'],
  ['a key without an id', 'AAAA', 'unlike entry 1'],
  ['an id twice', `${first},${first}`, 'must name each key once, but 2026-11 is there twice'],
])('%s is refused without being quoted', (_, text, problem) => {
  const read = readKeyRing(text)
  expect(read).toEqual(expect.stringContaining(problem))
  expect(read).not.toContain('AAA')
})
