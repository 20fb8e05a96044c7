import { expect, test } from 'vitest'
import { z } from 'zod'
import { mutationFlags, type Operation, type OperationName, operations } from '#contract'

const details = ['ReferenceNo', 'ReferenceCaseNo', 'Description']
const dimension = ['width', 'height', 'length']
const objectDetails = ['referenceNo', 'description', 'weight', 'count', 'dimension']

/** The objects inside of requests and answers, by where they are. */
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

test.each(rows)('%s: the fields of the %s inside of %s', (name, side, field, fields) => {
  const operation: Operation = operations[name]
  const { properties = {} } = z.toJSONSchema(operation[side], { io: side === 'request' ? 'input' : 'output' })
  expect(Object.keys(propertiesOf(properties[field])).toSorted()).toEqual(fields.toSorted())
})

/** Those of an object, also of one that may be null or is the item of a list. */
function propertiesOf(schema: unknown): object {
  const {
    properties,
    anyOf = [],
    items,
  } = Object(schema) as { properties?: object; anyOf?: unknown[]; items?: unknown }
  return properties ?? (items === undefined ? Object.assign({}, ...anyOf.map(propertiesOf)) : propertiesOf(items))
}
