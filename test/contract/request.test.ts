import { describe, expect, test } from 'vitest'
import { type Operation, operations, readRequest } from '#contract'

const dimension = { width: 1, height: 2, length: 3 }
const stock = { PupUid: 'pup-1', AllowLargerLockers: true, AllowOverflowLockers: false, Dimension: dimension }

function read(operation: Operation, body: unknown) {
  return readRequest(operation, body)
}

describe('casing', () => {
  test('keys are read in any casing, at every depth', () => {
    const body = {
      pupuid: 'pup-1',
      ALLOWLARGERLOCKERS: true,
      allowOverflowLockers: false,
      dimension: { WIDTH: 1, Height: 2, length: 3 },
      details: { referenceno: 'R1' },
    }
    expect(read(operations.CreateLocalShipmentAsStock, body)).toEqual({
      ok: true,
      request: { ...stock, Details: { ReferenceNo: 'R1' } },
    })
  })

  test('two keys that differ only in casing are refused by name', () => {
    const body = { ...stock, pupUid: 'pup-2', Dimension: { ...dimension, WIDTH: 9 } }
    expect(read(operations.CreateLocalShipmentAsStock, body)).toEqual({
      ok: false,
      error: 'InvalidRequest',
      message: 'Dimension.width is given twice, in different casing; PupUid is given twice, in different casing.',
    })
  })

  test('unknown properties are ignored', () => {
    expect(read(operations.CreateLocalShipmentAsStock, { ...stock, Colour: 'red' })).toEqual({
      ok: true,
      request: stock,
    })
  })
})

describe('an invalid body', () => {
  test.each([
    [
      'every offending field is named',
      { Dimension: { width: 0, height: 'x' } },
      [
        'PupUid is missing',
        'AllowLargerLockers is missing',
        'Dimension.width',
        'Dimension.height',
        'Dimension.length is missing',
      ],
    ],
    ['a side below one centimetre', { ...stock, Dimension: { ...dimension, width: 0.99 } }, ['Dimension.width']],
    ['a number that is NaN', { ...stock, Dimension: { ...dimension, width: Number.NaN } }, ['Dimension.width']],
    ['a reference that is too long', { ...stock, Details: { ReferenceNo: 'x'.repeat(101) } }, ['Details.ReferenceNo']],
    ['a list', [], ['The body']],
    ['a text', 'stock', ['The body']],
    ['nothing', undefined, ['The body']],
    ['null', null, ['The body']],
  ])('%s', (_, body, named) => {
    const response = read(operations.CreateLocalShipmentAsStock, body)
    expect(response).toMatchObject({ ok: false, error: 'InvalidRequest' })
    for (const field of named) expect(response).toHaveProperty('message', expect.stringContaining(field))
  })

  test.each([
    ['phoneNumber', '0612345678'],
    ['phoneNumber', '+31 6 123'],
    ...['+480', '00000', '+0000000000', '000480123456', '+123456', '++31612345678', `+${'1'.repeat(16)}`].map(
      value => ['phoneNumber', value] as [string, string],
    ),
    ['languageCode', 'dutch'],
    ['countryCode', 'NLD'],
    ['emailAddress', 'nobody'],
    ['emailAddress', `${'x'.repeat(250)}@a.nl`],
    ['emailAddress', `${'x'.repeat(65)}@home.example`],
    ...['firstName', 'lastName', 'userName', 'city'].flatMap(field =>
      ['a\u0007b', 'a\u001bb', 'a\u0085', '\u202eb', 'a\u2066b', '\u200b', '\u200d \ufe0f', '\u3164\u2060'].map(
        value => [field, value] as [string, string],
      ),
    ),
  ])('an account with %s %s', (field, value) => {
    const account = { emailAddress: 'a@b.nl', firstName: 'A', lastName: 'B', pickUpPointUid: 'pup-1', [field]: value }
    const response = read(operations.CreateAccount, account)
    expect(response).toMatchObject({ ok: false, error: 'InvalidRequest', message: expect.stringContaining(field) })
  })
})

test.each(['CreateLocalShipment', 'SetShipmentReceiver', 'SetAccountDetails'] as const)(
  'a list as the body of %s has one problem',
  name => {
    const message = 'The body: must be an object.'
    expect(read(operations[name], [])).toMatchObject({ ok: false, error: 'InvalidRequest', message })
  },
)

test.each([{}, { authType: null }])('a choice that is absent is missing: %o', given => {
  const response = read(operations.ConfigureCallback, { url: 'https://a.example', ...given })
  expect(response).toMatchObject({ ok: false, message: 'authType is missing.' })
})

test('a wrong choice is named with the valid ones', () => {
  const response = read(operations.ConfigureCallback, { url: 'https://a.example', authType: 'Basic' })
  expect(response).toMatchObject({ ok: false, message: expect.stringMatching(/^authType: must be one of "/) })
})

test('a missing field that may be null is named as missing', () => {
  const response = read(operations.SetShipmentDetails, { shipmentUid: 's', ReferenceNo: '1' })
  expect(response).toMatchObject({ message: 'Description is missing; ReferenceCaseNo is missing.' })
})

test.each([null, undefined])('a page number or size that is %s has its default', value => {
  const response = read(operations.GetShipments, { pageNo: value, pageSize: value })
  expect(response).toMatchObject({ ok: true, request: { pageNo: 1, pageSize: 50 } })
})

describe('an identifier with a code of its own', () => {
  const account = { emailAddress: 'a@b.nl', firstName: 'A', lastName: 'B' }

  test.each([undefined, null, ''])('%s is InvalidPupUid', pickUpPointUid => {
    const response = read(operations.CreateAccount, { ...account, pickUpPointUid })
    expect(response).toMatchObject({ ok: false, error: 'InvalidPupUid', message: 'pickUpPointUid is missing.' })
  })

  test('a field of another type has one problem', () => {
    const wrongUid = read(operations.CreateLocalShipmentAsStock, { ...stock, PupUid: [] })
    expect(wrongUid).toMatchObject({ message: 'PupUid: must be a text.' })
    const wrongStates = read(operations.GetShipments, { shipmentState: 'Completed' })
    expect(wrongStates).toMatchObject({ message: 'shipmentState: must be a list.' })
  })

  test('a body that is invalid in another field is InvalidRequest first', () => {
    expect(read(operations.CreateAccount, { lastName: 'B' })).toMatchObject({ ok: false, error: 'InvalidRequest' })
  })
})

test('a house number may be a JSON number and is stored as text', () => {
  const account = { emailAddress: 'a@b.nl', firstName: 'A', lastName: 'B', pickUpPointUid: 'p', streetNo: 12 }
  expect(read(operations.CreateAccount, account)).toMatchObject({ ok: true, request: { streetNo: '12' } })
})
