import { expect, test } from 'vitest'
import { person, startWithAccounts } from '../../support/service/accounts.ts'

test.each([
  ['Jürgen', 'Ju\u0308rgen'],
  ['Straße', 'STRASSE'],
  ['İpek', 'ipek'],
])('%j and %j are one user name, in every operation', async (userName, other) => {
  const { world } = await startWithAccounts()
  const ask = { ...person, emailAddress: 'new@home.example', userName }
  const { userUid } = await world.call('CreateAccount', ask)
  expect(await world.call('GetAccount', { userName: other })).toMatchObject({ userUid, userName })
  const again = { ...ask, emailAddress: 'next@home.example', userName: other }
  expect(await world.call('CreateAccount', again)).toMatchObject({ error: 'UserNameAlreadyRegistered' })
  expect(await world.call('CreateOrGetAccount', again)).toMatchObject({ userUid, userName, isExisting: true })
})
