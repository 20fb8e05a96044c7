import { describe, expect, test } from 'vitest'
import { person, startWithAccounts } from '../../support/service/accounts.ts'

const victim = 'victim@home.example'
const owner = { ...person, emailAddress: victim }
const holder = { ...person, emailAddress: 'holder@away.example', userName: victim, pickUpPointUid: 'harbour' }

/** A world in which an account of globex has the user name of another person's address. */
async function startWithHolder() {
  const { world, uids } = await startWithAccounts()
  const { userUid } = await world.call('CreateAccount', holder, 'globex')
  return { world, uids, holderUid: userUid ?? '' }
}

const withOwnName = { ...owner, userName: 'Victim@HOME.example' }

describe.each(['CreateAccount', 'CreateOrGetAccount'] as const)('%s', operation => {
  test.each([
    ['without a user name', owner],
    ['with the address as the user name', withOwnName],
  ])('%s creates an account whose address is the user name of a foreign account', async (_, ask) => {
    const { world, holderUid } = await startWithHolder()
    const created = await world.call(operation, ask)
    expect(created).toMatchObject({ success: true, userName: victim, emailAddress: victim })
    const { userUid } = created
    expect(userUid).not.toBe(holderUid)
    const found = { userUid, isExisting: true }
    expect(await world.call('GetAccount', { userName: victim })).toMatchObject(found)
    expect(await world.call('CreateOrGetAccount', ask)).toMatchObject(found)
    const moved = { ...person, emailAddress: 'next@home.example', userName: victim }
    expect(await world.call('CreateOrGetAccount', moved)).toMatchObject({ ...found, userName: 'next@home.example' })
  })

  test('creates it beside an account of the caller too, unless it gives the user name', async () => {
    const { world } = await startWithAccounts()
    await world.call('CreateAccount', { ...person, emailAddress: 'own@home.example', userName: victim })
    expect(await world.call('CreateAccount', withOwnName)).toMatchObject({ error: 'UserNameAlreadyRegistered' })
    const { userUid, ...created } = await world.call(operation, owner)
    expect(created).toMatchObject({ success: true, userName: victim, emailAddress: victim })
    expect(await world.call('GetAccount', { userName: victim })).toMatchObject({ userUid })
  })
})

test('SetAccountDetails changes to an address that is the user name of another account', async () => {
  const { world } = await startWithHolder()
  const { userUid } = await world.call('CreateAccount', { ...person, emailAddress: 'former@home.example' })
  for (const emailAddress of [victim, 'Victim@home.example', 'next@home.example', victim]) {
    const ask = { userUid: userUid ?? '', emailAddress }
    expect(await world.call('SetAccountDetails', ask)).toMatchObject({ success: true, emailAddress })
    expect(await world.call('GetAccount', { userName: emailAddress })).toMatchObject({ userUid })
  }
})

test('the account with the user name keeps it', async () => {
  const { world, holderUid } = await startWithHolder()
  await world.call('CreateAccount', owner)
  const found = { userUid: holderUid, userName: victim, isExisting: true }
  expect(await world.call('GetAccount', { userName: victim }, 'globex')).toMatchObject(found)
  const moved = { ...holder, emailAddress: 'moved@away.example' }
  expect(await world.call('CreateOrGetAccount', moved, 'globex')).toMatchObject({
    ...found,
    emailAddress: 'moved@away.example',
  })
})

test('an address in use is not a free user name, even when the account that had it as its name is removed', async () => {
  const { world, holderUid } = await startWithHolder()
  await world.call('CreateAccount', owner)
  const ask = { ...holder, emailAddress: 'second@away.example' }
  expect(await world.call('CreateAccount', ask, 'globex')).toMatchObject({ error: 'UserNameAlreadyRegistered' })
  await world.call('RemoveAccount', { userUid: holderUid }, 'globex')
  expect(await world.call('CreateAccount', ask, 'globex')).toMatchObject({ error: 'AccessDenied' })
  expect(await world.call('CreateAccount', { ...person, ...ask, pickUpPointUid: 'square' })).toMatchObject({
    error: 'UserNameAlreadyRegistered',
  })
})
