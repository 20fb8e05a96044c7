import { expect, test } from 'vitest'
import { mayHavePersonalFields, mergePersonal, splitPersonal } from '../../codec/personal/fields.ts'

const removed = '[removed]'

test.each([
  [
    'the input of onboardAccount, in any casing',
    {
      caseNo: 'A-1',
      request: { EmailAddress: 'Kim@home.example', firstName: 'Kim', streetNo: 5, pickUpPointUid: 'p' },
    },
    { caseNo: 'A-1', request: { EmailAddress: removed, firstName: removed, streetNo: removed, pickUpPointUid: 'p' } },
    { emailAddress: 'Kim@home.example' },
  ],
  [
    'the result of its activity',
    { account: { userUid: 'u', emailAddress: 'k@home.example', mailCode: 'ABC', mainPupUid: 'p' }, configured: true },
    { account: { userUid: 'u', emailAddress: removed, mailCode: removed, mainPupUid: 'p' }, configured: true },
    { emailAddress: 'k@home.example', userUid: 'u' },
  ],
  ['empty and absent fields', { firstName: '', lastName: null }, { firstName: '', lastName: null }, {}],
  ['removed fields', { city: '[removed]' }, { city: '[removed]' }, {}],
  ['lists', [{ city: 'Delft' }, 'city'], [{ city: removed }, 'city'], {}],
])('personal fields are separated from the rest: %s', (_, value, rest, person) => {
  const split = splitPersonal(value)
  expect(split.rest).toEqual(rest)
  expect(split.person).toEqual(person)
  expect(mergePersonal(structuredClone(split.rest), split.values)).toEqual(value)
})

test.each([
  ['{"EmailAddress" : "x"}', true],
  ['{"description":"emailAddress"}', false],
  ['{"shipmentUid":"x"}', false],
])('%s is parsed: %s', (json, parsed) => {
  expect(mayHavePersonalFields(json)).toBe(parsed)
})
