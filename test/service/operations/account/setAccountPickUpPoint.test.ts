import { expect, test } from 'vitest'
import { startWithAccounts } from '../../../support/service/accounts.ts'

const success = { success: true, error: null, message: null }

test('another pick up point of the caller becomes the main one, and the same again changes nothing', async () => {
  const { world, uids } = await startWithAccounts()
  const userUid = uids.mine ?? ''
  const ask = { userUid, pickUpPointUid: 'reserve' }
  const response = { ...success, userUid, pupUid: 'reserve' }
  expect(await world.call('SetAccountPickUpPoint', ask)).toEqual({ ...response, pickUpPointChanged: true })
  expect(await world.call('SetAccountPickUpPoint', ask)).toEqual({ ...response, pickUpPointChanged: false })
  expect(await world.call('GetAccount', { userUid })).toMatchObject({
    mainPupUid: 'reserve',
    mainPupName: 'Reserve 100%',
  })
})

test.each([
  { what: 'unknown', pickUpPointUid: 'nowhere' },
  { what: "somebody else's", pickUpPointUid: 'harbour' },
])('a pick up point that is $what: InvalidPupUid', async ({ pickUpPointUid }) => {
  const { world, uids } = await startWithAccounts()
  const userUid = uids.mine ?? ''
  expect(await world.call('SetAccountPickUpPoint', { userUid, pickUpPointUid })).toEqual({
    success: false,
    error: 'InvalidPupUid',
    message: expect.stringContaining('pickUpPointUid'),
  })
  expect(await world.call('GetAccount', { userUid })).toMatchObject({ mainPupUid: 'square' })
})

test.each([
  { ask: { userUid: 'nobody', pickUpPointUid: 'nowhere' }, error: 'InvalidUserUid' },
  { ask: { pickUpPointUid: 'reserve' }, error: 'InvalidUserUid' },
  { ask: { userUid: '', pickUpPointUid: 'reserve' }, error: 'InvalidUserUid' },
  { ask: { userUid: 'nobody' }, error: 'InvalidRequest' },
  { ask: {}, error: 'InvalidRequest' },
])('the first check that fails decides the error: $ask, $error', async ({ ask, error }) => {
  const { world } = await startWithAccounts()
  expect((await world.service.call('SetAccountPickUpPoint', ask)).body).toMatchObject({ success: false, error })
})

test('the managing tenant follows the main pick up point', async () => {
  const { world, uids } = await startWithAccounts()
  const userUid = uids.mine ?? ''
  const canManage = async () => (await world.call('GetAccount', { userUid }, 'globex')).canManageUser
  expect(await canManage()).toBe(false)
  await world.call('SetAccountPickUpPoint', { userUid, pickUpPointUid: 'shared' })
  expect(await canManage()).toBe(true)
  await world.call('SetAccountPickUpPoint', { userUid, pickUpPointUid: 'harbour' }, 'globex')
  expect(await world.call('SetAccountPickUpPoint', { userUid, pickUpPointUid: 'square' })).toMatchObject({
    error: 'InvalidUserUid',
  })
})
