import { expect, test } from 'vitest'
import {
  mayHavePersonalFields,
  mergePersonal,
  type SplitValue,
  splitPersonal,
} from '../../../platform/codec/personal/fields.ts'

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
  [
    'a request that names the account by its uid',
    { caseNo: 'A-1', request: { UserUid: 'u', city: 'Delft' } },
    { caseNo: 'A-1', request: { UserUid: 'u', city: removed } },
    { userUid: 'u' },
  ],
  ['empty and absent fields', { firstName: '', lastName: null }, { firstName: '', lastName: null }, {}],
  ['removed fields', { city: '[removed]' }, { city: '[removed]' }, {}],
  [
    'declared types of fields',
    { answers: { given: { emailAddress: 'text', streetNo: 'integer', city: { optional: 'text' } } } },
    { answers: { given: { emailAddress: 'text', streetNo: 'integer', city: { optional: 'text' } } } },
    {},
  ],
  [
    'references of a plan',
    {
      fingerprint: 'f',
      steps: [{ name: 'account', keep: { userUid: 'uid' } }],
      outputs: { userUid: 'account.userUid', emailAddress: 'account.emailAddress', city: 'input.town' },
    },
    {
      fingerprint: 'f',
      steps: [{ name: 'account', keep: { userUid: 'uid' } }],
      outputs: { userUid: 'account.userUid', emailAddress: 'account.emailAddress', city: 'input.town' },
    },
    {},
  ],
  [
    'outputs that are values',
    { step: 1, outputs: { account: { userName: 'j.smith' } }, steps: [] },
    { step: 1, outputs: { account: { userName: removed } }, steps: [] },
    {},
  ],
  ['lists', [{ city: 'Delft' }, 'city'], [{ city: removed }, 'city'], {}],
])('personal fields are separated from the rest: %s', (_, value, rest, person) => {
  const split = splitPersonal(value)
  expect(split.rest).toEqual(rest)
  expect(split.groups[0]?.person ?? {}).toEqual(person)
  expect(split.groups.length).toBeLessThanOrEqual(1)
  expect(mergePersonal(structuredClone(split.rest), valuesOf(split))).toEqual(value)
})

test('a field belongs to the nearest person around it, or else to the first one', () => {
  const value = {
    country: [{ countryCode: 'NL' }],
    ada: { userUid: 'u-1', emailAddress: 'Ada@home.example', at: { city: 'Delft' } },
    bob: {
      emailAddress: 'bob@home.example',
      firstName: 'Bob',
      friend: { emailAddress: 'ada@home.example', city: 'Ghent' },
    },
  }
  const split = splitPersonal(value)
  expect(JSON.stringify(split.rest)).not.toMatch(/NL|home|Delft|Bob|Ghent/)
  expect(split.groups.map(({ person, values }) => [person, values.map(([, text]) => text)])).toEqual([
    [
      { emailAddress: 'Ada@home.example', userUid: 'u-1' },
      ['Ada@home.example', 'Delft', 'ada@home.example', 'Ghent', 'NL'],
    ],
    [{ emailAddress: 'bob@home.example' }, ['bob@home.example', 'Bob']],
  ])
  expect(mergePersonal(structuredClone(split.rest), valuesOf(split))).toEqual(value)
})

function valuesOf({ groups }: SplitValue) {
  return groups.flatMap(({ values }) => values)
}

test.each([
  ['{"EmailAddress" : "x"}', true],
  ['{"description":"emailAddress"}', false],
  ['{"shipmentUid":"x"}', false],
])('%s is parsed: %s', (json, parsed) => {
  expect(mayHavePersonalFields(json)).toBe(parsed)
})
