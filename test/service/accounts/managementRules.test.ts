import { expect, test } from 'vitest'
import { failed } from '#contract'
import { person, startWithAccounts, unseen } from '../../support/service/accounts.ts'

// The sentences of the specification on the account operations, one test each; what they leave open is tested elsewhere.
const emailAddress = 'new@home.example'

test('CreateAccount, CreateOrGetAccount: emailAddress, firstName, lastName, pickUpPointUid are required (SPEC-66)', async () => {
  const { world } = await startWithAccounts()
  const whole = { ...person, emailAddress }
  for (const operation of ['CreateAccount', 'CreateOrGetAccount'] as const) {
    for (const field of Object.keys(whole)) {
      const { body } = await world.service.call(operation, { ...whole, [field]: undefined })
      const error = field === 'pickUpPointUid' ? 'InvalidPupUid' : 'InvalidRequest'
      expect(body).toMatchObject(failed(error, `${field} is missing.`))
    }
  }
  expect(await world.call('GetAccount', { emailAddress })).toMatchObject({ isExisting: false })
})

test('CreateAccount creates an account when none exists by username and/or e-mail (SPEC-69)', async () => {
  const { world } = await startWithAccounts()
  const { userUid } = await world.call('CreateAccount', { ...person, emailAddress, userName: 'ada' })
  for (const key of [{ emailAddress }, { userName: 'ada' }]) {
    expect(await world.call('GetAccount', key)).toMatchObject({ userUid, isExisting: true })
  }
})

test('CreateAccount fails when the account exists by the specified username (SPEC-69)', async () => {
  const { world } = await startWithAccounts()
  const ask = { ...person, emailAddress, userName: 'mine' }
  expect(await world.call('CreateAccount', ask)).toMatchObject({ success: false, error: 'UserNameAlreadyRegistered' })
})

test('CreateOrGetAccount returns an existing account by e-mail and optional username (SPEC-70)', async () => {
  const { world, uids } = await startWithAccounts()
  for (const userName of [undefined, 'mine']) {
    const ask = { ...person, emailAddress: 'mine@home.example', userName }
    expect(await world.call('CreateOrGetAccount', ask)).toMatchObject({ userUid: uids.mine, isExisting: true })
  }
})

test('CreateOrGetAccount creates one when none exists (SPEC-71)', async () => {
  const { world } = await startWithAccounts()
  const ask = { ...person, emailAddress }
  const { userUid, isExisting } = await world.call('CreateOrGetAccount', ask)
  expect(isExisting).toBe(false)
  expect(await world.call('CreateOrGetAccount', ask)).toMatchObject({ userUid, isExisting: true })
})

test('the account of the specified username has its e-mail address updated to the specified one (SPEC-72)', async () => {
  const { world, uids } = await startWithAccounts()
  const ask = { ...person, emailAddress, userName: 'mine' }
  expect(await world.call('CreateOrGetAccount', ask)).toMatchObject({ userUid: uids.mine, emailAddress })
  expect(await world.call('GetAccount', { emailAddress })).toMatchObject({ userUid: uids.mine })
})

test('an account that the caller cannot manage is answered with its uid, the other fields null (SPEC-73)', async () => {
  const { world, uids } = await startWithAccounts()
  const ask = { ...person, emailAddress: 'foreign@away.example' }
  expect(await world.call('CreateOrGetAccount', ask)).toMatchObject({ ...unseen, userUid: uids.foreign })
  expect(await world.call('CreateAccount', ask)).toMatchObject({ success: false, error: 'AccessDenied' })
})

test('an account is created, its mutation configuration cannot be applied: MutationConfigFailed (SPEC-74)', async () => {
  const { world } = await startWithAccounts()
  await world.call('SetSandboxFaults', { mutationConfigFails: true })
  const ask = { ...person, emailAddress, mutationConfig: { canRemoveManually: true } }
  expect(await world.call('CreateAccount', ask)).toMatchObject({ success: false, error: 'MutationConfigFailed' })
  expect(await world.call('GetAccount', { emailAddress })).toMatchObject({ isExisting: true })
})

test('EmailAlreadyRegistered also when the e-mail of the given username cannot be changed (SPEC-96)', async () => {
  const { world } = await startWithAccounts()
  const ask = { ...person, emailAddress, userName: 'fixed' }
  expect(await world.call('CreateOrGetAccount', ask)).toMatchObject({ error: 'EmailAlreadyRegistered' })
})

test('EmailAlreadyRegistered speaks of a user name only if one was given', async () => {
  const { world } = await startWithAccounts()
  const messageOf = async (request: { emailAddress: string; userName?: string }) =>
    (await world.call('CreateAccount', { ...person, ...request })).message
  await world.call('CreateAccount', { ...person, emailAddress })
  expect(await messageOf({ emailAddress })).toBe('emailAddress must not belong to another account.')
  expect(await messageOf({ emailAddress, userName: 'fixed' })).toContain('the account of userName must permit')
})

test('SetAccountDetails: firstName and lastName are both required if either is set (SPEC-60)', async () => {
  const { world, uids } = await startWithAccounts()
  const userUid = uids.mine ?? ''
  expect(await world.call('SetAccountDetails', { userUid, firstName: 'A' })).toMatchObject({
    error: 'InvalidRequest',
  })
  expect(await world.call('SetAccountDetails', { userUid, lastName: 'B' })).toMatchObject({ error: 'InvalidRequest' })
  expect(await world.call('SetAccountDetails', { userUid, firstName: 'A', lastName: 'B' })).toMatchObject({
    error: null,
  })
})

test('SetAccountDetails: all five parts of an address are required if any is set (SPEC-61)', async () => {
  const { world, uids } = await startWithAccounts()
  const address = { streetName: 'Dock', streetNo: '7b', mailbox: '3', city: 'Gent', countryCode: 'BE' }
  const ask = { userUid: uids.mine ?? '', ...address }
  for (const [part, value] of Object.entries(address)) {
    for (const some of [
      { ...ask, [part]: null },
      { userUid: ask.userUid, [part]: value },
    ]) {
      expect(await world.call('SetAccountDetails', some)).toMatchObject({ error: 'InvalidRequest' })
    }
  }
  expect(await world.call('SetAccountDetails', ask)).toMatchObject({ error: null })
})

test('SetAccountPickUpPoint sets the default pick up point, and returns the current one (SPEC-63)', async () => {
  const { world, uids } = await startWithAccounts()
  const ask = { userUid: uids.mine ?? '', pickUpPointUid: 'reserve' }
  const response = await world.call('SetAccountPickUpPoint', ask)
  expect(response).toMatchObject({ pupUid: 'reserve', pickUpPointChanged: true })
  expect(await world.call('GetAccount', { userUid: ask.userUid })).toMatchObject({ mainPupUid: 'reserve' })
})

test('SetAccountMutationConfig: only flags with a non-null value change (SPEC-64)', async () => {
  const { world, uids } = await startWithAccounts()
  const userUid = uids.fixed ?? ''
  const ask = { userUid, canChangeEmailAddress: null, canRemoveManually: true }
  expect(await world.call('SetAccountMutationConfig', ask)).toMatchObject({
    userUid,
    canChangeEmailAddress: false,
    canRemoveManually: true,
    canChangeAddress: null,
  })
})

test('RemoveAccount: only manageable accounts (SPEC-65)', async () => {
  const { world, uids } = await startWithAccounts()
  const ask = { userUid: uids.foreign ?? '' }
  expect(await world.call('RemoveAccount', ask)).toMatchObject({ success: false, error: 'InvalidUserUid' })
  expect(await world.call('RemoveAccount', ask, 'globex')).toMatchObject({ success: true })
})
