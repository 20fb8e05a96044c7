import { describe, expect, test } from 'vitest'
import { person, startWithAccounts, unseen } from '../../support/service/accounts.ts'

// The sentences of the specification on accounts, one test each; what they leave open has tests of its own.
const emailAddress = 'new@home.example'

describe('Specification, What the service does', () => {
  test('accounts are shared across all tenants, and e-mail addresses are globally unique (SPEC-3)', async () => {
    const { world, uids } = await startWithAccounts()
    const ask = { ...person, emailAddress: 'mine@home.example', pickUpPointUid: 'harbour' }
    expect(await world.call('CreateAccount', ask, 'globex')).toMatchObject({ success: false })
    expect(await world.call('CreateOrGetAccount', ask, 'globex')).toMatchObject({ userUid: uids.mine })
    const change = { userUid: uids.foreign ?? '', emailAddress: 'mine@home.example' }
    expect(await world.call('SetAccountDetails', change, 'globex')).toMatchObject({ error: 'EmailAlreadyRegistered' })
  })

  test('a tenant can look up or change only accounts linked to a pick up point it manages (SPEC-4)', async () => {
    const { world, uids } = await startWithAccounts()
    const ask = { userUid: uids.foreign ?? '', phoneNumber: '+31600000001' }
    expect(await world.call('SetAccountDetails', ask)).toMatchObject({ error: 'InvalidUserUid' })
    expect(await world.call('SetAccountDetails', ask, 'globex')).toMatchObject({ phoneNumber: '+31600000001' })
  })

  test('only the registration of an e-mail address can be probed through GetAccount (SPEC-5)', async () => {
    const { world, uids } = await startWithAccounts()
    const { foreign } = uids
    for (const key of [{ userUid: foreign }, { userName: 'foreign' }]) {
      expect(await world.call('GetAccount', key)).toMatchObject({ ...unseen, userUid: null, isExisting: false })
    }
    expect(await world.call('GetAccount', { emailAddress: 'foreign@away.example' })).toMatchObject({
      ...unseen,
      userUid: foreign,
      isExisting: true,
      canManageUser: false,
    })
  })
})

describe('Account', () => {
  test('userName defaults to the e-mail address when not given at creation (SPEC-15)', async () => {
    const { world } = await startWithAccounts()
    expect(await world.call('CreateAccount', { ...person, emailAddress })).toMatchObject({ userName: emailAddress })
    const named = { ...person, emailAddress: 'other@home.example', userName: 'Ada' }
    expect(await world.call('CreateAccount', named)).toMatchObject({ userName: 'Ada' })
  })

  test.each(['nl', 'nl-NL', 'en-GB', 'en'])('languageCode has forms like %s (SPEC-17)', async languageCode => {
    const { world } = await startWithAccounts()
    expect(await world.call('CreateAccount', { ...person, emailAddress, languageCode })).toMatchObject({ languageCode })
  })

  test.each([
    { phoneNumber: '+31612345678', error: null },
    { phoneNumber: '0031612345678', error: null },
    { phoneNumber: '0612345678', error: 'InvalidRequest' },
    { phoneNumber: '31612345678', error: 'InvalidRequest' },
    { phoneNumber: '+480', error: 'InvalidRequest' },
    { phoneNumber: '00000', error: 'InvalidRequest' },
  ])('phoneNumber has international format starting with + or 00 (SPEC-16): $phoneNumber, $error', async row => {
    const { world, uids } = await startWithAccounts()
    const { phoneNumber, error } = row
    expect(await world.call('CreateAccount', { ...person, emailAddress, phoneNumber })).toMatchObject({ error })
    expect(await world.call('SetAccountDetails', { userUid: uids.mine ?? '', phoneNumber })).toMatchObject({ error })
  })

  test('canManageUser false: all other returned fields but the uid are null (SPEC-20)', async () => {
    const { world, uids } = await startWithAccounts()
    expect(await world.call('CreateOrGetAccount', { ...person, emailAddress: 'foreign@away.example' })).toEqual({
      ...{ success: true, error: null, message: null },
      ...unseen,
      userUid: uids.foreign,
      canManageUser: false,
      isExisting: true,
    })
  })
})
