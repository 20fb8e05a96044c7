import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DoorEvent } from '#contract'
import type { HardwareAdapter } from '#service'
import { countDoorStates } from '../../../service/hardware/index.ts'
import { createLockerRegistry } from '../../../service/outOfService/index.ts'
import { eventOf, hardwareKey, previousHardwareKey, signed } from '../../support/hardware/messages.ts'
import { openSite, type Site } from '../../support/service/site.ts'

const url = 'http://127.0.0.1:9'
const northKey = 'key-of-the-adapter-in-the-north'
const adapters: readonly HardwareAdapter[] = [
  { name: undefined, url, keys: [hardwareKey, previousHardwareKey], pickUpPoints: undefined },
  { name: 'north', url, keys: [northKey], pickUpPoints: ['reserve'] },
]

let site: Site
/** Grows, so that the events of each test are new. */
let sequence = 1_000

beforeAll(async () => {
  // Slower than any machine, so that the limit stays reached.
  site = await openSite({ hardwareAdapters: adapters, hardwareEventRate: { perSecond: 0.01, burst: 150 } })
})

afterAll(() => site.stop())

beforeEach(() => {
  sequence += 1_000
})

const text = (fields: Partial<DoorEvent> = {}) => JSON.stringify(eventOf({ sequence, ...fields }))

async function post(request: RequestInit, path = '/hardware/events') {
  const { status, body } = await site.world.service.send(path, request)
  return { status, error: body.error }
}

const send = (fields: Partial<DoorEvent> = {}) => post(signed(text(fields)))

async function read(lockerUid = 'square:S1') {
  const { store } = site.world.service
  return store.selectFrom('locker_doors').selectAll().where('locker_uid', '=', lockerUid).executeTakeFirst()
}

const lines = (msg: string) => site.world.service.lines.filter(line => line.msg === msg)
const accepted = { status: 200, error: null }

describe('an event is recorded as the state of the door', () => {
  test.each([
    ['opened', 'open'],
    ['closed', 'closed'],
    ['forced', 'open'],
    ['broken', 'broken'],
    ['offline', 'offline'],
    ['unknown', 'unknown'],
  ] as const)('%s', async (event, state) => {
    expect(await send({ event, reason: 'Words of the adapter.' })).toEqual(accepted)
    expect(await read()).toMatchObject({ state, sequence, reason: 'Words of the adapter.' })
  })

  test('and counted by state', async () => {
    const { store } = site.world.service
    await send({ event: 'unknown', lockerUid: 'square:L1' })
    const before = await countDoorStates(store)
    sequence++
    await send({ event: 'offline', lockerUid: 'square:L1' })
    const after = await countDoorStates(store)
    const changeOf = (state: string) => (after.get(state) ?? 0) - (before.get(state) ?? 0)
    expect([changeOf('unknown'), changeOf('offline'), changeOf('closed')]).toEqual([-1, 1, 0])
  })

  test('and changes no shipment', async () => {
    await site.run('Issue', { LockerUid: 'square:M1' })
    const before = await site.read('a')
    await site.callbacks()
    for (const event of ['opened', 'forced', 'closed', 'offline', 'unknown'] as const) {
      sequence++
      expect(await send({ event, lockerUid: 'square:M1' })).toEqual(accepted)
    }
    expect(await site.read('a')).toEqual(before)
    expect(await site.callbacks()).toEqual([])
  })

  test.each([
    ['forced', 'locker door forced'],
    ['broken', 'locker door broken'],
    ['offline', 'locker door offline'],
  ] as const)('%s is logged', async (event, msg) => {
    await send({ event, lockerUid: 'square:S2' })
    expect(lines(msg).at(-1)).toMatchObject({ level: 40, pupUid: 'square' })
  })
})

describe('a locker whose door is broken', () => {
  const broken = { event: 'broken', pupUid: 'shared', lockerUid: 'shared:7' } as const
  const book = () => site.run('Issue', { PupUid: 'shared', LockerUid: 'shared:7' })

  test('is taken out of service, with its bookings left alone', async () => {
    const letter = site.lettersIn(await book())
    expect(await send(broken)).toEqual(accepted)
    const { outOfService, stateCode } = await site.read(letter)
    expect({ reason: outOfService?.reason, stateCode }).toEqual({
      reason: 'The door does not work.',
      stateCode: 'ReadyForDropOff',
    })
    const { store } = site.world.service
    const entries = store
      .selectFrom('audit_log')
      .select(['actor', 'subject'])
      .where('action', '=', 'locker.outOfService')
    expect(await entries.where('subject', '=', 'shared:7').execute()).toEqual([
      { actor: 'service', subject: 'shared:7' },
    ])
    await site.run(`cancel ${letter}`)
    expect((await book()).body.error).toBe('LockerOutOfService')
  })

  test('stays out of service when its door closes, until an operator returns it', async () => {
    expect(await send({ ...broken, event: 'closed' })).toEqual(accepted)
    expect((await book()).body.error).toBe('LockerOutOfService')
    await createLockerRegistry(site.world.service.store, Date.now).returnToService({
      pupUid: 'shared',
      lockerName: '7',
    })
    expect((await book()).body.error).toBeNull()
  })

  test('has the reason of an operator, if there is one', async () => {
    const registry = createLockerRegistry(site.world.service.store, Date.now)
    await registry.takeOutOfService({ pupUid: 'shared', lockerName: '8' }, 'Painted.')
    expect(await send({ ...broken, lockerUid: 'shared:8' })).toEqual(accepted)
    const [point] = await registry.list('shared')
    expect(JSON.stringify(point)).toContain('Painted.')
    expect(await read('shared:8')).toMatchObject({ state: 'broken' })
  })
})

describe('of the events of a door the one with the highest sequence counts', () => {
  test.each([
    ['the same one again', 0],
    ['an earlier one', -1],
  ])('%s is accepted and changes nothing', async (_, earlier) => {
    await send({ event: 'broken' })
    const before = await read()
    const logged = lines('locker door forced').length
    expect(await send({ event: 'forced', sequence: sequence + earlier })).toEqual(accepted)
    expect(await read()).toEqual(before)
    expect(lines('locker door forced')).toHaveLength(logged)
  })

  test('also if many arrive at once', async () => {
    const sequences = Array.from({ length: 20 }, (_, index) => sequence + ((index * 7) % 20))
    const results = await Promise.all(sequences.map(number => send({ sequence: number, reason: String(number) })))
    expect(results).toEqual(sequences.map(() => accepted))
    expect(await read()).toMatchObject({ sequence: sequence + 19, reason: String(sequence + 19) })
  })
})

describe('Unauthorized is an event', () => {
  const now = () => Math.floor(Date.now() / 1_000)
  const without = (name: string) => {
    const request = signed(text())
    delete request.headers[name]
    return request
  }
  const cases: readonly [string, () => RequestInit][] = [
    ['without an id', () => without('webhook-id')],
    ['without a timestamp', () => without('webhook-timestamp')],
    ['without a signature', () => without('webhook-signature')],
    ['with the key of another adapter', () => signed(text(), { keys: [northKey] })],
    ['with a token in place of a signature', () => ({ ...without('webhook-signature') })],
    ['with a changed body', () => ({ ...signed(text()), body: text({ event: 'closed' }) })],
    ['with a blank more', () => ({ ...signed(text()), body: `${text()} ` })],
    ['with another id', () => ({ ...signed(text()), headers: { ...signed(text()).headers, 'webhook-id': 'other' } })],
    ['of twenty minutes ago', () => signed(text(), { timestamp: now() - 1_200 })],
    ['of twenty minutes ahead', () => signed(text(), { timestamp: now() + 1_200 })],
    ['without a body', () => ({ ...signed(text()), body: null })],
  ]
  test.each(cases)('%s', async (_, request) => {
    const before = await read()
    const { status, headers, body } = await site.world.service.send('/hardware/events', request())
    expect({ status, error: body.error }).toEqual({ status: 401, error: 'Unauthorized' })
    expect(headers.get('www-authenticate')).toBe('Webhook-Signature realm="lockerflow"')
    expect(await read()).toEqual(before)
  })

  test('to an adapter that does not exist, in the same words', async () => {
    const known = await site.world.service.send('/hardware/events/north', signed(text()))
    const unknown = await site.world.service.send('/hardware/events/south', signed(text()))
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
    expect(unknown.status).toBe(401)
  })

  test('but not one that an earlier key signed, or a sender whose clock differs by ten minutes', async () => {
    expect(await post(signed(text(), { keys: [previousHardwareKey] }))).toEqual(accepted)
    expect(await post(signed(text(), { keys: ['unknown-key-of-an-adapter', hardwareKey] }))).toEqual(accepted)
    for (const skew of [-600, 600]) expect(await post(signed(text(), { timestamp: now() + skew }))).toEqual(accepted)
  })
})

describe('a signed event is refused', () => {
  test.each([
    ['that is not JSON', '{', 400, 'InvalidRequest'],
    ['that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('latin1'), 400, 'InvalidRequest'],
    ['that is a request of the service', JSON.stringify({ ...eventOf(), type: 'open' }), 400, 'InvalidRequest'],
    ['without a locker', JSON.stringify({ ...eventOf(), lockerUid: undefined }), 400, 'InvalidRequest'],
    ['with an unknown name', JSON.stringify({ ...eventOf(), event: 'melted' }), 400, 'InvalidRequest'],
    ['with NUL', JSON.stringify(eventOf({ reason: '\0' })), 400, 'InvalidRequest'],
    ['with a sequence of 0', JSON.stringify(eventOf({ sequence: 0 })), 400, 'InvalidRequest'],
    ['with a sequence of 2^53', JSON.stringify(eventOf({ sequence: 2 ** 53 })), 400, 'InvalidRequest'],
    ['of 17 KiB', JSON.stringify({ ...eventOf(), more: 'a'.repeat(17 * 1_024) }), 413, 'RequestTooLarge'],
    ['of an unknown locker', JSON.stringify(eventOf({ lockerUid: 'square:S9' })), 200, 'InvalidLocker'],
    ['of a locker at another pick up point', JSON.stringify(eventOf({ pupUid: 'shared' })), 200, 'InvalidLocker'],
    [
      'of a locker of another adapter',
      JSON.stringify(eventOf({ pupUid: 'reserve', lockerUid: 'reserve:R1' })),
      200,
      'InvalidLocker',
    ],
  ])('%s', async (_, body, status, error) => {
    expect(await post(signed(body))).toEqual({ status, error })
  })

  test('of another media type', async () => {
    const request = signed(text())
    request.headers['content-type'] = 'text/plain'
    expect(await post(request)).toEqual({ status: 415, error: 'UnsupportedMediaType' })
  })
})

test('an adapter with a name reports its own doors only', async () => {
  const own = { ...eventOf({ pupUid: 'reserve', lockerUid: 'reserve:R1', sequence }), id: randomUUID() }
  expect(await post(signed(JSON.stringify(own), { keys: [northKey] }), '/hardware/events/north')).toEqual(accepted)
  expect(await post(signed(text(), { keys: [northKey] }), '/hardware/events/north')).toEqual({
    status: 200,
    error: 'InvalidLocker',
  })
})

test('the path allows POST only, and is not one of the tenants', async () => {
  const { status, headers } = await site.world.service.send('/hardware/events')
  expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' })
  const document = await site.world.service.send('/openapi.json')
  expect(document.text).not.toContain('/hardware/')
})

test('the request log has the operation, and nothing of the event', async () => {
  await send({ reason: 'a private reason' })
  const line = lines('request').findLast(({ operation }) => operation === 'hardwareEvent')
  expect(line).toMatchObject({ status: 200 })
  expect(JSON.stringify(lines('request'))).not.toContain('private reason')
})

// The last test, since it empties the bucket of the adapter.
test('an adapter has a limit of its own, which leaves the API and other adapters alone', async () => {
  const statuses = new Set<number>()
  for (let count = 0; count < 300 && !statuses.has(429); count++) statuses.add((await send()).status)
  expect(statuses).toEqual(new Set([200, 429]))
  expect((await send()).error).toBe('RateLimited')
  expect((await site.run('Issue', { PupUid: 'shared' })).body.error).toBeNull()
  const other = JSON.stringify(eventOf({ pupUid: 'reserve', lockerUid: 'reserve:R2', sequence }))
  expect(await post(signed(other, { keys: [northKey] }), '/hardware/events/north')).toEqual(accepted)
})
