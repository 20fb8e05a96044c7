import { assert, boolean, constantFrom, date, double, integer, object, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { toJson } from '../../../testing/simulator/server.ts'

const values = object({
  values: [string(), double(), integer(), boolean(), constantFrom(null, undefined), date({ noInvalidDate: true })],
  maxDepth: 3,
})

test('a value arrives as its JSON text would', () => {
  assert(property(values, value => void expect(toJson(value)).toStrictEqual(JSON.parse(JSON.stringify(value)))))
})

test('a field called __proto__ arrives as a field', () => {
  const value = JSON.parse('{"__proto__": {"stateCode": "Completed"}}')
  expect(JSON.stringify(toJson(value))).toBe(JSON.stringify(value))
})

test('a value arrives as a copy', () => {
  const value = { shipments: [{ shipmentUid: 'one' }] }
  toJson(value).shipments.push({ shipmentUid: 'another' })
  expect(value).toEqual({ shipments: [{ shipmentUid: 'one' }] })
})
