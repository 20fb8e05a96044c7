import { describe, expect, test } from 'vitest'
import { pathsIn, pathsInWhen, readPath, resolve, resolveOutputs, type Values } from '#flows'
import type { Json, Source, When } from '../../../flows/declaration/sources.ts'

const values: Values = {
  input: { PupUid: 'p-1', note: null, config: { canChangeName: true } },
  stock: { shipmentUid: 's-1' },
  list: ['a'],
}

test.each([
  ['input.PupUid', 'p-1'],
  ['input.config.canChangeName', true],
  ['input.absent', undefined],
  ['absent.shipmentUid', undefined],
  ['input.PupUid.length', undefined],
  ['input.toString', undefined],
  ['list.0', undefined],
])('the value at %s is %j', (path, expected) => {
  expect(readPath(values, path)).toEqual(expected)
})

describe('a source', () => {
  test.each<[Source, Json, readonly string[]]>([
    ['text', 'text', []],
    [null, null, []],
    [{ from: 'stock.shipmentUid' }, 's-1', ['stock.shipmentUid']],
    [{ from: 'input.absent' }, null, ['input.absent']],
    [{ from: 'input.absent', or: 3 }, 3, ['input.absent']],
    [{ from: 'input.note', or: 'none' }, 'none', ['input.note']],
    [{ from: 'input.absent', or: null }, null, ['input.absent']],
    [{ value: { from: 'input.PupUid' } }, { from: 'input.PupUid' }, []],
    [
      { PupUid: { from: 'input.PupUid' }, Note: { from: 'input.note' }, Other: { from: 'input.absent' }, Size: 3 },
      { PupUid: 'p-1', Note: null, Size: 3 },
      ['input.PupUid', 'input.note', 'input.absent'],
    ],
    [[{ from: 'input.absent' }, 'a'], [null, 'a'], ['input.absent']],
    [
      { merge: [{ from: 'input.config' }, { from: 'input.absent' }, { userUid: 'u-1', canChangeName: false }] },
      { canChangeName: false, userUid: 'u-1' },
      ['input.config', 'input.absent'],
    ],
    [
      { merge: ['text', ['a'], { from: 'list' }, { from: 'input.PupUid' }, { Size: 3 }] },
      { Size: 3 },
      ['list', 'input.PupUid'],
    ],
    [{ from: 'Amsterdam', to: 'Utrecht' }, { from: 'Amsterdam', to: 'Utrecht' }, []],
    [{ value: 1, unit: 'cm' }, { value: 1, unit: 'cm' }, []],
  ])('%j is %j', (source, expected, paths) => {
    expect(resolve(source, values)).toEqual(expected)
    expect(pathsIn(source)).toEqual(paths)
  })
})

test.each<[When | undefined, readonly string[]]>([
  [undefined, []],
  [{ 'a.b': 1, 'c.d': { not: { from: 'e.f' } } }, ['a.b', 'c.d', 'e.f']],
  [{ 'a.b': { atMost: { from: 'c.d' } }, 'e.f': { contains: { from: 'g.h' } } }, ['a.b', 'c.d', 'e.f', 'g.h']],
  [{ any: [{ 'a.b': 1 }, { not: { 'c.d': { lessThan: { from: 'e.f' } } } }] }, ['a.b', 'c.d', 'e.f']],
])('the condition %j reads %j', (when, paths) => {
  expect(pathsInWhen(when)).toEqual(paths)
})

test('an output of the first of several paths skips null, as `or` replaces it', () => {
  const outputs = {
    either: { first: ['input.absent', 'input.note', 'input.PupUid'] },
    neither: { first: ['input.absent', 'input.note'] },
    step: { first: ['other', 'stock'] },
  }
  expect(resolveOutputs(outputs, values)).toEqual({ either: 'p-1', neither: null, step: { shipmentUid: 's-1' } })
})
