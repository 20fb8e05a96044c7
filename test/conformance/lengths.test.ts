import { expect, test } from 'vitest'
import { type Operation, type OperationName, operations, readRequest } from '#contract'
import { bodyOf, placesIn, put, sane } from '../support/service/validRequest.ts'

const person = { emailAddress: 'a@home.example', firstName: 'A', lastName: 'B', pickUpPointUid: 'pup-1' }
const details = { shipmentUid: 'some', Description: null, ReferenceNo: '1', ReferenceCaseNo: '1' }
const text = (length: number) => 'x'.repeat(length)
const side = { width: 1, height: 1, length: 1 }

interface Row {
  readonly operation: OperationName
  readonly field: string
  readonly sound: object
  readonly most: unknown
  readonly more: unknown
}

/** The longest value of each field, and one that is too long. */
const rows: Row[] = [
  ...['ReferenceNo', 'ReferenceCaseNo'].map(
    (field): Row => ({ operation: 'SetShipmentDetails', field, sound: details, most: text(100), more: text(101) }),
  ),
  {
    operation: 'SetShipmentDetails',
    field: 'Description',
    sound: details,
    most: text(1_000),
    more: text(1_001),
  },
  // OpenAPI's maxLength counts a character outside the basic plane once, and so do the generated clients.
  {
    operation: 'SetShipmentDetails',
    field: 'ReferenceNo',
    sound: details,
    most: '😀'.repeat(100),
    more: '😀'.repeat(101),
  },
  { operation: 'CancelShipment', field: 'shipmentUid', sound: {}, most: text(64), more: text(65) },
  ...['firstName', 'lastName', 'city'].map(
    (field): Row => ({ operation: 'CreateAccount', field, sound: person, most: text(100), more: text(101) }),
  ),
  {
    operation: 'UnlockShipmentLocker',
    field: 'pinCode',
    sound: { shipmentUid: 'some' },
    most: text(1_000),
    more: text(1_001),
  },
  { operation: 'CreateAccount', field: 'userName', sound: person, most: text(254), more: text(255) },
  {
    operation: 'CreateAccount',
    field: 'emailAddress',
    sound: person,
    most: `${text(64)}@${`${text(60)}.`.repeat(3)}exampl`,
    more: `${text(64)}@${`${text(60)}.`.repeat(3)}example`,
  },
  {
    operation: 'CreateAccount',
    field: 'emailAddress',
    sound: person,
    most: `${text(64)}@home.example`,
    more: `${text(65)}@home.example`,
  },
  {
    operation: 'CreateAccount',
    field: 'phoneNumber',
    sound: person,
    most: `00${'1'.repeat(15)}`,
    more: `00${'1'.repeat(16)}`,
  },
  {
    operation: 'ConfigureCallback',
    field: 'url',
    sound: { authType: 'None' },
    most: `https://a.example/${text(1_982)}`,
    more: `https://a.example/${text(1_983)}`,
  },
  // One limit in each row: a request that exceeds several is refused for any of them.
  ...[
    { most: { weight: 10_000_000 }, more: { weight: 10_000_000.1 } },
    { most: { count: 1_000_000 }, more: { count: 1_000_001 } },
    ...(['width', 'height', 'length'] as const).map(name => ({
      most: { dimension: { ...side, [name]: 10_000 } },
      more: { dimension: { ...side, [name]: 10_000.1 } },
    })),
  ].map(
    (limit): Row => ({
      operation: 'AddShipmentObject',
      field: 'details',
      sound: { shipmentUid: 'some' },
      ...limit,
    }),
  ),
]

test.each(rows)('$operation accepts $field up to its maximum length', row => {
  const declared: Operation = operations[row.operation]
  const read = (value: unknown) => readRequest(declared, { ...row.sound, [row.field]: value })
  expect(read(row.most)).toMatchObject({ ok: true })
  expect(read(row.more)).toMatchObject({ ok: false, message: expect.stringContaining(row.field) })
})

const unfit = {
  'a text that has no end': text(3_000),
  'the character NUL, which not every store can keep': 'a\u0000b',
  'a lone surrogate, which stores replace': 'a\ud83d',
}

test.each(Object.values<Operation>(operations).map(operation => ({ name: operation.name, operation })))(
  'no field of $name accepts text without a limit, the character NUL, or a lone surrogate',
  ({ operation }) => {
    const body = bodyOf(operation, sane)
    expect(readRequest(operation, body)).toMatchObject({ ok: true })
    for (const place of placesIn(operation)) {
      for (const [what, value] of Object.entries(unfit)) {
        const read = readRequest(operation, put(body, place, value))
        expect({ place, what, ok: read.ok }).toEqual({ place, what, ok: false })
        expect(read).toMatchObject({ error: 'InvalidRequest', message: expect.stringContaining(place.at(-1) ?? '') })
      }
    }
  },
)
