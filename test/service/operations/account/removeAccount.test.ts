import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { person, startWithAccounts } from '../../../support/service/accounts.ts'
import { startSite } from '../../../support/service/site.ts'
import { expectSound } from '../../../support/service/soundness.ts'
import type { Step } from '../../../support/service/steps.ts'
import { temporaryFile } from '../../../support/service/temporaryStore.ts'
import { booking } from '../../../support/service/topology.ts'
import { createWorld } from '../../../support/world/createWorld.ts'

const success = { success: true, error: null, message: null }
const inUse = { success: false, error: 'AccountInUse', message: expect.any(String) }

test('a removed account is unknown to every look-up, and its address and user name are free', async () => {
  const { world, uids } = await startWithAccounts()
  const userUid = uids.mine ?? ''
  expect(await world.call('RemoveAccount', { userUid })).toEqual(success)
  for (const key of [{ userUid }, { userName: 'mine' }, { emailAddress: 'mine@home.example' }]) {
    expect(await world.call('GetAccount', key)).toMatchObject({ userUid: null, isExisting: false })
  }
  expect(await world.call('RemoveAccount', { userUid })).toMatchObject({ error: 'InvalidUserUid' })
  const again = { ...person, emailAddress: 'mine@home.example', userName: 'mine' }
  const { userUid: next } = await world.call('CreateAccount', again)
  expect(next).toEqual(expect.any(String))
  expect(next).not.toBe(userUid)
})

describe('an account of an active shipment is AccountInUse until that ends', () => {
  test.each<{ before: Step[]; ends: Step[] }>([
    { before: ['Issue'], ends: ['cancel a'] },
    { before: ['Issue', 'dropOff a'], ends: ['pickUp a'] },
    { before: ['Intake'], ends: ['cancel a'] },
    { before: ['Intake', 'dropOff a'], ends: ['pickUp a'] },
    { before: ['IssueAndSwapIntake'], ends: ['cancel b', 'cancel a'] },
    { before: ['IssueAndSwapIntake', 'dropOff a', 'pickUp a'], ends: ['pickUp b'] },
    { before: ['Stock', 'IssueFromStock a'], ends: ['cancel a'] },
    { before: ['Issue', 'removeReceiver a', 'setReceiver a'], ends: ['removeReceiver a'] },
  ])('$before, then $ends', async ({ before, ends }) => {
    const site = await startSite()
    for (const step of before) {
      expect(
        (await site.run(step, step.startsWith('setReceiver') ? { toUserUid: site.users.ada } : {})).body.error,
      ).toBeNull()
    }
    const { ada: userUid } = site.users
    expect(await site.world.call('RemoveAccount', { userUid })).toEqual(inUse)
    expect(await site.world.call('GetAccount', { userUid })).toMatchObject({ userUid })
    for (const step of ends) expect((await site.run(step)).body.error).toBeNull()
    const ended = await expectSound(site.world)
    expect(await site.world.call('RemoveAccount', { userUid })).toEqual(success)
    // An ended shipment keeps the uid.
    expect(await expectSound(site.world)).toEqual(ended)
    expect((await site.run('Issue')).body.error).toBe('InvalidUserUid')
  })
})

test("another tenant's active shipment counts, and is not revealed", async () => {
  const { world, uids } = await startWithAccounts()
  const userUid = uids.mine ?? ''
  const ask = { ...booking, PupUid: 'shared', ToUserUid: userUid }
  const { shipmentUids } = await world.call('CreateLocalShipmentAsIssue', ask, 'globex')
  const theirs = await world.call('RemoveAccount', { userUid })
  expect(theirs).toEqual(inUse)
  await world.call('CancelShipment', { shipmentUid: shipmentUids[0] ?? '' }, 'globex')
  await world.call('CreateLocalShipmentAsIssue', ask)
  expect(await world.call('RemoveAccount', { userUid })).toEqual(theirs)
})

test("a dispatcher's main account is AccountInUse without a shipment too, and unknown to other tenants", async () => {
  const { world } = await startWithAccounts()
  const { userUid } = await world.call('GetAccount', { userName: 'acme' })
  expect(await world.call('RemoveAccount', { userUid: userUid ?? '' })).toEqual(inUse)
  await world.call('SetAccountPickUpPoint', { userUid: userUid ?? '', pickUpPointUid: 'shared' })
  expect(await world.call('RemoveAccount', { userUid: userUid ?? '' }, 'globex')).toMatchObject({
    error: 'InvalidUserUid',
  })
  expect(await world.call('RemoveAccount', { userUid: userUid ?? '' })).toEqual(inUse)
  expect(await world.call('CreateLocalShipmentAsStock', booking)).toMatchObject({ success: true })
})

test('concurrent removals of one account: one succeeds, the others find nothing', async () => {
  const { world, uids } = await startWithAccounts()
  const ask = { userUid: uids.mine ?? '' }
  const responses = await Promise.all(Array.from({ length: 10 }, () => world.call('RemoveAccount', ask)))
  expect(responses.map(({ error }) => error).sort()).toEqual([...Array(9).fill('InvalidUserUid'), null])
})

test('of a concurrent booking and removal one succeeds', async () => {
  const { world, uids } = await startWithAccounts()
  const userUid = uids.mine ?? ''
  const [booked, removed] = await Promise.all([
    world.call('CreateLocalShipmentAsIssue', { ...booking, ToUserUid: userUid }),
    world.call('RemoveAccount', { userUid }),
  ])
  expect([
    [null, 'AccountInUse'],
    ['InvalidUserUid', null],
  ]).toContainEqual([booked.error, removed.error])
})

test('the file of an embedded store has no text of the account when it is removed', async () => {
  const databaseUrl = temporaryFile()
  const world = await createWorld({ service: { databaseUrl } })
  onTestFinished(() => world.stop())
  const emailAddress = 'wilhelmina@quackenbush.example'
  const account = { ...person, firstName: 'Wilhelmina', emailAddress }
  const { userUid } = await world.call('CreateAccount', account)
  if (userUid === null) throw new Error('no account')
  expect(await world.call('RemoveAccount', { userUid })).toEqual(success)
  await world.stop()
  const bytes = readFileSync(databaseUrl.replace('file:', ''), 'latin1')
  for (const text of ['Wilhelmina', emailAddress]) expect(bytes).not.toContain(text)
})
