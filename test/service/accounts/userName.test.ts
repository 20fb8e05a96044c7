import { describe, expect, test } from 'vitest'
import { person, startWithAccounts } from '../../support/service/accounts.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const former = 'former@home.example'
const next = 'Next@home.example'

/** The operations that change the e-mail address of an account with this user name. */
const changes = {
  SetAccountDetails: (world: ServiceWorld, userUid: string, emailAddress: string) =>
    world.call('SetAccountDetails', { userUid, emailAddress }),
  CreateOrGetAccount: (world: ServiceWorld, _: string, emailAddress: string) =>
    world.call('CreateOrGetAccount', { ...person, emailAddress, userName: former }),
}

describe.each(Object.entries(changes))('when %s changes the e-mail address', (_, change) => {
  test('a user name that was not given follows it, and the former address is free', async () => {
    const { world } = await startWithAccounts()
    const { userUid } = await world.call('CreateAccount', { ...person, emailAddress: former })
    expect(await change(world, userUid ?? '', next)).toMatchObject({ success: true, userUid, emailAddress: next })
    expect(await world.call('GetAccount', { userName: 'next@HOME.example' })).toMatchObject({ userUid, userName: next })
    expect(await world.call('GetAccount', { userName: former })).toMatchObject({ isExisting: false })
    const again = await world.call('CreateAccount', { ...person, emailAddress: former })
    expect(again).toMatchObject({ success: true, userName: former })
    expect(again.userUid).not.toBe(userUid)
  })

  test('a user name that was given stays, also one that equals the former address', async () => {
    const { world } = await startWithAccounts()
    const ask = { ...person, emailAddress: former, userName: former }
    const { userUid } = await world.call('CreateAccount', ask)
    expect(await change(world, userUid ?? '', next)).toMatchObject({ success: true, userUid, emailAddress: next })
    expect(await world.call('GetAccount', { userName: former })).toMatchObject({ userUid, userName: former })
    const again = await world.call('CreateAccount', { ...person, emailAddress: former })
    expect(again).toMatchObject({ success: true, userName: former })
    expect(again.userUid).not.toBe(userUid)
  })

  test('the new address can be the given user name of another account', async () => {
    const { world } = await startWithAccounts()
    const { userUid } = await world.call('CreateAccount', { ...person, emailAddress: former })
    await world.call('CreateAccount', { ...person, emailAddress: 'other@home.example', userName: next })
    expect(await change(world, userUid ?? '', next)).toMatchObject({ success: true, userUid, emailAddress: next })
    expect(await world.call('GetAccount', { userName: next })).toMatchObject({ userUid, emailAddress: next })
  })
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
