import { expect, test } from 'vitest'
import { mutationFlags } from '#contract'
import { person, startWithAccounts } from '../../support/service/accounts.ts'

const success = { success: true, error: null, message: null }
const unsaid = Object.fromEntries(mutationFlags.map(flag => [flag, null]))

test('nine flags are returned, null until they are set (SPEC-21)', async () => {
  const { world, uids } = await startWithAccounts()
  const userUid = uids.mine ?? ''
  expect(mutationFlags).toHaveLength(9)
  expect(await world.call('GetAccountMutationConfig', { userUid })).toEqual({ ...success, userUid, ...unsaid })
})

test.each(mutationFlags)('%s is set, stays when null or absent, and is set back', async flag => {
  const { world, uids } = await startWithAccounts()
  const userUid = uids.mine ?? ''
  const other = flag === 'canRemoveManually' ? 'canChangeAddress' : 'canRemoveManually'
  await world.call('SetAccountMutationConfig', { userUid, [other]: false })
  for (const [given, inForce] of [
    [{ [flag]: true }, true],
    [{ [flag]: null }, true],
    [{}, true],
    [{ [flag]: false }, false],
  ] as const) {
    const response = { ...success, userUid, ...unsaid, [other]: false, [flag]: inForce }
    expect(await world.call('SetAccountMutationConfig', { userUid, ...given })).toEqual(response)
    expect(await world.call('GetAccountMutationConfig', { userUid })).toEqual(response)
  }
})

test('all nine at once, in one account only', async () => {
  const { world, uids } = await startWithAccounts()
  const all = Object.fromEntries(mutationFlags.map((flag, index) => [flag, index % 2 === 0]))
  await world.call('SetAccountMutationConfig', { userUid: uids.mine ?? '', ...all })
  expect(await world.call('GetAccountMutationConfig', { userUid: uids.mine ?? '' })).toMatchObject(all)
  expect(await world.call('GetAccountMutationConfig', { userUid: uids.fixed ?? '' })).toMatchObject({
    ...unsaid,
    canChangeEmailAddress: false,
  })
})

test('flags that come with an account are those that are answered (SPEC-67)', async () => {
  const { world } = await startWithAccounts()
  const mutationConfig = { canChangeAddress: true, canRemoveAutomatically: false, canRemoveManually: null }
  const { userUid } = await world.call('CreateAccount', { ...person, emailAddress: 'new@home.example', mutationConfig })
  expect(await world.call('GetAccountMutationConfig', { userUid: userUid ?? '' })).toMatchObject({
    ...unsaid,
    ...mutationConfig,
  })
})

test('canChangeEmailAddress binds CreateOrGetAccount from the next call on', async () => {
  const { world, uids } = await startWithAccounts()
  const ask = { ...person, emailAddress: 'other@home.example', userName: 'mine' }
  const userUid = uids.mine ?? ''
  await world.call('SetAccountMutationConfig', { userUid, canChangeEmailAddress: false })
  expect(await world.call('CreateOrGetAccount', ask)).toMatchObject({ error: 'EmailAlreadyRegistered' })
  await world.call('SetAccountMutationConfig', { userUid, canChangeEmailAddress: true })
  expect(await world.call('CreateOrGetAccount', ask)).toMatchObject({ userUid, emailAddress: 'other@home.example' })
})

test('callers that set different flags at once lose none of them', async () => {
  const { world, uids } = await startWithAccounts()
  const userUid = uids.mine ?? ''
  await Promise.all(mutationFlags.map(flag => world.call('SetAccountMutationConfig', { userUid, [flag]: true })))
  expect(await world.call('GetAccountMutationConfig', { userUid })).toMatchObject(
    Object.fromEntries(mutationFlags.map(flag => [flag, true])),
  )
})

test.each(['yes', 1, {}])('a flag that is %j is InvalidRequest and named', async value => {
  const { world, uids } = await startWithAccounts()
  const ask = { userUid: uids.mine, canChangeAddress: value }
  expect((await world.service.call('SetAccountMutationConfig', ask)).body).toMatchObject({
    error: 'InvalidRequest',
    message: expect.stringContaining('canChangeAddress'),
  })
})
