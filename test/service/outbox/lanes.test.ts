import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Lane } from '../../../service/outbox/lane.ts'
import { createLanes, type Lanes } from '../../../service/outbox/lanes.ts'

const settings = { concurrency: 4, slowAfter: 1_000, maximumInFlight: 60 }
const fresh = { isRetry: false, onSlow: () => undefined }
const retry = { isRetry: true, onSlow: () => undefined }

function start(overrides: Partial<typeof settings> = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const lanes = createLanes({ ...settings, ...overrides })
  const open = (tenantId: string): Lane =>
    Object.assign(lanes.open(tenantId), { mayHaveNewMessages: true, retryAt: Number.POSITIVE_INFINITY })
  return { lanes, open }
}

/** A first delivery that begins and ends. */
function deliver(lanes: Lanes, lane: Lane, delivered: boolean): void {
  const counted = lanes.begin(lane, fresh)
  counted.respond(delivered)
  counted.end()
}
const succeed = (lanes: Lanes, lane: Lane) => deliver(lanes, lane, true)
const fail = (lanes: Lanes, lane: Lane) => deliver(lanes, lane, false)

describe('young deliveries', () => {
  test('are limited, and refilled when half of them have a response', () => {
    const { lanes, open } = start()
    const lane = open('a')
    const ends = Array.from({ length: 4 }, () => lanes.begin(lane, fresh))
    expect(lanes.allowance(lane, 0).fresh).toBe(0)
    ends[0]?.end()
    expect(lanes.allowance(lane, 0).fresh).toBe(0)
    ends[1]?.respond(true)
    expect(lanes.allowance(lane, 0).fresh).toBe(2)
  })

  test('make room for others when they are slow, up to a quarter of all', () => {
    const { lanes, open } = start()
    const lane = open('a')
    let slow = 0
    while (lanes.allowance(lane, 0).fresh > 0) {
      for (let count = lanes.allowance(lane, 0).fresh; count > 0; count--)
        lanes.begin(lane, { isRetry: false, onSlow: () => slow++ })
      vi.advanceTimersByTime(settings.slowAfter)
    }
    expect(lane).toMatchObject({ inFlight: 15, young: 0 })
    expect(slow).toBe(15)
    expect(lanes.allowance(open('b'), 0).fresh).toBe(4)
  })
})

test('a delivery that ends in time is not slow afterwards', () => {
  const { lanes, open } = start()
  const lane = open('a')
  let slow = 0
  const [one, other] = [1, 2].map(() => lanes.begin(lane, { isRetry: false, onSlow: () => slow++ }))
  one?.respond(true)
  other?.end()
  vi.advanceTimersByTime(settings.slowAfter)
  expect({ slow, young: lane.young }).toEqual({ slow: 0, young: 0 })
})

test('each of a thousand tenants gets one of the last deliveries before one gets two', () => {
  const { lanes, open } = start({ maximumInFlight: 1_024 })
  for (let tenant = 0; tenant < 1_000; tenant++) lanes.begin(open(`tenant-${tenant}`), fresh)
  expect(lanes.allowance(open('late'), 0).fresh).toBeGreaterThan(0)
})

test('a tenant is full until a claim finds fewer messages than it could take', () => {
  const { lanes, open } = start()
  open('a')
  open('b').mayHaveNewMessages = false
  expect(lanes.full()).toEqual(['a'])
})

test('a tenant that is woken may have new messages', () => {
  const { lanes } = start()
  const woken = new Set(['a'])
  expect(lanes.next(1, 0, woken)).toMatchObject([
    { lane: { tenantId: 'a', mayHaveNewMessages: true, enqueueCount: 1 } },
  ])
  expect([...woken]).toEqual([])
})

const later = Number.POSITIVE_INFINITY
const failing = { failuresInRow: 40 }

describe('a lane claims', () => {
  test.each<[string, boolean, Partial<Lane>]>([
    ['new messages', true, { mayHaveNewMessages: true, retryAt: later }],
    ['a retry that is due', true, { mayHaveNewMessages: false, retryAt: 5 }],
    ['no retry a millisecond before', false, { mayHaveNewMessages: false, retryAt: 6 }],
    ['nothing without either', false, { mayHaveNewMessages: false, retryAt: later }],
    ['nothing while it is paused', false, { retryAt: 5, ...failing, pausedUntil: 6 }],
    ['again when its pause ends', true, { retryAt: 5, ...failing, pausedUntil: 5 }],
    ['at once after a success', true, { retryAt: later, failuresInRow: 0, pausedUntil: 6 }],
  ])('%s', (_, claims, state) => {
    const { lanes, open } = start()
    const lane = Object.assign(open('a'), state)
    expect(lanes.next(2, 5, new Set()).map(claim => claim.lane)).toEqual(claims ? [lane] : [])
  })
})

test('the next claim is that of the earliest retry that is not due', () => {
  const { lanes, open } = start()
  for (const retryAt of [500, 700, 50]) Object.assign(open(String(retryAt)), { retryAt })
  expect(lanes.untilNextClaim(200)).toBe(300)
})

test.each<[string, Partial<Lane>]>([
  ['new messages', {}],
  ['a retry that is due', { mayHaveNewMessages: false, retryAt: 5 }],
])('a paused lane with %s claims when its pause ends', (_, state) => {
  const { lanes, open } = start()
  Object.assign(open('a'), { ...state, ...failing, pausedUntil: 105 })
  expect(lanes.untilNextClaim(5)).toBe(100)
})

test('lanes claim in turns', () => {
  const { lanes, open } = start()
  for (const tenantId of ['a', 'b', 'c']) open(tenantId)
  const turn = () => lanes.next(2, 0, new Set()).map(({ lane }) => lane.tenantId)
  expect([turn(), turn(), turn()]).toEqual([
    ['a', 'b'],
    ['c', 'a'],
    ['b', 'c'],
  ])
})

test('retries in flight of one tenant leave most of the places to new messages', () => {
  const { lanes, open } = start({ concurrency: 100 })
  const lane = Object.assign(open('a'), { retryAt: 0 })
  const counted = []
  while (lanes.allowance(lane, 0).retries > 0) counted.push(lanes.begin(lane, retry))
  expect(lane).toMatchObject({ inFlight: 8, retries: 8 })
  expect(lanes.allowance(lane, 0).fresh).toBeGreaterThan(0)
  counted[0]?.end()
  expect(lane).toMatchObject({ inFlight: 7, retries: 7 })
})

describe('a lane whose last forty deliveries failed', () => {
  const startFailing = () => {
    const { lanes, open } = start({ concurrency: 100, maximumInFlight: 10_000 })
    const lane = open('a')
    for (let count = 0; count < 39; count++) fail(lanes, lane)
    expect(lanes.allowance(lane, 0).fresh).toBe(100)
    fail(lanes, lane)
    return { lanes, lane }
  }

  test('claims five messages each half a second', () => {
    const { lanes, lane } = startFailing()
    expect(lanes.next(1, 0, new Set())).toMatchObject([{ lane, allowance: { all: 5, fresh: 5 } }])
    expect(lanes.next(1, 499, new Set())).toEqual([])
    expect(lanes.next(1, 500, new Set())).toMatchObject([{ lane, allowance: { all: 5, fresh: 5 } }])
  })

  test('claims retries that are due before new messages', () => {
    const { lanes, lane } = startFailing()
    lane.retryAt = 5
    expect(lanes.allowance(lane, 4)).toEqual({ all: 5, fresh: 5, retries: 0 })
    expect(lanes.allowance(lane, 5)).toEqual({ all: 5, fresh: 0, retries: 5 })
  })

  test('claims all that it may after one success', () => {
    const { lanes, lane } = startFailing()
    lanes.next(1, 0, new Set())
    succeed(lanes, lane)
    expect(lanes.allowance(lane, 0).fresh).toBe(100)
  })
})

test('a lane without work is forgotten', () => {
  const { lanes, open } = start()
  const lane = Object.assign(open('a'), { mayHaveNewMessages: false })
  lanes.forgetIdle()
  expect(lanes.open('a')).not.toBe(lane)
})

test.each<[string, Partial<Lane>]>([
  ['a delivery', { inFlight: 1 }],
  ['new messages', { mayHaveNewMessages: true }],
  ['a retry', { retryAt: 1 }],
])('a lane with %s is kept', (_, state) => {
  const { lanes, open } = start()
  const lane = Object.assign(open('a'), { mayHaveNewMessages: false, ...state })
  lanes.forgetIdle()
  expect(lanes.open('a')).toBe(lane)
})

describe('a message that is being committed', () => {
  test('counts as a delivery, within the share of its tenant', () => {
    const { lanes, open } = start()
    const lane = Object.assign(open('a'), { mayHaveNewMessages: false })
    const releases = Array.from({ length: 16 }, () => lanes.reserve(lane, 0))
    expect(releases.filter(release => release !== undefined)).toHaveLength(15)
    expect(lane).toMatchObject({ inFlight: 15, young: 0, retries: 0 })
    releases[0]?.()
    expect(lane).toMatchObject({ inFlight: 14, young: 0, retries: 0 })
    expect(lanes.reserve(lane, 0)).toBeDefined()
  })

  test('has no place before others of its tenant that are due', () => {
    const { lanes, open } = start()
    expect(lanes.reserve(open('new'), 0)).toBeUndefined()
    expect(lanes.reserve(Object.assign(open('retry'), { mayHaveNewMessages: false, retryAt: 7 }), 7)).toBeUndefined()
    expect(lanes.reserve(Object.assign(open('later'), { mayHaveNewMessages: false, retryAt: 7 }), 6)).toBeDefined()
  })

  test('has no place while the receiver fails', () => {
    const { lanes, open } = start()
    const lane = Object.assign(open('a'), { mayHaveNewMessages: false, ...failing })
    expect(lanes.reserve(lane, 0)).toBeUndefined()
    succeed(lanes, lane)
    expect(lanes.reserve(lane, 0)).toBeDefined()
  })

  test('is delivered when a delivery is no longer young', () => {
    const { lanes, open } = start()
    const lane = open('a')
    const [first, second] = Array.from({ length: 4 }, () => lanes.begin(lane, fresh))
    const started: string[] = []
    const begin = (name: string) =>
      lanes.startOrPostpone(lane, () => {
        started.push(name)
        lanes.begin(lane, fresh)
      })
    begin('one')
    begin('two')
    expect(started).toEqual([])
    first?.respond(true)
    expect(started).toEqual(['one'])
    first?.end()
    expect(started).toEqual(['one'])
    second?.end()
    expect(started).toEqual(['one', 'two'])
    expect(lane.young).toBe(4)
  })

  test('is delivered in its turn, though its place is free before', () => {
    const { lanes, open } = start()
    const lane = Object.assign(open('a'), { mayHaveNewMessages: false })
    const [first, second] = Array.from({ length: 4 }, () => lanes.begin(lane, fresh))
    const started: string[] = []
    for (const name of ['one', 'two', 'three', 'four']) {
      const release = lanes.reserve(lane, 0)
      lanes.startOrPostpone(lane, () => {
        release?.()
        started.push(name)
        lanes.begin(lane, fresh)
      })
    }
    first?.respond(true)
    expect(started).toEqual(['one'])
    second?.respond(true)
    expect(started).toEqual(['one', 'two'])
    first?.end()
    expect(started).toEqual(['one', 'two'])
    expect(lane).toMatchObject({ young: 4, postponedStarts: { length: 2 } })
  })

  test('that begins no delivery leaves its turn to the next one', () => {
    const { lanes, open } = start()
    const lane = Object.assign(open('a'), { mayHaveNewMessages: false })
    const [first] = Array.from({ length: 4 }, () => lanes.begin(lane, fresh))
    const started: string[] = []
    lanes.startOrPostpone(lane, () => void started.push('outdated'))
    lanes.startOrPostpone(lane, () => {
      started.push('next')
      lanes.begin(lane, fresh)
    })
    first?.respond(true)
    expect(started).toEqual(['outdated', 'next'])
  })
})
