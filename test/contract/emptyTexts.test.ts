import { describe, expect, test } from 'vitest'
import { type Operation, operations, readRequest } from '#contract'
import { bodyOf, placesIn, put, sane } from '../support/service/validRequest.ts'

const rows = Object.values<Operation>(operations).flatMap(operation =>
  placesIn(operation).map(place => ({ operation, name: operation.name, place, field: place.join('.') })),
)

/** True if a valid request may have null here, and a text. */
function isOptionalText({ operation, place }: (typeof rows)[number]): boolean {
  const body = bodyOf(operation, sane)
  const accepts = (value: unknown) => readRequest(operation, put(body, place, value)).ok
  const texts = ['text', 'a@home.example', '+31612345678', 'nl', '2026-01-01T00:00:00', 'DropOff', 'x'.repeat(16)]
  return accepts(null) && [...texts, 'CreatedAsc'].some(accepts)
}

const optional = rows.filter(isOptionalText)

/** Fields that SetAccountDetails empties, and those with a meaning of their own for an empty text. */
const emptied = ['phoneNumber', 'languageCode', 'streetName', 'streetNo', 'mailbox', 'city', 'countryCode']
const isEmptied = ({ name, field }: { name: string; field: string }) =>
  name === 'SetAccountDetails' && emptied.includes(field)
const isRequiredText = ({ name, field }: { name: string; field: string }) =>
  (name === 'SetAccountDetails' && ['emailAddress', 'firstName', 'lastName'].includes(field)) ||
  (name === 'ConfigureCallback' && field === 'url')

test('many fields are optional texts', () => {
  expect(optional.length).toBeGreaterThan(60)
})

describe('the empty text means the same as null', () => {
  test.each(optional.filter(row => !isEmptied(row) && !isRequiredText(row)))(
    '$name: $field',
    ({ operation, place }) => {
      const body = bodyOf(operation, sane)
      const read = (value: unknown) => readRequest(operation, put(body, place, value))
      expect(read('')).toEqual(read(null))
    },
  )
})

test.each(optional.filter(isEmptied))('$name keeps it to empty $field', ({ operation, field }) => {
  const read = readRequest(operation, { userUid: 'u', [field]: '' })
  expect(read).toEqual({ ok: true, request: { userUid: 'u', [field]: '' } })
})

test.each(rows.filter(({ name }) => name === 'SetShipmentDetails').filter(row => !optional.includes(row)))(
  '$name requires a text for $field',
  ({ operation, place }) => {
    expect(readRequest(operation, put(bodyOf(operation, sane), place, ''))).toMatchObject({
      ok: false,
      error: 'InvalidRequest',
    })
  },
)
