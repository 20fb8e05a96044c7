import { describe, expect, test } from 'vitest'
import { checkFields, jsonBytes, readFields, readMoment } from '#flows'
import type { Field } from '../../../flows/declaration/fields.ts'

describe('a field', () => {
  test.each<[Field, readonly unknown[]]>([
    ['text', ['', 'a']],
    ['number', [0, -1.5]],
    ['integer', [0, -3]],
    ['boolean', [true, false]],
    ['instant', ['2026-11-21T08:00:00Z', '2026-11-21T08:00+01:00', '2026-11-21T08:00:00.123456Z']],
    ['date', ['2026-11-21', '2024-02-29']],
    ['uid', ['a', 'x'.repeat(64)]],
    [['agree', 'decline'], ['agree']],
    [{ list: 'integer' }, [[], [1, 2]]],
    [{ fields: { cents: 'integer' } }, [{ cents: 1 }]],
    [{ optional: 'text' }, [undefined, null, 'a']],
  ])('%j accepts %j', (field, accepted) => {
    for (const value of accepted) expect(checkFields({ field }, { field: value })).toEqual([])
  })

  test.each<[Field, unknown, string]>([
    ['text', 1, 'fields.field: must be a text, got 1.'],
    ['text', undefined, 'fields.field: must be a text, got nothing.'],
    ['text', null, 'fields.field: must be a text, got null.'],
    ['number', Number.NaN, 'fields.field: must be a number, got NaN.'],
    ['integer', 12.5, 'fields.field: must be an integer, got 12.5.'],
    ['integer', 'Ada Lovelace', 'fields.field: must be an integer, got a text.'],
    ['integer', 2 ** 53, `fields.field: must be an integer, got ${2 ** 53}.`],
    ['boolean', 'true', 'fields.field: must be true or false, got a text.'],
    ['instant', '2026-11-21', 'fields.field: must be a time such as "2026-11-21T08:00:00Z", got a text.'],
    ['instant', '2026-11-21T08:00:00', 'fields.field: must be a time such as "2026-11-21T08:00:00Z", got a text.'],
    ['instant', '2026-02-30T08:00:00Z', 'fields.field: must be a time such as "2026-11-21T08:00:00Z", got a text.'],
    ['date', '2026-02-30', 'fields.field: must be a date such as "2026-11-21", got a text.'],
    ['date', '', 'fields.field: must be a date such as "2026-11-21", got an empty text.'],
    ['uid', '', 'fields.field: must be a uid of 1 to 64 characters, got an empty text.'],
    ['uid', ['a'], 'fields.field: must be a uid of 1 to 64 characters, got a list.'],
    ['uid', 'x'.repeat(65), 'fields.field: must be a uid of 1 to 64 characters, got a text.'],
    [['agree', 'decline'], 'maybe', 'fields.field: must be one of agree, decline, got a text.'],
    [{ list: 'integer' }, 1, 'fields.field: must be a list, got 1.'],
    [{ list: 'integer' }, [1, 'a'], 'fields.field[1]: must be an integer, got a text.'],
    [{ fields: { cents: 'integer' } }, [], 'fields.field: must be an object, got a list.'],
    [{ fields: { cents: 'integer' } }, {}, 'fields.field.cents: must be an integer, got nothing.'],
    [{ optional: 'text' }, 1, 'fields.field: must be a text, got 1.'],
  ])('%j refuses %j', (field, value, sentence) => {
    expect(checkFields({ field }, { field: value })).toEqual([sentence])
  })
})

test('names unknown fields, and all faults', () => {
  expect(checkFields({ cents: 'integer' }, { cents: 'a', euros: 1 }, 'input')).toEqual([
    'input.cents: must be an integer, got a text.',
    'input.euros: must be one of the fields cents.',
  ])
  expect(checkFields({}, { euros: 1 })).toEqual(['fields.euros: must be one of the fields (none).'])
  expect(checkFields(JSON.parse('{"toString":"text"}'), {})).toEqual(['fields.toString: must be a text, got nothing.'])
})

describe('a result', () => {
  const fields = { labelNo: 'text', parts: { list: { fields: { no: 'integer' } } } } as const
  test('is reduced to the declared fields', () => {
    const result = { labelNo: 'L-1', color: 'red', parts: [{ no: 1, weight: 2 }] }
    expect(readFields(fields, result, 'label')).toEqual({ output: { labelNo: 'L-1', parts: [{ no: 1 }] } })
  })

  test('is refused with its faults', () => {
    expect(readFields(fields, { parts: 1 }, 'label')).toEqual({
      faults: ['label.labelNo: must be a text, got nothing.', 'label.parts: must be a list, got 1.'],
    })
    expect(readFields(fields, 'L-1', 'label')).toEqual({ faults: ['label: must be an object, got a text.'] })
  })

  test.each([[undefined], [null], [{}]])('without fields may be %j', result => {
    expect(readFields({}, result, 'label')).toEqual({ output: {} })
  })
})

test.each([
  ['2026-11-21T08:00:00Z', Date.UTC(2026, 10, 21, 8)],
  ['2026-11-21T08:00:00+01:00', Date.UTC(2026, 10, 21, 7)],
  ['2026-11-21', Date.UTC(2026, 10, 21)],
  ['tomorrow', undefined],
  [5, undefined],
])('the moment %s', (text, moment) => {
  expect(readMoment(text)).toBe(moment)
})

test.each([['a'], ['é€😀'], [{ a: [1, null, 'ü'] }], ['\ud800']])('the bytes of %j are those of UTF-8', value => {
  expect(jsonBytes(value)).toBe(Buffer.byteLength(JSON.stringify(value)))
})
