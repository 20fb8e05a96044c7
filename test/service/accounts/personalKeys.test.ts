import { randomBytes, randomUUID } from 'node:crypto'
import { defaultPayloadConverter } from '@temporalio/common'
import { expect, onTestFinished, test } from 'vitest'
import { createDataConverter, openPersonalKeys, type PersonalKeys } from '#platform/codec'
import { newKey, ringOf } from '../../support/codec/keys.ts'
import { person } from '../../support/service/accounts.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { createWorld } from '../../support/world/createWorld.ts'

const entry = newKey('2026-12')
const emailAddress = 'Kim@home.example'

/** Opens the keys as another process would, with an empty cache. */
function open(url: string, clock?: () => number, ring = ringOf(entry)): PersonalKeys {
  const keys = openPersonalKeys(url, ring, clock)
  onTestFinished(() => keys.close())
  return keys
}

const secretOf = async (keys: PersonalKeys, id = '') => (await keys.find(id))?.export().toString('hex')

test('RemoveAccount forgets the keys of the account, and refuses one for a flow that is still under way', async () => {
  const databaseUrl = await temporaryStore()
  const world = await createWorld({ service: { databaseUrl } })
  onTestFinished(() => world.stop())
  const { userUid } = await world.call('CreateAccount', { ...person, emailAddress })
  if (userUid === null) throw new Error('no account')
  const keys = open(databaseUrl)
  const [input, other] = [
    await keys.keyFor({ emailAddress }),
    await keys.keyFor({ emailAddress: 'other@home.example' }),
  ]
  const result = await keys.keyFor({ emailAddress: emailAddress.toUpperCase(), userUid })
  expect(result?.id).toBe(input?.id)
  expect(await secretOf(open(databaseUrl), input?.id)).toBe(input?.key.export().toString('hex'))

  expect(await world.call('RemoveAccount', { userUid })).toMatchObject({ success: true })
  expect(await secretOf(open(databaseUrl), input?.id)).toBeUndefined()
  expect(await secretOf(open(databaseUrl), other?.id)).toEqual(expect.any(String))
  expect(await keys.keyFor({ emailAddress, userUid })).toBeUndefined()
  // The address is free for another account, which gets another key.
  const next = await keys.keyFor({ emailAddress, userUid: randomUUID() })
  expect(next?.id).not.toBe(input?.id)
})

test('a store of its own is created by its first user, and forgets by the uid', async () => {
  const url = await temporaryStore()
  const [one, two] = [open(url), open(url)]
  const [first, same] = await Promise.all([one.keyFor({ emailAddress }), two.keyFor({ emailAddress })])
  expect(first?.id).toBe(same?.id)
  const userUid = randomUUID()
  await one.keyFor({ emailAddress, userUid })
  expect(await one.forget(userUid)).toBe(1)
  expect(await one.forget(userUid)).toBe(0)
  expect(await secretOf(open(url), first?.id)).toBeUndefined()
})

test.each(['before', 'after'] as const)(
  'an address of two uids has a key for each, and %s forgets both',
  async which => {
    const url = await temporaryStore()
    const keys = open(url)
    const uids = { before: randomUUID(), after: randomUUID() }
    const first = await keys.keyFor({ emailAddress, userUid: uids.before })
    const second = await keys.keyFor({ emailAddress, userUid: uids.after })
    const other = await keys.keyFor({ emailAddress: 'other@home.example', userUid: randomUUID() })
    expect(second?.id).not.toBe(first?.id)
    // One of the uids may be mistyped, and the store does not know which.
    expect(await keys.forget(uids[which])).toBe(2)
    expect(await secretOf(open(url), first?.id)).toBeUndefined()
    expect(await secretOf(open(url), second?.id)).toBeUndefined()
    expect(await secretOf(open(url), other?.id)).toEqual(expect.any(String))
    // The other uid may be that of another account, which is not removed.
    const userUid = uids[which === 'before' ? 'after' : 'before']
    expect(await keys.keyFor({ emailAddress, userUid })).toBeDefined()
  },
)

async function startService() {
  const databaseUrl = await temporaryStore()
  const world = await createWorld({ service: { databaseUrl } })
  onTestFinished(() => world.stop())
  const create = async (address: string) => {
    const { userUid } = await world.call('CreateAccount', { ...person, emailAddress: address })
    if (userUid === null) throw new Error('no account')
    return userUid
  }
  return { databaseUrl, world, create }
}

test('RemoveAccount forgets the keys of its address, also those with no uid or with a wrong one', async () => {
  const { databaseUrl, world, create } = await startService()
  const [userUid, neighbour] = [await create(emailAddress), await create('ada@home.example')]
  const keys = open(databaseUrl)
  const [mistyped, foreign, none] = [
    await keys.keyFor({ emailAddress, userUid: 'mistyped' }),
    await keys.keyFor({ emailAddress, userUid: neighbour }),
    await keys.keyFor({ emailAddress: emailAddress.toUpperCase() }),
  ]
  const other = await keys.keyFor({ emailAddress: 'ada@home.example' })
  expect(await world.call('RemoveAccount', { userUid })).toMatchObject({ success: true })
  for (const key of [mistyped, foreign, none]) expect(await secretOf(open(databaseUrl), key?.id)).toBeUndefined()
  expect(await secretOf(open(databaseUrl), other?.id)).toEqual(expect.any(String))
  const known = await keys.keyFor({ emailAddress: 'ada@home.example', userUid: neighbour })
  expect(known?.id).toBe(other?.id)
})

test.each([
  ['SetAccountDetails', { emailAddress: 'new@home.example' }],
  ['CreateOrGetAccount', { ...person, emailAddress: 'new@home.example', userName: 'kim' }],
] as const)('%s with another address leaves the keys of the old one with the account', async (operation, change) => {
  const { databaseUrl, world } = await startService()
  const created = await world.call('CreateAccount', { ...person, emailAddress, userName: 'kim' })
  const userUid = created.userUid ?? ''
  const before = await open(databaseUrl).keyFor({ emailAddress })
  const changed = await world.call(operation, { ...change, userUid } as never)
  expect(changed).toMatchObject({ userUid, emailAddress: 'new@home.example' })
  const { userUid: next } = await world.call('CreateAccount', { ...person, emailAddress })
  const after = await open(databaseUrl).keyFor({ emailAddress })
  expect(after?.id).not.toBe(before?.id)

  await world.call('RemoveAccount', { userUid: next ?? '' })
  expect(await secretOf(open(databaseUrl), after?.id)).toBeUndefined()
  expect(await secretOf(open(databaseUrl), before?.id)).toEqual(expect.any(String))
  await world.call('RemoveAccount', { userUid })
  expect(await secretOf(open(databaseUrl), before?.id)).toBeUndefined()
})

test('a forgotten key is read from the cache for a minute at most', async () => {
  const url = await temporaryStore()
  let now = 1_000
  const keys = open(url, () => now)
  const userUid = randomUUID()
  const key = await keys.keyFor({ emailAddress, userUid })
  expect(await secretOf(keys, key?.id)).toEqual(expect.any(String))
  await open(url).forget(userUid)
  now += 59_999
  expect(await secretOf(keys, key?.id)).toEqual(expect.any(String))
  now += 2
  expect(await secretOf(keys, key?.id)).toBeUndefined()
})

test('a key that no account got is forgotten after 30 days', async () => {
  const url = await temporaryStore()
  let now = 1_000
  const keys = open(url, () => now)
  const [failed, assigned] = [
    await keys.keyFor({ emailAddress }),
    await keys.keyFor({ emailAddress: 'b@b.example', userUid: 'b' }),
  ]
  now += 30 * 86_400_000 + 1
  await keys.keyFor({ emailAddress: 'c@c.example' })
  expect(await secretOf(keys, failed?.id)).toBeUndefined()
  expect(await secretOf(keys, assigned?.id)).toEqual(expect.any(String))
})

test('after 30 days a key that no account got is not read, and its address gets another one', async () => {
  const url = await temporaryStore()
  let now = 1_000
  const clock = () => now
  const failed = await open(url, clock).keyFor({ emailAddress })
  now += 30 * 86_400_000
  expect(await secretOf(open(url, clock), failed?.id)).toEqual(expect.any(String))
  now += 1
  expect(await secretOf(open(url, clock), failed?.id)).toBeUndefined()
  const next = await open(url, clock).keyFor({ emailAddress, userUid: randomUUID() })
  expect(next?.id).not.toBe(failed?.id)
  expect(await secretOf(open(url, clock), next?.id)).toEqual(expect.any(String))
})

test.each([
  ['a key', (keys: PersonalKeys) => keys.keyFor({ emailAddress: 'known@home.example', userUid: 'known' })],
  ['a health check', (keys: PersonalKeys) => keys.check()],
])('after 30 days a key that no account got is deleted by the next use of the store: %s', async (_, use) => {
  const url = await temporaryStore()
  let now = 1_000
  const keys = open(url, () => now)
  await keys.keyFor({ emailAddress: 'known@home.example', userUid: 'known' })
  const failed = await keys.keyFor({ emailAddress })
  now += 30 * 86_400_000 + 1
  await use(keys)
  // Also for a clock that is behind.
  expect(
    await secretOf(
      open(url, () => 1_000),
      failed?.id,
    ),
  ).toBeUndefined()
})

test('a wrong store and a wrong ring are errors that name their settings, and forget nothing', async () => {
  const url = await temporaryStore()
  const key = await open(url).keyFor({ emailAddress })
  await expect(open(url).find('unknown')).rejects.toThrow('LOCKERFLOW_PERSONAL_KEYS_URL: must name the store that has')
  await expect(open(url, Date.now, ringOf(newKey('other'))).find(key?.id ?? '')).rejects.toThrow(
    'LOCKERFLOW_CODEC_KEYS: must contain the key 2026-12, with which a personal key is sealed',
  )
  await expect(open('postgres://127.0.0.1:1/none').keyFor({ emailAddress })).rejects.toThrow(
    'LOCKERFLOW_PERSONAL_KEYS_URL: must name a store that can be reached',
  )
})

test.each(['\0', 'u'.repeat(65), randomBytes(8_192).toString('hex')])(
  'a person with an invalid uid has the key of the address (%#)',
  async userUid => {
    const keys = open(await temporaryStore())
    const key = await keys.keyFor({ emailAddress, userUid })
    expect(key?.id).toBe((await keys.keyFor({ emailAddress }))?.id)
  },
)

test('each person of a payload has a key, and only the fields of the one who is forgotten are gone', async () => {
  const url = await temporaryStore()
  const [ada, bob] = [
    { userUid: randomUUID(), emailAddress: 'ada@home.example', firstName: 'Ada' },
    { userUid: randomUUID(), emailAddress: 'bob@home.example', firstName: 'Bob' },
  ]
  const codecs = () => createDataConverter(ringOf(entry), open(url)).payloadCodecs ?? []
  let payloads = [defaultPayloadConverter.toPayload({ ada, bob })]
  for (const codec of codecs()) payloads = await codec.encode(payloads)
  const read = async () => {
    let decoded = payloads
    for (const codec of codecs().toReversed()) decoded = await codec.decode(decoded)
    return decoded.map(payload => defaultPayloadConverter.fromPayload(payload))
  }
  expect(await read()).toEqual([{ ada, bob }])
  expect(await open(url).forget(bob.userUid)).toBe(1)
  const removed = { ...bob, emailAddress: '[removed]', firstName: '[removed]' }
  expect(await read()).toEqual([{ ada, bob: removed }])
  expect(await open(url).forget(ada.userUid)).toBe(1)
  expect(await read()).toEqual([{ ada: { ...removed, userUid: ada.userUid }, bob: removed }])
})

test('an id with the character NUL, which PostgreSQL refuses, is unknown', async () => {
  await expect(open(await temporaryStore()).find('a\0b')).rejects.toThrow(
    'must name the store that has the personal key',
  )
})
