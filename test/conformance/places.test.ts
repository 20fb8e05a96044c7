import { expect, test } from 'vitest'
import { person, startWithAccounts } from '../service/accountsThere.ts'
import { startSite } from '../service/site.ts'

test('a shipment of CreateLocalShipment is dropped off and picked up at the one pick up point that it has', async () => {
  const site = await startSite()
  const { body } = await site.take('Local')
  expect(body.pupUid).toBe('square')
  for (const step of ['dropOff a', 'pickUp a'] as const) {
    const elsewhere = await site.take(step, { pupUid: 'reserve', lockerName: 'R1' })
    expect(elsewhere.body.error).toBe('InvalidAccessCode')
    expect((await site.take(step)).body.error).toBeNull()
    expect((await site.look('a')).pupUid).toBe('square')
  }
  expect((await site.look('a')).stateCode).toBe('Completed')
})

test('no two accounts can have one mail code', async () => {
  const { world, uids } = await startWithAccounts()
  const { mailCode, userUid } = await world.call('CreateAccount', { ...person, emailAddress: 'next@home.example' })
  expect(userUid).not.toBe(uids.mine)
  const same = world.service.store
    .updateTable('accounts')
    .set({ mail_code: mailCode ?? '' })
    .where('user_uid', '=', uids.mine ?? '')
  await expect(same.execute()).rejects.toThrow(/UNIQUE/)
})
