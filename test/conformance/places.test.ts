import { expect, test } from 'vitest'
import { person, startWithAccounts } from '../support/service/accounts.ts'
import { startSite } from '../support/service/site.ts'

test('a shipment of CreateLocalShipment is dropped off and picked up at the same pick up point', async () => {
  const site = await startSite()
  const { body } = await site.run('Local')
  expect(body.pupUid).toBe('square')
  for (const step of ['dropOff a', 'pickUp a'] as const) {
    const elsewhere = await site.run(step, { pupUid: 'reserve', lockerName: 'R1' })
    expect(elsewhere.body.error).toBe('InvalidAccessCode')
    expect((await site.run(step)).body.error).toBeNull()
    expect((await site.read('a')).pupUid).toBe('square')
  }
  expect((await site.read('a')).stateCode).toBe('Completed')
})

test('no two accounts have the same mail code', async () => {
  const { world, uids } = await startWithAccounts()
  const { mailCode, userUid } = await world.call('CreateAccount', { ...person, emailAddress: 'next@home.example' })
  expect(userUid).not.toBe(uids.mine)
  const same = world.service.store
    .updateTable('accounts')
    .set({ mail_code: mailCode ?? '' })
    .where('user_uid', '=', uids.mine ?? '')
  await expect(same.execute()).rejects.toThrow(/UNIQUE/)
})
