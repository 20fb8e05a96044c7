import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, type HeadersOf, pass, type Rule } from '../../../testing/stack/wire.ts'
import { eventually, gate } from '../../support/eventually.ts'
import { type HardwareSite, openHardwareSite } from '../../support/hardware/hardwareSite.ts'
import { eventOf, signed } from '../../support/hardware/messages.ts'
import type { Behaviour } from '../../support/hardware/simulator/doors.ts'

/** Milliseconds; longer than any test needs, except those of openings that get no response. */
const unlockTimeout = 20_000

let site: HardwareSite
let shipment: string
let locker: string

beforeAll(async () => {
  site = await openHardwareSite({ unlockTimeout, lockTimeout: unlockTimeout })
})

afterAll(() => site.stop())

// A shipment in a locker of its own.
beforeEach(async () => {
  site.toAdapter.rule = () => pass
  site.toService.rule = () => pass
  shipment = site.lettersIn(await site.run('Issue', { PupUid: 'shared' }))
  locker = await site.lockerOf(shipment)
})

const unlock = async (from: HardwareSite = site, letter = shipment) => {
  const { status, body } = await from.run(`unlock DropOff ${letter}`)
  return { status, error: body.error }
}
const succeeded = { status: 200, error: null }
const failed = { status: 200, error: 'UnlockFailed' }
const stateOf = async (letter: string) => (await site.read(letter)).stateCode

test('UnlockShipmentLocker opens the door of the adapter, and the state of the door is recorded', async () => {
  expect(await unlock()).toEqual(succeeded)
  expect(await stateOf(shipment)).toBe('ReadyForPickup')
  const { openings, sequence } = await site.door(locker)
  expect(openings).toHaveLength(1)
  const row = await site.recorded(locker)
  expect(row).toMatchObject({ state: 'open', sequence, open_id: openings[0], failed_open_id: null })
  await site.happen(locker, 'closed')
  await site.recorded(locker, ({ state }) => state === 'closed')
  expect(await stateOf(shipment)).toBe('ReadyForPickup')
})

describe('a door that does not open is UnlockFailed, and nothing has changed:', () => {
  test.each<[Behaviour, string]>([
    ['refuse', 'closed'],
    ['stuck', 'broken'],
  ])('the adapter says %s', async (behaviour, state) => {
    // A stuck door reports at once that it is broken, which would take the locker out of service before the request.
    site.toService.rule = () => ({ kind: 'cut' })
    await site.behave(locker, behaviour)
    expect(await unlock()).toEqual(failed)
    site.toService.rule = () => pass
    expect(await stateOf(shipment)).toBe('ReadyForDropOff')
    expect((await site.door(locker)).openings).toEqual([])
    expect(site.lines('locker door failed to open', locker)).toHaveLength(1)
    await site.recorded(locker, row => row.state === state)
    await site.behave(locker, 'normal')
    if (behaviour === 'refuse') expect(await unlock()).toEqual(succeeded)
    else expect((await site.read(shipment)).outOfService).not.toBeNull()
  })

  /** The response of a door that opened. */
  const opened = (answer: Answer) => ({ ...answer, opened: true, state: 'open' })
  const withSignature =
    (headers: HeadersOf): Rule =>
    () => ({ kind: 'rewrite', change: opened, headers })

  const invalid: readonly [string, Rule][] = [
    ['without a signature', withSignature(() => ({}))],
    [
      'signed with another key',
      withSignature((headers, body) => {
        return signed(body, { keys: ['another-key-of-an-adapter'], id: String(headers['webhook-id']) }).headers
      }),
    ],
    ['signed for another request', withSignature((_, body) => signed(body).headers)],
    [
      'signed an hour ago',
      withSignature((headers, body) => {
        const timestamp = Math.floor(Date.now() / 1_000) - 3_600
        return signed(body, { timestamp, id: String(headers['webhook-id']) }).headers
      }),
    ],
    ['another id', () => ({ kind: 'rewrite', change: answer => ({ ...opened(answer), openId: 'another' }) })],
    ['another type', () => ({ kind: 'rewrite', change: answer => ({ ...answer, opened: 'yes' }) })],
    ['no object', () => ({ kind: 'answer', body: [] })],
    ['17 KiB', () => ({ kind: 'rewrite', change: answer => ({ ...opened(answer), more: 'a'.repeat(17 * 1_024) }) })],
    ['a redirect', () => ({ kind: 'status', status: 302, headers: { location: site.simulator.address } })],
    ['401', () => ({ kind: 'status', status: 401 })],
    ['404', () => ({ kind: 'status', status: 404 })],
  ]
  test.each(invalid)('the response is %s', async (_, rule) => {
    await site.behave(locker, 'refuse')
    site.toAdapter.rule = passing => (passing.path === '/open' ? rule(passing) : pass)
    expect(await unlock()).toEqual(failed)
    expect(await stateOf(shipment)).toBe('ReadyForDropOff')
  })
})

test('a state is read after a failed opening, although its event is lost', async () => {
  site.toService.rule = () => ({ kind: 'cut' })
  await site.behave(locker, 'stuck')
  expect(await unlock()).toEqual(failed)
  await site.recorded(locker, ({ state }) => state === 'broken')
  await eventually(() => site.lines('locker door broken', locker).length === 1)
})

test('an event is sent again after 404 of a service without an adapter', async () => {
  site.toService.rule = ({ before }) => (before < 2 ? { kind: 'status', status: 404 } : pass)
  await site.happen(locker, 'forced')
  await site.recorded(locker, ({ state }) => state === 'open')
})

test('a door that reports twice that it is broken, by an event and by its state, has one log line', async () => {
  site.toService.rule = () => ({ kind: 'cut' })
  await site.behave(locker, 'stuck')
  expect(await unlock()).toEqual(failed)
  await eventually(() => site.lines('locker door broken', locker).length === 1)
  site.toService.rule = () => pass
  const { sequence } = await site.door(locker)
  await site.recorded(locker, row => row.state === 'broken' && row.sequence === sequence)
  // The adapter sends an event when the service has responded to the one before.
  await site.happen(locker, 'closed')
  await site.recorded(locker, ({ state }) => state === 'closed')
  expect(site.lines('locker door broken', locker)).toHaveLength(1)
})

test('a response with a valid signature decides, as the checks above need', async () => {
  await site.behave(locker, 'refuse')
  const change = (answer: Answer) => ({ ...answer, opened: true, state: 'open' })
  site.toAdapter.rule = ({ path }) => (path === '/open' ? { kind: 'rewrite', change } : pass)
  expect(await unlock()).toEqual(succeeded)
})

describe('an opening is repeated with its id, and the door opens once:', () => {
  const passing: readonly [string, Rule][] = [
    ['a lost response', ({ before }) => (before === 0 ? { kind: 'loseAnswer' } : pass)],
    ['a cut connection', ({ before }) => (before === 0 ? { kind: 'cut' } : pass)],
    ['503 of a proxy', ({ before }) => (before < 2 ? { kind: 'status', status: 503 } : pass)],
    ['a request that arrives twice', () => ({ kind: 'repeat', times: 2 })],
  ]
  test.each(passing)('%s', async (_, rule) => {
    const sent = site.toAdapter.passings.length
    site.toAdapter.rule = ({ path, ...rest }) =>
      path === '/open' ? rule({ path, ...rest, before: site.toAdapter.passings.length - sent - 1 }) : pass
    expect(await unlock()).toEqual(succeeded)
    expect((await site.door(locker)).openings).toHaveLength(1)
  })

  test('an adapter that cuts its own response', async () => {
    await site.behave(locker, 'loseResponse')
    expect(await unlock()).toEqual(succeeded)
    expect((await site.door(locker)).openings).toHaveLength(1)
  })
})

describe('an opening without a success is settled by its event:', () => {
  /** Starts an opening whose request waits on the wire, so that the test can act first. */
  async function startWaiting() {
    const { opened, open } = gate()
    await site.behave(locker, 'refuse')
    site.toAdapter.rule = ({ path }) => (path === '/open' ? { kind: 'arriveLater', until: opened } : pass)
    const unlocking = unlock()
    const { body } = await eventually(() => site.toAdapter.passings.find(passing => passing.body.includes(locker)))
    return { unlocking, openId: String(JSON.parse(body).openId), arrive: open }
  }

  const send = async (openId: string) => {
    const event = eventOf({ pupUid: 'shared', lockerUid: locker, sequence: Date.now(), openId })
    return (await site.world.service.send('/hardware/events', signed(JSON.stringify(event)))).status
  }

  test('an event in time makes it a success', async () => {
    const { unlocking, openId, arrive } = await startWaiting()
    expect(await send(openId)).toBe(200)
    arrive()
    expect(await unlocking).toEqual(succeeded)
    expect(await stateOf(shipment)).toBe('ReadyForPickup')
  })

  test('a later event changes no shipment, and is logged', async () => {
    const { unlocking, openId, arrive } = await startWaiting()
    arrive()
    expect(await unlocking).toEqual(failed)
    expect(await send(openId)).toBe(200)
    expect(site.lines('locker door opened late', locker)).toMatchObject([{ openId }])
    expect(await stateOf(shipment)).toBe('ReadyForDropOff')
  })
})

test('the event of another opening settles nothing', async () => {
  expect(await unlock()).toEqual(succeeded)
  await site.recorded(locker, ({ open_id }) => open_id !== null)
  await site.behave(locker, 'refuse')
  const { body } = await site.run(`unlock PickUp ${shipment}`)
  expect(body.error).toBe('UnlockFailed')
  expect(await stateOf(shipment)).toBe('ReadyForPickup')
})

describe('within the time limit', () => {
  let hasty: HardwareSite

  beforeAll(async () => {
    hasty = await openHardwareSite({ unlockTimeout: 2_000 })
  })

  afterAll(() => hasty.stop())

  test.each<[Behaviour, number]>([
    ['hang', 0],
    ['slow', 6_000],
    ['offline', 0],
  ])('no success of a door that is made to %s is UnlockFailed', async (behaviour, delayMs) => {
    // On a machine that stands still for the whole time limit, the service sends no request.
    for (let sent: string | undefined; sent === undefined; ) {
      const letter = hasty.lettersIn(await hasty.run('Issue', { PupUid: 'shared' }))
      const uid = await hasty.lockerOf(letter)
      await hasty.behave(uid, behaviour, delayMs)
      expect(await unlock(hasty, letter)).toEqual(failed)
      expect((await hasty.read(letter)).stateCode).toBe('ReadyForDropOff')
      expect(hasty.lines('locker door failed to open', uid)).toMatchObject([{ timedOut: true }])
      sent = hasty.toAdapter.passings.find(passing => passing.body.includes(`"${uid}"`))?.body
      if (sent !== undefined) expect(JSON.parse(sent).validForMs).toBeLessThanOrEqual(2_000)
    }
  })
})

// The last test, since the clock cannot be set back.
test('clocks may differ by ten minutes, and not by twenty', async () => {
  const tenMinutes = 600_000
  site.world.service.advance(tenMinutes)
  expect(await unlock()).toEqual(succeeded)
  await site.recorded(locker, ({ state }) => state === 'open')
  site.world.service.advance(tenMinutes)
  expect((await site.run(`unlock PickUp ${shipment}`)).body.error).toBe('UnlockFailed')
  expect(site.lines('locker door failed to open', locker)).toMatchObject([
    { err: { message: 'the adapter refused the request with 401' } },
  ])
})
