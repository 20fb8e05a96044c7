import { expect, test } from 'vitest'
import { type Operation, type OperationName, operations, readRequest } from '#contract'

const person = { emailAddress: 'a@b.nl', firstName: 'A', lastName: 'B', pickUpPointUid: 'pup-1' }
const address = { streetName: 'Dock', streetNo: '7', mailbox: 'a', city: 'Gent' }
const asks = {
  CreateAccount: person,
  CreateOrGetAccount: person,
  SetAccountDetails: { userUid: 'some', ...address },
} satisfies Partial<Record<OperationName, object>>
const names = Object.keys(asks) as (keyof typeof asks)[]

function read(name: keyof typeof asks, countryCode: unknown) {
  const declared: Operation = operations[name]
  return readRequest(declared, { ...asks[name], countryCode })
}

test('every operation with a countryCode is tested', () => {
  const taking = Object.values(operations).filter(({ request }) => 'countryCode' in request.shape)
  expect(taking.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

test('249 pairs of letters are valid, in any casing (SPEC-18)', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const pairs = letters.flatMap(one => letters.map(other => one + other))
  const taken = (casing: (pair: string) => string) =>
    pairs.filter(pair => read('CreateAccount', casing(pair)).ok).join(' ')
  const upper = taken(pair => pair)
  // As many as the standard has assigned: a change of the standard comes with a new version of the list.
  expect(upper.split(' ')).toHaveLength(249)
  expect(upper).toMatch(/^AD AE .*\bBE\b.*\bDE\b.*\bGB\b.*\bNL\b.*\bSS\b.* ZA ZM ZW$/)
  expect(taken(pair => pair.toLowerCase())).toBe(upper)
  expect(taken(pair => pair.charAt(0) + pair.charAt(1).toLowerCase())).toBe(upper)
})

// Not assigned, only reserved, left to users, withdrawn, and no code at all.
const wrong = ['ZZ', 'UK', 'EU', 'XK', 'AN', 'SU', 'NLD', 'N', '', '31', 'N1', ' NL', 'İ1', 'ſs', '__', 31, true, {}]
const cases = wrong.flatMap(code => names.map(name => [code, name] as const))
// Empty is no code: it is not given, or empties the field.
test.each(cases.filter(([code]) => code !== ''))(
  '%s is rejected by %s with a message that says what is valid',
  (code, name) => {
    const answer = read(name, code)
    expect(answer).toMatchObject({ ok: false, error: 'InvalidRequest', message: expect.stringMatching(/^countryCode/) })
    if (typeof code !== 'string') return
    expect(answer).toMatchObject({
      message: 'countryCode: must be an assigned country code of ISO 3166-1 alpha-2 such as NL.',
    })
  },
)

test('responses are not checked against the list', () => {
  const item = { pupUid: 'p', name: 'P', timeZone: 'Europe/Pristina', countryCode: 'XK' }
  const answer = { items: [item], pageNo: 1, pageSize: 1, totalItems: 1, totalPages: 1 }
  expect(operations.GetPickUpPoints.response.parse(answer)).toMatchObject({ items: [{ countryCode: 'XK' }] })
})
