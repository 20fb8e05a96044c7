import { expect, test } from 'vitest'
import { z } from 'zod'
import { mutationFlags, type Operation, type OperationName, operations, readRequest } from '#contract'
import { accountOperations, logistics } from './interface.ts'

const of = (name: keyof typeof operations): Operation => operations[name]
const listed = [
  ...logistics.map(row => ({ ...row, path: `/v1/Logistics/${row.name}` })),
  ...accountOperations.map(row => ({ ...row, path: `/v1/Account/${row.name}` })),
]

test.each(listed)('$name is under the path of the specification (SPEC-31)', ({ name, path }) => {
  expect(of(name).path).toBe(path)
})

test.each(listed)(
  '$name takes the fields of the specification, in its casing (SPEC-32)',
  ({ name, takes, mayTake = [] }) => {
    const { properties = {}, required = [] } = z.toJSONSchema(of(name).request, { io: 'input' })
    expect(Object.keys(properties).toSorted()).toEqual([...takes, ...mayTake].toSorted())
    expect(required.toSorted()).toEqual(takes.toSorted())
  },
)

test.each(listed)('$name returns the fields of the specification, in its casing (SPEC-33)', ({ name, answers }) => {
  expect(Object.keys(of(name).response.shape).toSorted()).toEqual(answers.toSorted())
})

const details = ['ReferenceNo', 'ReferenceCaseNo', 'Description']
const objectDetails = ['referenceNo', 'description', 'weight', 'count', 'dimension']

test.each<[OperationName, 'request' | 'response', string, readonly string[]]>([
  ['CreateLocalShipmentAsIssue', 'request', 'Details', details],
  ['CreateLocalShipmentAsIssue', 'request', 'Dimension', ['width', 'height', 'length']],
  ['CreateLocalShipmentAsIssueAndSwapIntake', 'request', 'Return', details],
  ['CreateLocalShipmentAsIssueFromStock', 'request', 'Issue', ['ReferenceCaseNo']],
  ['AddShipmentObject', 'request', 'details', objectDetails],
  ['CreateAccount', 'request', 'mutationConfig', mutationFlags],
  ['CreateOrGetAccount', 'request', 'mutationConfig', mutationFlags],
  ['UploadAccountSuggestions', 'response', 'errorLogs', ['id', 'message']],
])('%s: the %s has the fields of the specification in %s (SPEC-32, SPEC-33)', (name, side, field, fields) => {
  const { properties = {}, $defs = {} } = z.toJSONSchema(of(name)[side], {
    io: side === 'request' ? 'input' : 'output',
  })
  expect(Object.keys(propertiesOf(properties[field], $defs)).toSorted()).toEqual(fields.toSorted())
})

test.each(listed)('$name declares the codes of the specification (SPEC-91)', ({ name, errors = [] }) => {
  expect(of(name).errors).toEqual(expect.arrayContaining([...errors]))
})

/** Valid values of the fields of the create operations. */
const sound: Record<string, unknown> = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  KeepBookedAfterPickUp: false,
  PriorShipmentUid: 'prior',
  Dimension: { width: 1, height: 1, length: 1 },
  ToUserUid: 'receiver',
  FromUserUid: 'sender',
}
const fields = (name: keyof typeof operations) =>
  Object.fromEntries(Object.entries(sound).filter(([field]) => field in of(name).request.shape))
const read = (name: keyof typeof operations, more: object) => readRequest(of(name), { ...fields(name), ...more })

test.each(listed.filter(({ takes }) => takes.includes('Dimension')))(
  '$name accepts an item of 1 cm and nothing smaller, on any side (SPEC-12)',
  ({ name }) => {
    expect(read(name, {})).toMatchObject({ ok: true })
    for (const side of ['width', 'height', 'length']) {
      const refused = read(name, { Dimension: { width: 1, height: 1, length: 1, [side]: 0.99 } })
      expect(refused).toMatchObject({ ok: false, message: expect.stringContaining(`Dimension.${side}`) })
    }
  },
)

const texts = { Details: details, Return: details, Issue: ['ReferenceCaseNo'] }
test.each(logistics.filter(({ mayTake = [] }) => mayTake.some(field => field in texts)))(
  'the texts of Details, Return and Issue in $name can be text or null (SPEC-41)',
  ({ name, mayTake = [] }) => {
    for (const [field, inside] of Object.entries(texts).filter(([field]) => mayTake.includes(field))) {
      for (const value of ['text', null]) {
        const asked = Object.fromEntries(inside.map(text => [text, value]))
        expect(read(name, { [field]: asked })).toMatchObject({ ok: true, request: { [field]: asked } })
      }
      expect(read(name, { [field]: { [inside[0] ?? '']: 1 } })).toMatchObject({ ok: false })
    }
  },
)

test.each(Object.values<Operation>(operations))(
  'every uid that $name accepts or returns is text (SPEC-6)',
  operation => {
    for (const [schema, io] of [[operation.request, 'input'] as const, [operation.response, 'output'] as const]) {
      const { properties = {} } = z.toJSONSchema(schema, { io })
      for (const [field, property] of Object.entries(properties).filter(([field]) => field.endsWith('Uid'))) {
        const types = [...JSON.stringify(property).matchAll(/"type":("\w+"|\[.*?\])/g)].flatMap(([, type = '']) =>
          JSON.parse(type),
        )
        expect({ field, types: types.filter(type => type !== 'null' && type !== 'string') }).toEqual({
          field,
          types: [],
        })
        expect(types).toContain('string')
      }
    }
  },
)

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
