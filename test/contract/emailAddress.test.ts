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
    `${'a'.repeat(241)}@home.example`,
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
    `${'a'.repeat(242)}@home.example`,
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
