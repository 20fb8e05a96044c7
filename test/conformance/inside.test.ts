import { expect, test } from 'vitest'
import { z } from 'zod'
import { mutationFlags, type Operation, type OperationName, operations } from '#contract'

const details = ['ReferenceNo', 'ReferenceCaseNo', 'Description']
const dimension = ['width', 'height', 'length']
const objectDetails = ['referenceNo', 'description', 'weight', 'count', 'dimension']

/** Nested objects of requests and responses. */
const rows: [OperationName, 'request' | 'response', string, readonly string[]][] = [
  ['CreateLocalShipmentAsIssue', 'request', 'Details', details],
  ['CreateLocalShipmentAsIssue', 'request', 'Dimension', dimension],
  ['CreateLocalShipmentAsIssueAndSwapIntake', 'request', 'Return', details],
  ['CreateLocalShipmentAsIssueFromStock', 'request', 'Issue', ['ReferenceCaseNo']],
  ['AddShipmentObject', 'request', 'details', objectDetails],
  ['CreateAccount', 'request', 'mutationConfig', mutationFlags],
  ['CreateOrGetAccount', 'request', 'mutationConfig', mutationFlags],
  ['UploadAccountSuggestions', 'response', 'errorLogs', ['id', 'message']],
]

test.each(rows)('%s: the fields of the %s in %s', (name, side, field, fields) => {
  const operation: Operation = operations[name]
  const { properties = {}, $defs = {} } = z.toJSONSchema(operation[side], {
    io: side === 'request' ? 'input' : 'output',
  })
  expect(Object.keys(propertiesOf(properties[field], $defs)).toSorted()).toEqual(fields.toSorted())
})

/** The properties of an object schema, inside of references, lists and nullable types. */
function propertiesOf(schema: unknown, definitions: Readonly<Record<string, unknown>>): object {
  const { $ref, properties, anyOf, items } = Object(schema) as {
    $ref?: string
    properties?: object
    anyOf?: unknown[]
    items?: unknown
  }
  if ($ref !== undefined) return propertiesOf(definitions[$ref.split('/').at(-1) ?? ''], definitions)
  if (items !== undefined) return propertiesOf(items, definitions)
  return properties ?? Object.assign({}, ...(anyOf ?? []).map(variant => propertiesOf(variant, definitions)))
}
