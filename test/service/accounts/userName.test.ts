import { describe, expect, test } from 'vitest'
import { person, startWithAccounts } from '../../support/service/accounts.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const former = 'former@home.example'
const next = 'Next@home.example'

/** The operations that change the e-mail address of an account, by its uid or by its user name. */
const changes = {
  SetAccountDetails: (world: ServiceWorld, userUid: string, emailAddress: string) =>
    world.call('SetAccountDetails', { userUid, emailAddress }),
  CreateOrGetAccount: (world: ServiceWorld, _: string, emailAddress: string) =>
    world.call('CreateOrGetAccount', { ...person, emailAddress, userName: former }),
}

describe('when SetAccountDetails changes the e-mail address', () => {
  test('a user name that was not given follows it, and the former address is free', async () => {
    const { world } = await startWithAccounts()
    const { userUid } = await world.call('CreateAccount', { ...person, emailAddress: former })
    const changed = await changes.SetAccountDetails(world, userUid ?? '', next)
    expect(changed).toMatchObject({ success: true, userUid, emailAddress: next })
    expect(await world.call('GetAccount', { userName: 'next@HOME.example' })).toMatchObject({ userUid, userName: next })
    expect(await world.call('GetAccount', { userName: former })).toMatchObject({ isExisting: false })
    const again = await world.call('CreateAccount', { ...person, emailAddress: former })
    expect(again).toMatchObject({ success: true, userName: former })
    expect(again.userUid).not.toBe(userUid)
  })

  test('the new address can be the given user name of another account', async () => {
    const { world } = await startWithAccounts()
    const { userUid } = await world.call('CreateAccount', { ...person, emailAddress: former })
    await world.call('CreateAccount', { ...person, emailAddress: 'other@home.example', userName: next })
    const changed = await changes.SetAccountDetails(world, userUid ?? '', next)
    expect(changed).toMatchObject({ success: true, userUid, emailAddress: next })
    expect(await world.call('GetAccount', { userName: next })).toMatchObject({ userUid, emailAddress: next })
  })
})

/** The ways in which an account gets its address as a user name that was given. */
const ways = {
  CreateAccount: (world: ServiceWorld) =>
    world.call('CreateAccount', { ...person, emailAddress: former, userName: former }),
  'a repeated CreateOrGetAccount': async (world: ServiceWorld) => {
    await world.call('CreateOrGetAccount', { ...person, emailAddress: former })
    return world.call('CreateOrGetAccount', { ...person, emailAddress: former, userName: former.toUpperCase() })
  },
  'the CreateOrGetAccount that changes the address': (world: ServiceWorld) =>
    world.call('CreateAccount', { ...person, emailAddress: former }),
}

test.each([
  ['CreateAccount', 'SetAccountDetails'],
  ['CreateAccount', 'CreateOrGetAccount'],
  ['a repeated CreateOrGetAccount', 'SetAccountDetails'],
  ['the CreateOrGetAccount that changes the address', 'CreateOrGetAccount'],
] as const)('a user name that %s gave stays when %s changes the address', async (given, operation) => {
  const { world } = await startWithAccounts()
  const { userUid, userName } = await ways[given](world)
  expect(userName).toBe(former)
  const changed = await changes[operation](world, userUid ?? '', next)
  expect(changed).toMatchObject({ success: true, userUid, emailAddress: next })
  const found = { userUid, userName: former, emailAddress: next, isExisting: true }
  expect(await world.call('GetAccount', { userName: former })).toMatchObject(found)
  const sameRequest = { ...person, emailAddress: next, userName: former }
  expect(await world.call('CreateOrGetAccount', sameRequest)).toMatchObject(found)
  const other = await world.call('CreateAccount', { ...person, emailAddress: former })
  expect(other).toMatchObject({ success: true, userName: former })
  expect(other.userUid).not.toBe(userUid)
})

test('a default user name of 254 characters is accepted when it is sent back', async () => {
  const { world } = await startWithAccounts()
  const emailAddress = `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}exampl`
  const { userName, userUid } = await world.call('CreateAccount', { ...person, emailAddress })
  expect(userName).toBe(emailAddress)
  const ask = { ...person, emailAddress, userName }
  expect(await world.call('CreateOrGetAccount', ask)).toMatchObject({ userUid, isExisting: true })
  expect(await world.call('GetAccount', { userName })).toMatchObject({ userUid })
})
