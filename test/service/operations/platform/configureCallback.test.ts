import { describe, expect, onTestFinished, test } from 'vitest'
import type { RequestOf } from '#contract'
import { startWorld, type World } from './world.ts'

type Ask = RequestOf<'ConfigureCallback'>

const url = 'http://127.0.0.1:9/one'
const given = 'a-key-that-was-given'
const other = 'another-key-that-was-given'
const unchanged = { changed: false, authKey: null }
const keyStays = { changed: true, authKey: null }
const newKey = { changed: true, authKey: expect.stringMatching(/^[\w-]{43}$/) }
const hmac = { url, authType: 'HMAC' } as const

const rows: { what: string; before?: Ask; ask: Ask; answer: object }[] = [
  { what: 'a first address without authentication', ask: { url, authType: 'None' }, answer: keyStays },
  { what: 'a first address makes a key', ask: hmac, answer: newKey },
  {
    what: 'a first address takes the given key',
    ask: { ...hmac, authKey: given },
    answer: { changed: true, authKey: given },
  },
  { what: 'the same again', before: hmac, ask: hmac, answer: unchanged },
  {
    what: 'the same again with its key',
    before: { ...hmac, authKey: given },
    ask: { ...hmac, authKey: given },
    answer: unchanged,
  },
  {
    what: 'a reset to the key in force',
    before: { ...hmac, authKey: given },
    ask: { ...hmac, authKey: given, resetKey: true },
    answer: unchanged,
  },
  { what: 'another address', before: hmac, ask: { ...hmac, url: `${url}/two` }, answer: keyStays },
  { what: 'no address', before: hmac, ask: { ...hmac, url: null }, answer: keyStays },
  { what: 'no address again', before: { ...hmac, url: null }, ask: { ...hmac, url: null }, answer: unchanged },
  { what: 'another type', before: hmac, ask: { url, authType: 'ApiKey' }, answer: newKey },
  {
    what: 'another type with a key',
    before: hmac,
    ask: { url, authType: 'ApiKey', authKey: given },
    answer: { changed: true, authKey: given },
  },
  { what: 'no authentication any more', before: hmac, ask: { url, authType: 'None' }, answer: keyStays },
  {
    what: 'no authentication, but a key to sign with',
    ask: { url, authType: 'None', authKey: given },
    answer: { changed: true, authKey: given },
  },
  { what: 'a reset', before: hmac, ask: { ...hmac, resetKey: true }, answer: newKey },
  {
    what: 'a reset to a given key',
    before: hmac,
    ask: { ...hmac, resetKey: true, authKey: given },
    answer: { changed: true, authKey: given },
  },
  {
    what: 'another given key',
    before: { ...hmac, authKey: given },
    ask: { ...hmac, authKey: other },
    answer: { changed: true, authKey: other },
  },
]

describe('ConfigureCallback', () => {
  test.each(rows)('$what', async ({ before, ask, answer }) => {
    const world = await start()
    if (before !== undefined) expect(await world.call('ConfigureCallback', before)).toMatchObject({ success: true })
    expect(await world.call('ConfigureCallback', ask)).toEqual({ success: true, error: null, message: null, ...answer })
    const { resetKey, ...again } = ask
    expect(await world.call('ConfigureCallback', again)).toMatchObject(unchanged)
  })

  test.each(['short', 'with blanks in the key', 'ключ-не-для-заголовка'])('not the key %s', async authKey => {
    const world = await start()
    expect(await world.call('ConfigureCallback', { ...hmac, authKey })).toMatchObject({ error: 'InvalidRequest' })
  })
})

describe('an address that callbacks may not go to is InvalidCallbackUrl', () => {
  const never = [
    'nonsense',
    '/callbacks',
    'ftp://host.example/',
    'http://169.254.169.254/latest/meta-data',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://user:secret@127.0.0.1/',
    'http://no-such-host.invalid/',
  ]
  test.each(never)('%s, whatever the settings', async address => {
    const world = await start()
    expect(await world.call('ConfigureCallback', { url: address, authType: 'None' })).toMatchObject({
      success: false,
      error: 'InvalidCallbackUrl',
      message: expect.stringMatching(/^url has to /),
    })
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

  test('but a public one is not, and localhost is not where private ones are allowed', async () => {
    const world = await start(false)
    expect(await world.call('ConfigureCallback', { url: 'https://8.8.8.8/', authType: 'None' })).toMatchObject(keyStays)
    const staging = await start()
    const local = { url: 'http://localhost:9/', authType: 'None' } as const
    expect(await staging.call('ConfigureCallback', local)).toMatchObject(keyStays)
  })
})

async function start(privateCallbacks = true): Promise<World> {
  const world = await startWorld({ privateCallbacks })
  onTestFinished(() => world.stop())
  return world
}
