import { describe, expect, test } from 'vitest'
import type { RequestOf } from '#contract'
import { person, startWithAccounts } from './accountsThere.ts'
import type { World } from './world.ts'

type Ask = Omit<RequestOf<'SetAccountDetails'>, 'userUid'>

const names = { firstName: 'Grace', lastName: 'Hopper' }
const address = { streetName: 'Dock', streetNo: '7b', mailbox: '3', city: 'Gent', countryCode: 'BE' }
const keptAddress = { street_name: 'Dock', street_no: '7b', mailbox: '3', city: 'Gent', country_code: 'BE' }

/** The only field that a test of groups leaves alone; null is like absent. */
const nothing = {
  emailAddress: null,
  phoneNumber: null,
  languageCode: null,
  firstName: null,
  lastName: null,
  city: null,
}

describe('only the fields that are given change', () => {
  test.each<{ ask: Ask; changes: object }>([
    { ask: {}, changes: {} },
    { ask: nothing, changes: {} },
    { ask: { phoneNumber: '+31612345678' }, changes: { phone_number: '+31612345678' } },
    { ask: { phoneNumber: '0031612345678' }, changes: { phone_number: '0031612345678' } },
    { ask: { languageCode: 'en-GB' }, changes: { language_code: 'en-GB' } },
    { ask: { emailAddress: 'A@b.example' }, changes: { email: 'A@b.example', email_key: 'a@b.example' } },
    { ask: { emailAddress: 'FULL@home.example' }, changes: { email: 'FULL@home.example' } },
    { ask: names, changes: { first_name: 'Grace', last_name: 'Hopper' } },
    { ask: address, changes: keptAddress },
    { ask: { ...address, streetNo: 12 }, changes: { ...keptAddress, street_no: '12' } },
    {
      ask: { ...names, ...address, phoneNumber: '+2' },
      changes: { first_name: 'Grace', last_name: 'Hopper', ...keptAddress, phone_number: '+2' },
    },
  ])('$ask', async ({ ask, changes }) => {
    const { world, userUid } = await start()
    const before = await kept(world, userUid)
    const answer = await world.call('SetAccountDetails', { userUid, ...ask })
    const after = await kept(world, userUid)
    expect(after).toEqual({ ...before, ...changes })
    expect(answer).toEqual({
      success: true,
      error: null,
      message: null,
      userUid,
      canManageUser: true,
      firstName: after.first_name,
      lastName: after.last_name,
      emailAddress: after.email,
      phoneNumber: after.phone_number,
      mainPupUid: 'square',
      mainPupName: 'Station Square',
      languageCode: after.language_code,
      mailCode: after.mail_code,
    })
  })
})

describe('fields that go together: the missing ones are named', () => {
  const all = ['firstName', 'lastName', 'streetName', 'streetNo', 'mailbox', 'city', 'countryCode']

  test.each<{ ask: Ask; missing: string[] }>([
    { ask: { firstName: 'Grace' }, missing: ['lastName'] },
    { ask: { firstName: null, lastName: 'Hopper' }, missing: ['firstName'] },
    { ask: { city: 'Gent' }, missing: ['streetName', 'streetNo', 'mailbox', 'countryCode'] },
    { ask: { ...address, mailbox: null }, missing: ['mailbox'] },
    { ask: { ...address, streetNo: '' }, missing: ['streetNo'] },
    { ask: { streetNo: 0 }, missing: ['streetName', 'mailbox', 'city', 'countryCode'] },
    { ask: { ...names, streetName: 'Dock', city: 'Gent' }, missing: ['streetNo', 'mailbox', 'countryCode'] },
    { ask: { lastName: 'Hopper', ...address, streetName: undefined }, missing: ['firstName', 'streetName'] },
  ])('$ask lacks $missing', async ({ ask, missing }) => {
    const { world, userUid } = await start()
    const before = await kept(world, userUid)
    const answer = await world.call('SetAccountDetails', { userUid, ...ask, phoneNumber: '+2' })
    expect(answer).toMatchObject({ success: false, error: 'InvalidRequest' })
    expect(all.filter(field => answer.message?.includes(`${field}: is required`))).toEqual(missing)
    expect(await kept(world, userUid)).toEqual(before)
  })

  test('beside every other field that is wrong', async () => {
    const { world, userUid } = await start()
    const { message } = await world.call('SetAccountDetails', { userUid, firstName: 'Grace', phoneNumber: '06' })
    expect(message).toContain('lastName: is required')
    expect(message).toContain('phoneNumber')
  })
})

test.each<{ ask: Ask; field: string }>([
  { ask: { emailAddress: 'nobody' }, field: 'emailAddress' },
  { ask: { phoneNumber: '0612345678' }, field: 'phoneNumber' },
  { ask: { phoneNumber: '+31 6' }, field: 'phoneNumber' },
  { ask: { languageCode: 'dutch' }, field: 'languageCode' },
  { ask: { ...address, countryCode: 'BEL' }, field: 'countryCode' },
  { ask: { ...names, firstName: ' ' }, field: 'firstName' },
])('$ask is InvalidRequest and names the field once', async ({ ask, field }) => {
  const { world, userUid } = await start()
  const { error, message } = await world.call('SetAccountDetails', { userUid, ...ask })
  expect({ error, named: message?.split('; ').map(part => part.split(':')[0]) }).toEqual({
    error: 'InvalidRequest',
    named: [field],
  })
})

test.each(['mine@home.example', 'MINE@Home.example', 'foreign@away.example'])(
  'an address of another account, whoever manages it: EmailAlreadyRegistered: %s',
  async emailAddress => {
    const { world, userUid } = await start()
    const before = await kept(world, userUid)
    const answer = await world.call('SetAccountDetails', { userUid, emailAddress, ...names })
    expect(answer).toEqual({ success: false, error: 'EmailAlreadyRegistered', message: expect.any(String) })
    expect(await kept(world, userUid)).toEqual(before)
  },
)

test('an address that was given up is free for others', async () => {
  const { world, userUid } = await start()
  await world.call('SetAccountDetails', { userUid, emailAddress: 'new@home.example' })
  const ask = { ...person, emailAddress: 'full@home.example', userName: 'next' }
  expect(await world.call('CreateAccount', ask)).toMatchObject({ success: true })
})

test('an account whose user may not change its address has it changed by its tenant', async () => {
  const { world, uids } = await startWithAccounts()
  const ask = { userUid: uids.fixed ?? '', emailAddress: 'new@home.example' }
  expect(await world.call('SetAccountDetails', ask)).toMatchObject({ emailAddress: 'new@home.example' })
})

/** A world in which one account has everything that an account can have. */
async function start(): Promise<{ world: World; userUid: string }> {
  const { world } = await startWithAccounts()
  const contact = { emailAddress: 'full@home.example', phoneNumber: '+1', languageCode: 'nl' }
  const home = { streetName: 'Square', streetNo: '1', mailbox: 'a', city: 'Utrecht', countryCode: 'NL' }
  const { userUid } = await world.call('CreateAccount', { ...person, ...contact, ...home })
  return { world, userUid: userUid ?? '' }
}

/** What is kept of an account: no answer tells its address. */
function kept({ service }: World, userUid: string) {
  return service.store.selectFrom('accounts').selectAll().where('user_uid', '=', userUid).executeTakeFirstOrThrow()
}
