import { describe, expect, test } from 'vitest'
import { type OperationName, requestSchema } from '#contract'
import { assignFields, readFlags } from '../../../cli/fields/assign.ts'
import { anyShape, pathsOf, shapeOfFields, shapeOfSchema } from '../../../cli/fields/shape.ts'

function assign(operation: OperationName, flags: string, strict = true) {
  return assignFields({}, shapeOfSchema(requestSchema(operation)), readFlags(flags.split(' ').filter(Boolean)), strict)
}

test.each<[OperationName, string, object]>([
  ['CreateLocalShipmentAsStock', '--PupUid pup-1', { PupUid: 'pup-1' }],
  ['CreateLocalShipmentAsStock', '--PupUid=7', { PupUid: '7' }],
  ['CreateLocalShipmentAsStock', '--PUPUID 8', { PupUid: '8' }],
  [
    'CreateLocalShipmentAsStock',
    '--Dimension.width 3 --dimension.HEIGHT=4.5',
    { Dimension: { width: 3, height: 4.5 } },
  ],
  [
    'CreateLocalShipmentAsStock',
    '--AllowLargerLockers --AllowOverflowLockers false',
    { AllowLargerLockers: true, AllowOverflowLockers: false },
  ],
  [
    'CreateLocalShipmentAsStock',
    '--Details.Description= --Details.ReferenceNo -1',
    { Details: { Description: '', ReferenceNo: '-1' } },
  ],
  ['CreateLocalShipmentAsStock', '--Details null', { Details: null }],
  ['CreateLocalShipmentAsStock', '--Dimension {"width":3}', { Dimension: { width: 3 } }],
  ['GetShipments', '', {}],
])('%s %s', (operation, flags, body) => {
  expect(assign(operation, flags)).toEqual(body)
})

test.each<[OperationName, string, string]>([
  ['CreateLocalShipmentAsStock', 'PupUid', 'PupUid: must be a field such as --PupUid, or follow one.'],
  ['CreateLocalShipmentAsStock', '--PupUid', '--PupUid: must have a value.'],
  ['CreateLocalShipmentAsStock', '--Pup 7', '--Pup: must be a field of the request. The fields are PupUid,'],
  ['CreateLocalShipmentAsStock', '--Dimension.depth 7', '--Dimension.depth: must be a field of the request.'],
  ['CreateLocalShipmentAsStock', '--Dimension.width wide', '--Dimension.width: must be a number, got "wide".'],
  ['CreateLocalShipmentAsStock', '--AllowLargerLockers maybe', '--AllowLargerLockers: must be a boolean, got "maybe".'],
  ['CreateLocalShipmentAsStock', '--Dimension 7', '--Dimension: must be an object, got "7".'],
  ['CreateLocalShipmentAsStock', '--pupuid 7 --PUPUID 8', '--PUPUID: must be given once.'],
  ['CreateLocalShipmentAsStock', '--Dimension.width 3 --dimension.Width 4', '--dimension.Width: must be given once.'],
  ['CreateLocalShipmentAsStock', '--__proto__.polluted 1', '--__proto__.polluted: must be a field of the request.'],
])('%s %s is a fault', (operation, flags, message) => {
  expect(() => assign(operation, flags)).toThrow(message)
})

describe('without a check', () => {
  test('unknown fields and other types are taken as they are, but no prototype is changed', () => {
    const flags = '--Unknown 3 --Dimension.width wide --Nested.flag'
    expect(assign('CreateLocalShipmentAsStock', flags, false)).toEqual({
      Unknown: 3,
      Dimension: { width: 'wide' },
      Nested: { flag: true },
    })
    expect(() => assign('CreateLocalShipmentAsStock', '--constructor.prototype.polluted 1', false)).toThrow('must be')
  })
})

describe('lists', () => {
  const shape = shapeOfFields({
    tags: { list: 'text' },
    lines: { list: { fields: { count: 'integer' } } },
    size: ['S', 'M'],
  })

  test('grow by repetition, and have an index', () => {
    const words = ['--tags', 'a', '--tags', '7', '--lines.0.count', '1', '--lines.1.count', '2', '--size', 'S']
    expect(assignFields({}, shape, readFlags(words), true)).toEqual({
      tags: ['a', '7'],
      lines: [{ count: 1 }, { count: 2 }],
      size: 'S',
    })
    expect(() => assignFields({}, shape, readFlags(['--lines.5.count', '1']), true)).toThrow(
      '--lines.5.count: must have the index of an item or of the next one.',
    )
  })

  test('are given as JSON, too', () => {
    expect(assignFields({ tags: ['x'] }, shape, readFlags(['--tags', '["a","b"]']), true)).toEqual({ tags: ['a', 'b'] })
  })
})

test('a body without a shape has JSON, texts and flags', () => {
  const words = ['--count', '3', '--name', 'Kim', '--list.0', 'a', '--on']
  expect(assignFields({ kept: 1 }, anyShape, readFlags(words), true)).toEqual({
    kept: 1,
    count: 3,
    name: 'Kim',
    list: { 0: 'a' },
    on: true,
  })
})

test('the paths of an operation are its fields', () => {
  expect(pathsOf(shapeOfSchema(requestSchema('CreateLocalShipmentAsStock')))).toEqual(
    expect.arrayContaining(['PupUid', 'Dimension.width', 'Details.ReferenceCaseNo']),
  )
})
