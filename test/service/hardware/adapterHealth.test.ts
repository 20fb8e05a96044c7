import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { HardwareAdapter } from '#service'
import { createAdapterClient, createAdapterHealth, createContacts } from '../../../service/hardware/index.ts'
import { pass, type Rule } from '../../../testing/stack/wire.ts'
import { eventually } from '../../support/eventually.ts'
import { type HardwareSite, openHardwareSite } from '../../support/hardware/hardwareSite.ts'
import { hardwareKey, signed } from '../../support/hardware/messages.ts'

let site: HardwareSite

beforeAll(async () => {
  site = await openHardwareSite({ unlockTimeout: 20_000 })
})

afterAll(() => site.stop())

async function probe() {
  const { status, body } = await site.world.service.send('/health/ready')
  return { status, error: body.error, ready: body.ready, missing: body.missing }
}

const complete = { status: 200, error: null, ready: true, missing: [] }
const cut: Rule = () => ({ kind: 'cut' })

test('a service whose adapter is away says so and stays ready, with one request for many probes', async () => {
  site.toAdapter.rule = cut
  expect(await probe()).toEqual(complete)
  await eventually(async () => ((await probe()).missing as object[]).length > 0)
  const probes = await Promise.all(Array.from({ length: 50 }, probe))
  const missing = [{ name: 'hardware', reason: 'LOCKERFLOW_HARDWARE_URL: the adapter could not be reached' }]
  for (const each of probes) expect(each).toEqual({ ...complete, missing })
  expect(site.toAdapter.passings.map(({ path }) => path)).toEqual(['/state'])

  // Bookings need no adapter, and an opening is a contact.
  const letter = site.lettersIn(await site.run('Issue', { PupUid: 'shared' }))
  site.toAdapter.rule = () => pass
  expect((await site.run(`unlock DropOff ${letter}`)).body.error).toBeNull()
  expect(await probe()).toEqual(complete)
  const { lines } = site.world.service
  const away = lines.filter(({ logId }) => logId === 'adapter-unavailable')
  expect(away).toMatchObject([{ level: 40, msg: 'hardware adapter unavailable' }])
  expect(JSON.stringify(away)).not.toContain(hardwareKey)
})

/** The readiness of one adapter behind the wire, at a clock that the test sets. */
function startHealth(adapter: Partial<HardwareAdapter> = {}) {
  const time = { now: 0 }
  const clock = () => time.now
  const adapters = [
    { name: undefined, url: site.toAdapter.address, keys: [hardwareKey], pickUpPoints: undefined, ...adapter },
  ]
  const contacts = createContacts({ warn: () => undefined, info: () => undefined }, clock)
  const client = createAdapterClient({ adapters, contacts, clock: Date.now })
  onTestFinished(() => client.close())
  const { store } = site.world.service
  const health = createAdapterHealth({ store, adapters, client, contacts, clock, contactLifetime: 1_000 })
  return {
    time,
    /** The result of a check that this call starts, if the last contact is too old. */
    async checked() {
      health.missing()
      await health.stop()
      return health.missing().map(({ reason }) => reason)
    },
  }
}

test('a contact is checked again when it is too old, and not before', async () => {
  const { time, checked } = startHealth()
  const before = site.toAdapter.passings.length
  const requests = () => site.toAdapter.passings.length - before
  site.toAdapter.rule = cut
  expect(await checked()).toHaveLength(1)
  site.toAdapter.rule = () => pass
  time.now = 999
  expect(await checked()).toHaveLength(1)
  expect(requests()).toBe(1)
  time.now = 1_000
  expect(await checked()).toEqual([])
  expect(requests()).toBe(2)
})

const otherKey: Rule = () => ({
  kind: 'rewrite',
  change: answer => answer,
  headers: (headers, body) =>
    signed(body, { keys: ['another-key-of-an-adapter'], id: String(headers['webhook-id']) }).headers,
})

test.each<[string, Rule, RegExp | undefined]>([
  ['a proxy without the adapter', () => ({ kind: 'status', status: 503 }), /: the adapter responded with 503$/],
  ['the wrong key', () => ({ kind: 'status', status: 401 }), /: the adapter refused the request with 401$/],
  ['a server with another key', otherKey, /: the response of the adapter is not signed for the request/],
  ['an adapter that lacks this door', () => ({ kind: 'status', status: 404 }), undefined],
  ['an adapter that works', () => pass, undefined],
])('%s', async (_name, rule, expected) => {
  site.toAdapter.rule = rule
  const reasons = await startHealth().checked()
  expect(reasons).toEqual(expected === undefined ? [] : [expect.stringMatching(expected)])
})

test('an adapter with a name is checked at its own doors, and its name is not published', async () => {
  site.toAdapter.rule = cut
  const before = site.toAdapter.passings.length
  const reasons = await startHealth({ name: 'site-a', pickUpPoints: ['shared'] }).checked()
  expect(reasons).toEqual(['LOCKERFLOW_HARDWARE_ADAPTERS: the adapter could not be reached'])
  expect(site.toAdapter.passings.slice(before).map(({ body }) => JSON.parse(body).pupUid)).toEqual(['shared'])
})
