import { expect, test } from 'vitest'
import { fingerprint } from '#contract'

const request = { PupUid: 'pup-1', Dimension: { width: 1, height: 2 }, Details: null, tags: [1, 2] }

test.each([
  ['the order of keys', { tags: [1, 2], Dimension: { height: 2, width: 1 }, PupUid: 'pup-1' }],
  ['their casing', { pupUid: 'pup-1', dimension: { WIDTH: 1, height: 2 }, Tags: [1, 2] }],
  ['null against absent', { PupUid: 'pup-1', Dimension: { width: 1, height: 2, length: undefined }, tags: [1, 2] }],
])('%s makes no difference', (_, same) => {
  expect(fingerprint(same)).toBe(fingerprint(request))
})

test('a date makes no difference against its text in JSON', () => {
  const at = new Date(0)
  expect(fingerprint({ ...request, at })).toBe(fingerprint({ ...request, at: at.toJSON() }))
})

test.each([
  ['a value', { ...request, PupUid: 'pup-2' }],
  ['a value below', { ...request, Dimension: { width: 1, height: 3 } }],
  ['the order of a list', { ...request, tags: [2, 1] }],
  ['a number as text', { ...request, Dimension: { width: '1', height: 2 } }],
  ['one more', { ...request, LockerUid: 'l' }],
])('%s makes a difference', (_, other) => {
  expect(fingerprint(other)).not.toBe(fingerprint(request))
})
