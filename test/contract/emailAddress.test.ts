import { describe, expect, test } from 'vitest'
import { emailAddress, operations, readRequest, suggestion } from '#contract'

const isValid = (text: string) => emailAddress.safeParse(text).success

describe('an address is valid', () => {
  test.each([
    // Every special character of an atom, RFC 5321 section 4.1.2.
    ...[..."!#$%&'*+-/=?^_`{|}~"].flatMap(sign => [`a${sign}b@home.example`, `${sign}@home.example`]),
    'a.b.c@home.example',
    'A-1@Sub.Home-2.example',
    'a@home.xn--p1ai',
    'a@xn--bcher-kva.XN--VERMGENSBERATUNG-PWB',
    'a@1.2.example',
    `${'a'.repeat(64)}@home.example`,
    `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}exampl`,
  ])('%s', text => {
    expect(isValid(text)).toBe(true)
  })
})

describe('an address is invalid', () => {
  test.each([
    '',
    'a',
    'a@',
    '@home.example',
    'a@home',
    'a@home.e',
    'a@home.1e',
    'a@-home.example',
    'a@home-.example',
    'a@home..example',
    'a@home.xn--',
    'a@home.xn--a-',
    '.a@home.example',
    'a.@home.example',
    'a..b@home.example',
    'a b@home.example',
    '"a"@home.example',
    'a@b@home.example',
    'a@home.example\n',
    'ä@home.example',
    `${'a'.repeat(65)}@home.example`,
    `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}example`,
  ])('%j', text => {
    expect(isValid(text)).toBe(false)
  })
})

test('an address of a megabyte is rejected at once', () => {
  const startedAt = performance.now()
  for (const part of ['a', 'a.', 'a-', 'a--', 'xn--', '-', '.']) {
    expect(isValid(`a@${part.repeat(1_000_000 / part.length)}`)).toBe(false)
    expect(isValid(part.repeat(1_000_000 / part.length))).toBe(false)
  }
  // A pattern that backtracks takes hours.
  expect(performance.now() - startedAt).toBeLessThan(20_000)
})

test.each([
  [`${'a'.repeat(65)}@home.example`, 'at most 64 characters before the @'],
  [`a@${`${'b'.repeat(60)}.`.repeat(4)}example.org`, '254 characters'],
])('the message of %s names the field and the limit', (address, limit) => {
  const read = readRequest(operations.SetAccountDetails, { userUid: 'u', emailAddress: address })
  expect(read).toMatchObject({ error: 'InvalidRequest', message: expect.stringMatching(`^emailAddress.*${limit}`) })
})

test('a name with a character that reorders the text is rejected in an upload too', () => {
  const row = { ...{ phoneNumber: null, languageCode: null, lastName: null }, remarks: null, pickUpPoint: null }
  for (const [firstName, success] of [
    ['A\tda', true] as const,
    ['A\u202eda', false] as const,
    ['A\u0007da', false] as const,
  ])
    expect(suggestion.safeParse({ ...row, emailAddress: 'a@home.example', firstName }).success).toBe(success)
})

test('accounts and uploads have the same rule', () => {
  const person = { firstName: 'A', lastName: 'B', pickUpPointUid: 'p' }
  const row = { ...{ phoneNumber: null, languageCode: null, firstName: null, lastName: null }, remarks: null }
  for (const address of ['a&b!#/{}@home.xn--p1ai', 'a@home']) {
    const accepted = isValid(address)
    expect(readRequest(operations.CreateAccount, { ...person, emailAddress: address }).ok).toBe(accepted)
    expect(readRequest(operations.SetAccountDetails, { userUid: 'u', emailAddress: address }).ok).toBe(accepted)
    expect(suggestion.safeParse({ ...row, pickUpPoint: null, emailAddress: address }).success).toBe(accepted)
  }
})
