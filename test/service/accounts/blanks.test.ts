import { expect, test } from 'vitest'
import { person, startWithAccounts } from '../../support/service/accounts.ts'

const names = { firstName: ' Ada', lastName: 'de  Vries\t', userName: '\nada ' }
const address = { streetName: ' Dock', streetNo: '7 b ', mailbox: '\t3', city: ' Den Haag ', countryCode: 'NL' }

test('names and parts of an address are stored without the blanks around them', async () => {
  const { world } = await startWithAccounts()
  const created = await world.call('CreateAccount', {
    ...person,
    ...names,
    ...address,
    emailAddress: 'ada@home.example',
  })
  expect(created).toMatchObject({ success: true, firstName: 'Ada', lastName: 'de  Vries', userName: 'ada' })
  const { userUid } = created
  const stored = () =>
    world.service.store
      .selectFrom('accounts')
      .select(['first_name', 'last_name', 'street_name', 'street_no', 'mailbox', 'city'])
      .where('user_uid', '=', userUid ?? '')
      .executeTakeFirst()
  const expected = { street_name: 'Dock', street_no: '7 b', mailbox: '3', city: 'Den Haag' }
  expect(await stored()).toEqual({ first_name: 'Ada', last_name: 'de  Vries', ...expected })
  const changed = { userUid: userUid ?? '', firstName: ' Eva', lastName: 'Vos ', ...address, streetNo: ' 8' }
  expect(await world.call('SetAccountDetails', changed)).toMatchObject({ success: true })
  expect(await stored()).toEqual({ first_name: 'Eva', last_name: 'Vos', ...expected, street_no: '8' })
})

test.each(['CreateAccount', 'CreateOrGetAccount', 'GetAccount'] as const)(
  '%s finds a user name despite the blanks around it',
  async operation => {
    const { world, uids } = await startWithAccounts()
    const key = { userName: ' mine\t' }
    if (operation === 'GetAccount') {
      expect(await world.call('GetAccount', key)).toMatchObject({ userUid: uids.mine, isExisting: true })
      return
    }
    const response = await world.call(operation, { ...person, ...key, emailAddress: 'new@home.example' })
    expect(response).toMatchObject(
      operation === 'CreateAccount' ? { error: 'UserNameAlreadyRegistered' } : { userUid: uids.mine, isExisting: true },
    )
  },
)

test.each([...Object.keys(names), 'streetName', 'streetNo', 'mailbox', 'city'])(
  '%s of blanks only is InvalidRequest, by its name',
  async field => {
    const { world } = await startWithAccounts()
    const ask = { ...person, ...address, emailAddress: 'ada@home.example', [field]: ' \t' }
    const { error, message } = await world.call('CreateAccount', ask)
    expect({ error, message }).toEqual({ error: 'InvalidRequest', message: expect.stringContaining(`${field}:`) })
  },
)
