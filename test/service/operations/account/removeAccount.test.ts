import { describe, expect, test } from 'vitest'
import { person, startWithAccounts } from './accountsThere.ts'
import { booking } from './places.ts'
import { startSite } from './site.ts'
import { expectSound } from './soundness.ts'
import type { Step } from './steps.ts'

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
        (await site.take(step, step.startsWith('setReceiver') ? { toUserUid: site.users.ada } : {})).body.error,
      ).toBeNull()
    }
    const { ada: userUid } = site.users
    expect(await site.world.call('RemoveAccount', { userUid })).toEqual(inUse)
    expect(await site.world.call('GetAccount', { userUid })).toMatchObject({ userUid })
    for (const step of ends) expect((await site.take(step)).body.error).toBeNull()
    const ended = await expectSound(site.world)
    expect(await site.world.call('RemoveAccount', { userUid })).toEqual(success)
    // What has ended keeps the uid.
    expect(await expectSound(site.world)).toEqual(ended)
    expect((await site.take('Issue')).body.error).toBe('InvalidUserUid')
  })
})

test("another tenant's active shipment counts, and is not told", async () => {
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

test("a dispatcher's main account is AccountInUse, also without a shipment and for whoever manages it too", async () => {
  const { world } = await startWithAccounts()
  const { userUid } = await world.call('GetAccount', { userName: 'acme' })
  expect(await world.call('RemoveAccount', { userUid: userUid ?? '' })).toEqual(inUse)
  await world.call('SetAccountPickUpPoint', { userUid: userUid ?? '', pickUpPointUid: 'shared' })
  expect(await world.call('RemoveAccount', { userUid: userUid ?? '' }, 'globex')).toEqual(inUse)
  expect(await world.call('CreateLocalShipmentAsStock', booking)).toMatchObject({ success: true })
})

test('callers who remove one account at once: one does, the others find nothing', async () => {
  const { world, uids } = await startWithAccounts()
  const ask = { userUid: uids.mine ?? '' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => world.call('RemoveAccount', ask)))
  expect(answers.map(({ error }) => error).sort()).toEqual([...Array(9).fill('InvalidUserUid'), null])
})

test('a booking at the same moment gets its account, or the removal does', async () => {
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
