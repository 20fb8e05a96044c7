import { expect, test } from 'vitest'
import type { RequestOf } from '#contract'
import { person, startWithAccounts } from '../../support/service/accounts.ts'

type Ask = Partial<RequestOf<'CreateAccount'>>

test('a new account is answered as it was given, with a mail code of its own (SPEC-19)', async () => {
  const { world } = await startWithAccounts()
  const response = await world.call('CreateAccount', {
    ...person,
    emailAddress: 'New@Home.example',
    phoneNumber: '0031612345678',
    languageCode: 'nl-NL',
    streetNo: 12,
  })
  expect(response).toEqual({
    success: true,
    error: null,
    message: null,
    userUid: expect.any(String),
    userName: 'New@Home.example',
    canManageUser: true,
    firstName: 'Ada',
    lastName: 'Lovelace',
    emailAddress: 'New@Home.example',
    phoneNumber: '0031612345678',
    mainPupUid: 'square',
    mainPupName: 'Station Square',
    languageCode: 'nl-NL',
    mailCode: expect.stringMatching(/^[A-Z0-9]{8}$/),
  })
  const again = await world.call('CreateOrGetAccount', { ...person, emailAddress: 'new@home.example' })
  expect(again).toEqual({ ...response, isExisting: true })
})

test('no two accounts have the same mail code', async () => {
  const { world, uids } = await startWithAccounts()
  const { mailCode, userUid } = await world.call('CreateAccount', { ...person, emailAddress: 'next@home.example' })
  expect(userUid).not.toBe(uids.mine)
  const same = world.service.store
    .updateTable('accounts')
    .set({ mail_code: mailCode ?? '' })
    .where('user_uid', '=', uids.mine ?? '')
  await expect(same.execute()).rejects.toThrow(/unique/i)
})

test('an existing account is returned as it is', async () => {
  const { world, uids } = await startWithAccounts()
  const ask = { ...person, emailAddress: 'mine@home.example', firstName: 'Grace', pickUpPointUid: 'reserve' }
  expect(await world.call('CreateOrGetAccount', ask)).toMatchObject({
    userUid: uids.mine,
    firstName: 'Ada',
    mainPupUid: 'square',
  })
})

test('a mutation configuration binds, also one that comes with an existing account', async () => {
  const { world } = await startWithAccounts()
  const mutationConfig = { canChangeEmailAddress: false }
  await world.call('CreateOrGetAccount', { ...person, emailAddress: 'mine@home.example', mutationConfig })
  const ask = { ...person, emailAddress: 'other@home.example', userName: 'mine' }
  expect(await world.call('CreateOrGetAccount', ask)).toMatchObject({ error: 'EmailAlreadyRegistered' })
  const allowed = { canChangeEmailAddress: true, canRemoveManually: null }
  await world.call('CreateOrGetAccount', { ...person, emailAddress: 'mine@home.example', mutationConfig: allowed })
  expect(await world.call('CreateOrGetAccount', ask)).toMatchObject({ emailAddress: 'other@home.example' })
})

test('an address that is the given user name of another account is free as an address', async () => {
  const { world } = await startWithAccounts()
  const owner = { ...person, emailAddress: 'owner@home.example', userName: 'moving@home.example' }
  expect(await world.call('CreateAccount', owner)).toMatchObject({ success: true })
  const ask = { ...person, emailAddress: 'moving@home.example' }
  const moving = await world.call('CreateAccount', ask)
  expect(moving).toMatchObject({ success: true, userName: 'moving@home.example' })
  const again = await world.call('CreateOrGetAccount', ask)
  expect(again).toMatchObject({ userUid: moving.userUid, isExisting: true })
})

test.each([
  { what: 'unknown', ask: { pickUpPointUid: 'nowhere' } },
  { what: "somebody else's", ask: { pickUpPointUid: 'harbour' } },
  { what: 'absent', ask: { pickUpPointUid: undefined } },
])('a pick up point that is $what: InvalidPupUid (SPEC-98)', async ({ ask }) => {
  const { world } = await startWithAccounts()
  const request = { ...person, emailAddress: 'new@home.example', ...ask } as RequestOf<'CreateAccount'>
  expect(await world.call('CreateAccount', request)).toMatchObject({ success: false, error: 'InvalidPupUid' })
  expect(await world.call('CreateOrGetAccount', request)).toMatchObject({ success: false, error: 'InvalidPupUid' })
})

test.each<{ ask: Ask; field: string }>([
  { ask: { emailAddress: 'nobody' }, field: 'emailAddress' },
  { ask: { phoneNumber: '0612345678' }, field: 'phoneNumber' },
  { ask: { languageCode: 'dutch' }, field: 'languageCode' },
  { ask: { countryCode: 'NLD' }, field: 'countryCode' },
  { ask: { countryCode: 'ZZ' }, field: 'countryCode' },
  { ask: { firstName: ' ' }, field: 'firstName' },
])('$ask is InvalidRequest and names the field', async ({ ask, field }) => {
  const { world } = await startWithAccounts()
  const request = { ...person, emailAddress: 'new@home.example', ...ask }
  expect(await world.call('CreateAccount', request)).toMatchObject({
    error: 'InvalidRequest',
    message: expect.stringContaining(field),
  })
})

test('twenty callers register one address at once: one account', async () => {
  const { world } = await startWithAccounts()
  const ask = { ...person, emailAddress: 'new@home.example' }
  const responses = await Promise.all(Array.from({ length: 20 }, () => world.call('CreateOrGetAccount', ask)))
  expect(new Set(responses.map(({ userUid }) => userUid))).toHaveLength(1)
  expect(responses.filter(({ isExisting }) => !isExisting)).toHaveLength(1)
})
