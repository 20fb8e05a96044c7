import { describe, expect, test } from 'vitest'
import type { OperationName } from '#contract'
import { person, startWithAccounts } from '../../support/service/accounts.ts'
import { breakStore, mendStore } from '../../support/service/brokenStore.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const emailAddress = 'new@home.example'
const mutationConfig = { canChangeEmailAddress: false }
const ask = { ...person, emailAddress, mutationConfig }
const failed = { success: false, error: 'MutationConfigFailed', message: expect.any(String) }
const operations = ['CreateAccount', 'CreateOrGetAccount'] as const satisfies OperationName[]

const faults: { what: string; why: RegExp; breakIt: (world: ServiceWorld) => Promise<unknown> }[] = [
  {
    what: 'the sandbox is told to fail',
    why: /sandbox/,
    breakIt: world => world.call('SetSandboxFaults', { mutationConfigFails: true }),
  },
  {
    what: 'the store fails',
    why: /no configuration today/,
    breakIt: ({ service }) => breakStore(service, 'fails'),
  },
]

describe.each(faults)('when $what', ({ breakIt, why }) => {
  test.each(operations)('%s leaves the account and returns its fields with the refusal', async operation => {
    const { world } = await startWithAccounts()
    await breakIt(world)
    const { status, text, body } = await world.service.call(operation, ask)
    const isExisting = operation === 'CreateAccount' ? {} : { isExisting: false }
    const { isExisting: _, ...there } = await world.call('GetAccount', { emailAddress })
    expect(there).toMatchObject({ success: true, userUid: expect.any(String), canManageUser: true, emailAddress })
    expect({ status, body }).toEqual({ status: 200, body: { ...there, ...isExisting, ...failed } })
    expect(Object.keys(JSON.parse(text)).slice(-3)).toEqual(['success', 'error', 'message'])
    expect(await world.call('GetAccountMutationConfig', { userUid: there.userUid ?? '' })).toMatchObject({
      canChangeEmailAddress: null,
    })
  })

  test('an existing account stays as it is, and is answered as existing', async () => {
    const { world, uids } = await startWithAccounts()
    await breakIt(world)
    expect(await world.call('CreateOrGetAccount', { ...ask, emailAddress: 'mine@home.example' })).toMatchObject({
      ...failed,
      userUid: uids.mine,
      isExisting: true,
    })
  })

  test('an address that CreateOrGetAccount has changed stays changed', async () => {
    const { world, uids } = await startWithAccounts()
    await breakIt(world)
    expect(await world.call('CreateOrGetAccount', { ...ask, userName: 'mine' })).toMatchObject({
      ...failed,
      userUid: uids.mine,
      emailAddress,
    })
    expect(await world.call('GetAccount', { emailAddress })).toMatchObject({ userUid: uids.mine })
  })

  test('an account without a configuration is made', async () => {
    const { world } = await startWithAccounts()
    await breakIt(world)
    for (const none of [undefined, null]) {
      const one = { ...ask, emailAddress: `${none}@home.example`, mutationConfig: none }
      expect(await world.call('CreateAccount', one)).toMatchObject({ success: true })
    }
  })

  test('the same Idempotency-Key gets the same response, and one account', async () => {
    const { world } = await startWithAccounts()
    await breakIt(world)
    const options = { headers: { 'idempotency-key': 'once' } }
    const first = await world.service.call('CreateAccount', ask, options)
    expect(first.body).toMatchObject(failed)
    const second = await world.service.call('CreateAccount', ask, options)
    expect({ status: second.status, text: second.text }).toEqual({ status: first.status, text: first.text })
  })

  test('the reason is in the log and not in the response', async () => {
    const { world } = await startWithAccounts()
    await breakIt(world)
    const { text } = await world.service.call('CreateAccount', ask)
    const line = world.service.lines.find(({ msg }) => msg === 'operation refused')
    expect(line).toMatchObject({ operation: 'CreateAccount', err: { message: expect.stringMatching(why) } })
    expect(text).not.toMatch(why)
  })
})

test('the configuration can be set once the fault is over', async () => {
  const { world } = await startWithAccounts()
  await world.call('SetSandboxFaults', { mutationConfigFails: true })
  const { userUid } = await world.call('CreateAccount', ask)
  await world.call('SetSandboxFaults', { mutationConfigFails: false })
  const response = await world.call('SetAccountMutationConfig', { userUid: userUid ?? '', ...mutationConfig })
  expect(response).toMatchObject({ success: true, ...mutationConfig })
})

test('a store that loses the whole transaction has no account either, and no response says that it has', async () => {
  const { world } = await startWithAccounts()
  await breakStore(world.service, 'lost')
  const { status, body } = await world.service.call('CreateAccount', ask, { headers: { 'idempotency-key': 'once' } })
  expect(status).toBeGreaterThanOrEqual(500)
  expect(body.error).toMatch(/InternalError|Unavailable/)
  expect(await world.call('GetAccount', { emailAddress })).toMatchObject({ isExisting: false })
  await mendStore(world.service)
  const again = await world.service.call('CreateAccount', ask, { headers: { 'idempotency-key': 'once' } })
  expect(again.body).toMatchObject({ success: true, emailAddress })
})
