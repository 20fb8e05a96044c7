import { expect, test } from 'vitest'
import type { OperationName } from '#contract'
import { person, startWithAccounts, unseen } from '../../support/service/accounts.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const emailAddress = 'gone@home.example'
const ask = { ...person, emailAddress, userName: 'gone-name', pickUpPointUid: 'shared', phoneNumber: '+31612345678' }

function callWithKey({ service }: ServiceWorld, name: OperationName, key: string, body: object, client = 'acme') {
  return service.call(name, body, { client, headers: { 'idempotency-key': key } })
}

test('a removed account is in no stored response, of any client, and a repeat creates nothing', async () => {
  const { world } = await startWithAccounts()
  const first = await callWithKey(world, 'CreateAccount', 'create', ask)
  const { userUid } = first.body
  await callWithKey(world, 'CreateOrGetAccount', 'get', ask)
  await callWithKey(world, 'CreateOrGetAccount', 'theirs', ask, 'globex')
  await world.call('SetAccountDetails', { userUid: String(userUid), lastName: 'Byron', firstName: 'Augusta' })
  await callWithKey(world, 'CreateOrGetAccount', 'later', ask)
  const other = await callWithKey(world, 'CreateAccount', 'other', { ...person, emailAddress: 'stays@home.example' })

  expect(await world.call('RemoveAccount', { userUid: String(userUid) })).toMatchObject({ success: true })
  const stored = await world.service.store.selectFrom('idempotency').selectAll().execute()
  expect(stored).toHaveLength(5)
  for (const personal of ['gone@', 'gone-name', 'Byron', '+31612345678', String(first.body.mailCode)]) {
    expect(JSON.stringify(stored)).not.toContain(personal)
  }

  const hidden = { ...unseen, success: true, error: null, message: null, userUid, canManageUser: false }
  expect((await callWithKey(world, 'CreateAccount', 'create', ask)).body).toEqual(hidden)
  for (const [key, client] of [
    ['get', 'acme'],
    ['theirs', 'globex'],
    ['later', 'acme'],
  ] as const) {
    const { body } = await callWithKey(world, 'CreateOrGetAccount', key, ask, client)
    expect(body).toEqual({ ...hidden, isExisting: true })
  }
  expect(await world.call('GetAccount', { emailAddress })).toMatchObject({ isExisting: false })
  const again = await callWithKey(world, 'CreateAccount', 'other', { ...person, emailAddress: 'stays@home.example' })
  expect(again.text).toBe(other.text)
})

test('the stored MutationConfigFailed of a removed account stays one', async () => {
  const { world } = await startWithAccounts()
  await world.call('SetSandboxFaults', { mutationConfigFails: true })
  const failing = { ...ask, mutationConfig: { canChangeAddress: true } }
  const { userUid } = (await callWithKey(world, 'CreateOrGetAccount', 'k', failing)).body
  expect(await world.call('RemoveAccount', { userUid: String(userUid) })).toMatchObject({ success: true })
  expect((await callWithKey(world, 'CreateOrGetAccount', 'k', failing)).body).toEqual({
    ...unseen,
    ...{ success: false, error: 'MutationConfigFailed', message: expect.any(String) },
    ...{ userUid, canManageUser: false, isExisting: false },
  })
})
