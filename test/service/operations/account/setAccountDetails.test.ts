import { describe, expect, test } from 'vitest'
import type { RequestOf } from '#contract'
import { person, startWithAccounts } from '../../../support/service/accounts.ts'
import type { ServiceWorld } from '../../../support/world/serviceWorld.ts'

type Ask = Omit<RequestOf<'SetAccountDetails'>, 'userUid'>

const names = { firstName: 'Grace', lastName: 'Hopper' }
const address = { streetName: 'Dock', streetNo: '7b', mailbox: '3', city: 'Gent', countryCode: 'BE' }
const keptAddress = { street_name: 'Dock', street_no: '7b', mailbox: '3', city: 'Gent', country_code: 'BE' }

const empty = <Value>(fields: object, value: Value | '' = '') =>
  Object.fromEntries(Object.keys(fields).map(field => [field, value]))

/** The only field that a test of groups leaves alone; null is like absent. */
const nothing = {
  emailAddress: null,
  phoneNumber: null,
  languageCode: null,
  firstName: null,
  lastName: null,
  city: null,
}

describe('only given fields change (SPEC-62)', () => {
  test.each<{ ask: Ask; changes: object }>([
    { ask: {}, changes: {} },
    { ask: nothing, changes: {} },
    { ask: { phoneNumber: '+31612345678' }, changes: { phone_number: '+31612345678' } },
    { ask: { phoneNumber: '0031612345678' }, changes: { phone_number: '0031612345678' } },
    { ask: { languageCode: 'en-GB' }, changes: { language_code: 'en-GB' } },
    {
      ask: { emailAddress: 'A@b.example' },
      changes: { email: 'A@b.example', email_key: 'a@b.example', user_name_key: 'a@b.example' },
    },
    { ask: { emailAddress: 'FULL@home.example' }, changes: { email: 'FULL@home.example' } },
    { ask: { phoneNumber: '', languageCode: '' }, changes: { phone_number: null, language_code: null } },
    { ask: empty(address), changes: empty(keptAddress, null) },
    { ask: { mailbox: '' }, changes: { mailbox: null } },
    { ask: names, changes: { first_name: 'Grace', last_name: 'Hopper' } },
    { ask: address, changes: keptAddress },
    { ask: { ...address, streetNo: 12 }, changes: { ...keptAddress, street_no: '12' } },
    {
      ask: { ...names, ...address, phoneNumber: '+31600000002' },
      changes: { first_name: 'Grace', last_name: 'Hopper', ...keptAddress, phone_number: '+31600000002' },
    },
  ])('$ask', async ({ ask, changes }) => {
    const { world, userUid } = await start()
    const before = await kept(world, userUid)
    const response = await world.call('SetAccountDetails', { userUid, ...ask })
    const after = await kept(world, userUid)
    expect(after).toEqual({ ...before, ...changes })
    expect(response).toEqual({
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
    { ask: { city: 'Gent', mailbox: '' }, missing: ['streetName', 'streetNo', 'mailbox', 'countryCode'] },
    { ask: { streetNo: 0 }, missing: ['streetName', 'mailbox', 'city', 'countryCode'] },
    { ask: { ...names, streetName: 'Dock', city: 'Gent' }, missing: ['streetNo', 'mailbox', 'countryCode'] },
    { ask: { lastName: 'Hopper', ...address, streetName: undefined }, missing: ['firstName', 'streetName'] },
  ])('$ask lacks $missing', async ({ ask, missing }) => {
    const { world, userUid } = await start()
    const before = await kept(world, userUid)
    const response = await world.call('SetAccountDetails', { userUid, ...ask, phoneNumber: '+31600000002' })
    expect(response).toMatchObject({ success: false, error: 'InvalidRequest' })
    expect(all.filter(field => response.message?.includes(`${field}: must be set when`))).toEqual(missing)
    expect(await kept(world, userUid)).toEqual(before)
  })

  test('together with every other invalid field', async () => {
    const { world, userUid } = await start()
    const { message } = await world.call('SetAccountDetails', { userUid, firstName: 'Grace', phoneNumber: '06' })
    expect(message).toContain('lastName: must be set when')
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
  { ask: { emailAddress: '' }, field: 'emailAddress' },
])('$ask is InvalidRequest and names the field once', async ({ ask, field }) => {
  const { world, userUid } = await start()
  const { error, message } = await world.call('SetAccountDetails', { userUid, ...ask })
  expect({ error, named: message?.split('; ').map(part => part.split(':')[0]) }).toEqual({
    error: 'InvalidRequest',
    named: [field],
  })
})

test.each(['mine@home.example', 'MINE@Home.example', 'foreign@away.example'])(
  'the address of another account, of any tenant: EmailAlreadyRegistered: %s',
  async emailAddress => {
    const { world, userUid } = await start()
    const before = await kept(world, userUid)
    const response = await world.call('SetAccountDetails', { userUid, emailAddress, ...names })
    expect(response).toEqual({ success: false, error: 'EmailAlreadyRegistered', message: expect.any(String) })
    expect(await kept(world, userUid)).toEqual(before)
  },
)

test('an address that was given up is free for others', async () => {
  const { world, userUid } = await start()
  await world.call('SetAccountDetails', { userUid, emailAddress: 'new@home.example' })
  const ask = { ...person, emailAddress: 'full@home.example', userName: 'next' }
  expect(await world.call('CreateAccount', ask)).toMatchObject({ success: true })
})

test('the tenant may change an address that the user may not', async () => {
  const { world, uids } = await startWithAccounts()
  const ask = { userUid: uids.fixed ?? '', emailAddress: 'new@home.example' }
  expect(await world.call('SetAccountDetails', ask)).toMatchObject({ emailAddress: 'new@home.example' })
})

/** A world in which one account has everything that an account can have. */
async function start(): Promise<{ world: ServiceWorld; userUid: string }> {
  const { world } = await startWithAccounts()
  const contact = { emailAddress: 'full@home.example', phoneNumber: '+31600000001', languageCode: 'nl' }
  const home = { streetName: 'Square', streetNo: '1', mailbox: 'a', city: 'Utrecht', countryCode: 'NL' }
  const { userUid } = await world.call('CreateAccount', { ...person, ...contact, ...home })
  return { world, userUid: userUid ?? '' }
}

/** The stored account, since no response contains its address. */
function kept({ service }: ServiceWorld, userUid: string) {
  return service.store.selectFrom('accounts').selectAll().where('user_uid', '=', userUid).executeTakeFirstOrThrow()
}
