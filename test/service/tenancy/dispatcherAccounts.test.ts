import { expect, test } from 'vitest'
import { person, startWithAccounts, unseen } from '../../support/service/accounts.ts'
import { csv, upload } from '../../support/service/uploads.ts'

const emailAddress = 'dispatch@acme.example'

/** A world in which the main account of acme's dispatcher is at a pick up point that globex manages too. */
async function start() {
  const { world } = await startWithAccounts()
  const { userUid } = await world.call('GetAccount', { userName: 'acme' })
  const uid = userUid ?? ''
  expect(await world.call('SetAccountPickUpPoint', { userUid: uid, pickUpPointUid: 'shared' })).toMatchObject({
    success: true,
    pupUid: 'shared',
  })
  return { world, userUid: uid }
}

test("no other tenant changes, moves or removes a dispatcher's main account at a shared pick up point", async () => {
  const { world, userUid } = await start()
  const requests = {
    SetAccountDetails: { phoneNumber: '+31600000001' },
    SetAccountPickUpPoint: { pickUpPointUid: 'harbour' },
    SetAccountMutationConfig: { canChangeAddress: true },
    GetAccountMutationConfig: {},
    RemoveAccount: {},
  }
  for (const [name, fields] of Object.entries(requests)) {
    const operation = name as keyof typeof requests
    const foreign = await world.service.call(operation, { userUid, ...fields }, { client: 'globex' })
    const unknown = await world.service.call(operation, { userUid: 'none', ...fields }, { client: 'globex' })
    expect(foreign.body.error).toBe('InvalidUserUid')
    expect(foreign.text).toBe(unknown.text)
  }
  expect(await world.call('SetAccountDetails', { userUid, phoneNumber: '+31600000002' })).toMatchObject({
    phoneNumber: '+31600000002',
  })
  expect(await world.call('RemoveAccount', { userUid })).toMatchObject({ error: 'AccountInUse' })
})

test('other tenants find it by its e-mail address only, and register neither its address nor its user name', async () => {
  const { world, userUid } = await start()
  for (const key of [{ userUid }, { userName: 'acme' }]) {
    expect(await world.call('GetAccount', key, 'globex')).toMatchObject({ userUid: null, isExisting: false })
  }
  const hidden = { ...unseen, userUid, canManageUser: false, isExisting: true }
  expect(await world.call('GetAccount', { emailAddress }, 'globex')).toMatchObject(hidden)
  const ask = { ...person, pickUpPointUid: 'shared' }
  expect(await world.call('CreateOrGetAccount', { ...ask, emailAddress }, 'globex')).toMatchObject(hidden)
  const renaming = { ...ask, emailAddress: 'next@home.example', userName: 'acme' }
  expect(await world.call('CreateOrGetAccount', renaming, 'globex')).toMatchObject({ error: 'AccessDenied' })
})

test('a suggestion with its address has its uid for its own tenant only', async () => {
  const { world, userUid } = await start()
  for (const [client, expected] of [
    ['acme', userUid],
    ['globex', null],
  ] as const) {
    await upload(world.service, 'a.csv', csv([{ EmailAddress: emailAddress }]), { client })
    const { items } = await world.call('GetAccountSuggestions', {}, client)
    expect(items).toMatchObject([{ emailAddress, userUid: expected }])
  }
})

test('other accounts at the shared pick up point are managed by both tenants', async () => {
  const { world } = await start()
  const ask = { ...person, emailAddress: 'shared@home.example', pickUpPointUid: 'shared' }
  const { userUid } = await world.call('CreateAccount', ask)
  const change = { userUid: userUid ?? '', phoneNumber: '+31600000003' }
  expect(await world.call('SetAccountDetails', change, 'globex')).toMatchObject({ phoneNumber: '+31600000003' })
})
