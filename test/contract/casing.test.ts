import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { normalizeKeys } from '../../contract/casing.ts'

const line = z.object({ Weight: z.number() })
const schema = z.object({
  PupUid: z.string(),
  Dimension: z.object({ width: z.number() }).nullish(),
  Lines: z.array(line).optional(),
  Labels: z.record(z.string(), z.string()).optional(),
})

/** A value, its copy, and the keys that it has twice. */
const rows: [name: string, value: unknown, normalized: unknown, duplicates?: string[]][] = [
  ['the exact casing', { PupUid: 'p' }, { PupUid: 'p' }],
  ['another casing', { pUPuID: 'p' }, { PupUid: 'p' }],
  ['a nested object', { DIMENSION: { WIDTH: 1 } }, { Dimension: { width: 1 } }],
  ['an array', { lines: [{ WEIGHT: 1 }, { weight: 2 }] }, { Lines: [{ Weight: 1 }, { Weight: 2 }] }],
  ['an array in an array, which no schema has', { lines: [[{ WEIGHT: 1 }]] }, { Lines: [[{ WEIGHT: 1 }]] }],
  ['an unknown key', { colour: 'red' }, { colour: 'red' }],
  ['keys below an unknown key', { Extra: { PUPUID: 'p' } }, { Extra: { PUPUID: 'p' } }],
  ['the free keys of a record', { labels: { Red: 'r', red: 's' } }, { Labels: { Red: 'r', red: 's' } }],
  ['null in place of an object', { dimension: null }, { Dimension: null }],
  ['a text in place of an object', { dimension: 'large' }, { Dimension: 'large' }],
  ['a text', 'PUPUID', 'PUPUID'],
  ['null', null, null],
  ['undefined', undefined, undefined],
  ['a duplicate key, whose first value wins', { pupUid: 'p', PUPUID: 'q' }, { PupUid: 'p' }, ['PupUid']],
  [
    'a duplicate key in an object',
    { Dimension: { width: 1, WIDTH: 2 } },
    { Dimension: { width: 1 } },
    ['Dimension.width'],
  ],
  [
    'a duplicate key in an array',
    { Lines: [{}, { weight: 1, WEIGHT: 2 }] },
    { Lines: [{}, { Weight: 1 }] },
    ['Lines[1].Weight'],
  ],
  ['unknown keys that differ in casing', { colour: 'red', Colour: 'blue' }, { colour: 'red', Colour: 'blue' }],
  ['a key of the prototype', JSON.parse('{"__proto__": {"a": 1}}'), JSON.parse('{"__proto__": {"a": 1}}')],
]

describe('keys in the casing of the schema', () => {
  test.each(rows)('%s', (_, value, normalized, duplicates = []) => {
    const found: string[] = []
    const copy = normalizeKeys(schema, value, ({ path }) => found.push(path))
    // Compared as JSON text, because the copy has no prototype.
    expect(JSON.stringify(copy)).toBe(JSON.stringify(normalized))
    expect(found).toEqual(duplicates)
  })
})

test('arrays in arrays, however deep, do not overflow the stack', () => {
  const lines = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  expect(normalizeKeys(schema, { Lines: lines }, () => undefined)).toHaveProperty('Lines', lines)
  expect(normalizeKeys(schema, { lines }, () => undefined)).toHaveProperty('Lines.length', 1)
})
