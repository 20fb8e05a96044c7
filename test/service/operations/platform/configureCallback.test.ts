import { describe, expect, onTestFinished, test } from 'vitest'
import type { RequestOf } from '#contract'
import { metadataUrls } from '../../../support/metadataUrls.ts'
import { createWorld } from '../../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../../support/world/serviceWorld.ts'

type Ask = RequestOf<'ConfigureCallback'>

const url = 'http://127.0.0.1:9/one'
const given = 'a-key-that-was-given'
const other = 'another-key-that-was-given'
const unchanged = { changed: false, authKey: null }
const keyStays = { changed: true, authKey: null }
const newKey = { changed: true, authKey: expect.stringMatching(/^[\w-]{43}$/) }
const hmac = { url, authType: 'HMAC' } as const

const rows: { what: string; before?: Ask; ask: Ask; response: object }[] = [
  { what: 'a first address without authentication', ask: { url, authType: 'None' }, response: keyStays },
  { what: 'a first address makes a key', ask: hmac, response: newKey },
  {
    what: 'a first address takes the given key',
    ask: { ...hmac, authKey: given },
    response: { changed: true, authKey: given },
  },
  { what: 'the same again', before: hmac, ask: hmac, response: unchanged },
  {
    what: 'the same again with its key',
    before: { ...hmac, authKey: given },
    ask: { ...hmac, authKey: given },
    response: unchanged,
  },
  {
    what: 'a reset to the key in force',
    before: { ...hmac, authKey: given },
    ask: { ...hmac, authKey: given, resetKey: true },
    response: unchanged,
  },
  { what: 'another address', before: hmac, ask: { ...hmac, url: `${url}/two` }, response: keyStays },
  { what: 'no address', before: hmac, ask: { ...hmac, url: null }, response: keyStays },
  { what: 'no address again', before: { ...hmac, url: null }, ask: { ...hmac, url: null }, response: unchanged },
  { what: 'another type', before: hmac, ask: { url, authType: 'ApiKey' }, response: newKey },
  {
    what: 'another type with a key',
    before: hmac,
    ask: { url, authType: 'ApiKey', authKey: given },
    response: { changed: true, authKey: given },
  },
  {
    what: 'another type with the key in force',
    before: { ...hmac, authKey: given },
    ask: { url, authType: 'ApiKey', authKey: given },
    response: keyStays,
  },
  { what: 'no authentication any more', before: hmac, ask: { url, authType: 'None' }, response: keyStays },
  {
    what: 'no authentication, but a key to sign with',
    ask: { url, authType: 'None', authKey: given },
    response: { changed: true, authKey: given },
  },
  { what: 'a reset', before: hmac, ask: { ...hmac, resetKey: true }, response: newKey },
  {
    what: 'a reset to a given key',
    before: hmac,
    ask: { ...hmac, resetKey: true, authKey: given },
    response: { changed: true, authKey: given },
  },
  {
    what: 'another given key',
    before: { ...hmac, authKey: given },
    ask: { ...hmac, authKey: other },
    response: { changed: true, authKey: other },
  },
]

describe('ConfigureCallback', () => {
  test.each(rows)('$what', async ({ before, ask, response }) => {
    const world = await start()
    if (before !== undefined) expect(await world.call('ConfigureCallback', before)).toMatchObject({ success: true })
    expect(await world.call('ConfigureCallback', ask)).toEqual({
      success: true,
      error: null,
      message: null,
      ...response,
    })
    const { resetKey, ...again } = ask
    expect(await world.call('ConfigureCallback', again)).toMatchObject(unchanged)
  })

  test('changes the registration of the tenant only', async () => {
    const world = await start()
    await world.call('ConfigureCallback', { ...hmac, authKey: given })
    const { store } = world.service
    const read = () => store.selectFrom('tenants').selectAll().where('tenant_id', '=', 'acme').executeTakeFirst()
    const before = await read()
    const theirs = { url: `${url}/globex`, authType: 'ApiKey', authKey: other } as const
    expect(await world.call('ConfigureCallback', theirs, 'globex')).toMatchObject({ changed: true })
    expect(await read()).toEqual(before)
  })

  test.each(['short', 'with blanks in the key', 'ключ-не-для-заголовка'])('not the key %s', async authKey => {
    const world = await start()
    expect(await world.call('ConfigureCallback', { ...hmac, authKey })).toMatchObject({ error: 'InvalidRequest' })
  })
})

describe('a forbidden callback address is InvalidCallbackUrl', () => {
  const never = [
    '',
    'nonsense',
    'http://127.0.0.1:0/',
    '/callbacks',
    'ftp://host.example/',
    'http://user:secret@127.0.0.1/',
    'http://no-such-host.invalid/',
  ]
  test.each(never)('%s, whatever the settings', async address => {
    const world = await start()
    expect(await world.call('ConfigureCallback', { url: address, authType: 'None' })).toMatchObject({
      success: false,
      error: 'InvalidCallbackUrl',
      message: expect.stringMatching(/^url must /),
    })
    expect(await world.call('ConfigureCallback', { url: null, authType: 'None' })).toMatchObject(unchanged)
  })

  test('a metadata service in any form, in staging too', async () => {
    const world = await start()
    for (const url of metadataUrls) {
      expect(await world.call('ConfigureCallback', { url, authType: 'None' }), url).toMatchObject({
        error: 'InvalidCallbackUrl',
        message: expect.stringContaining('not link-local'),
      })
    }
    expect(await world.call('ConfigureCallback', { url: null, authType: 'None' })).toMatchObject(unchanged)
  })

  const inProduction = [
    'http://8.8.8.8/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://2130706433/',
    'https://10.1.2.3/',
    'https://[::1]/',
    'https://[fd12::1]/',
    'https://[::ffff:10.1.2.3]/',
  ]
  test.each(inProduction)('%s, without private callbacks', async address => {
    const world = await start(false)
    expect(await world.call('ConfigureCallback', { url: address, authType: 'None' })).toMatchObject({
      error: 'InvalidCallbackUrl',
    })
  })

  test('a name of a private network like one that does not exist, so that a tenant finds no names', async () => {
    const world = await start(false)
    const register = async (host: string) =>
      (await world.service.call('ConfigureCallback', { url: `https://${host}/`, authType: 'None' })).text
    const unknown = await register('unknown.invalid')
    expect(unknown).toContain('url must lead to a public host that can be resolved')
    expect(await register('localhost')).toBe(unknown)
  })

  test('but a public one is accepted, and localhost if private ones are allowed', async () => {
    const world = await start(false)
    expect(await world.call('ConfigureCallback', { url: 'https://8.8.8.8/', authType: 'None' })).toMatchObject(keyStays)
    const staging = await start()
    const local = { url: 'http://localhost:9/', authType: 'None' } as const
    expect(await staging.call('ConfigureCallback', local)).toMatchObject(keyStays)
  })
})

async function start(allowPrivateNetworks = true): Promise<ServiceWorld> {
  const world = await createWorld({ service: { allowPrivateNetworks } })
  onTestFinished(() => world.stop())
  return world
}
