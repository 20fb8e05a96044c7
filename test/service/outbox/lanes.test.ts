import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLanes, type Lane } from '../../../service/outbox/lanes.ts'

const settings = { concurrency: 4, slowAfter: 1_000, maximumInFlight: 60, retryRate: 10, maximumRetryRate: 20 }
const fresh = { isRetry: false, onSlow: () => undefined }
const retry = { isRetry: true, onSlow: () => undefined }

function start(overrides: Partial<typeof settings> = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const lanes = createLanes({ ...settings, ...overrides })
  const open = (tenantId: string): Lane =>
    Object.assign(lanes.open(tenantId), { fresh: true, retryAt: Number.POSITIVE_INFINITY })
  return { lanes, open }
}

describe('young deliveries', () => {
  test('are limited, and refilled when half of them have a response', () => {
    const { lanes, open } = start()
    const lane = open('a')
    const ends = Array.from({ length: 4 }, () => lanes.begin(lane, fresh))
    expect(lanes.room(lane, 0).fresh).toBe(0)
    ends[0]?.end(true)
    expect(lanes.room(lane, 0).fresh).toBe(0)
    ends[1]?.respond()
    expect(lanes.room(lane, 0).fresh).toBe(2)
  })

  test('make room for others when they are slow, up to a quarter of all', () => {
    const { lanes, open } = start()
    const lane = open('a')
    let slow = 0
    while (lanes.room(lane, 0).fresh > 0) {
      for (let count = lanes.room(lane, 0).fresh; count > 0; count--)
        lanes.begin(lane, { isRetry: false, onSlow: () => slow++ })
      vi.advanceTimersByTime(settings.slowAfter)
    }
    expect(lane).toMatchObject({ inFlight: 15, young: 0 })
    expect(slow).toBe(15)
    expect(lanes.room(open('b'), 0).fresh).toBe(4)
  })
})

test('each of a thousand tenants gets one of the last deliveries before one gets two', () => {
  const { lanes, open } = start({ maximumInFlight: 1_024 })
  for (let tenant = 0; tenant < 1_000; tenant++) lanes.begin(open(`tenant-${tenant}`), fresh)
  expect(lanes.room(open('late'), 0).fresh).toBeGreaterThan(0)
})

test('a tenant is full until a claim finds fewer messages than it could take', () => {
  const { lanes, open } = start()
  open('a')
  open('b').fresh = false
  expect(lanes.full()).toEqual(['a'])
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

describe('retries', () => {
  test('are limited by a rate while deliveries fail', () => {
    const { lanes, open } = start({ concurrency: 100, maximumInFlight: 10_000 })
    const lane = Object.assign(open('a'), { retryAt: 0 })
    let sent = 0
    const sendAll = (now: number) => {
      while (lanes.room(lane, now).retries > 0) {
        lanes.begin(lane, retry).end(false)
        sent++
      }
    }
    sendAll(0)
    expect(sent).toBe(40)
    expect(lanes.untilNextRetry(0)).toBeCloseTo(100)
    sendAll(1_000)
    expect(sent).toBe(50)
    // New messages are not.
    expect(lanes.room(lane, 1_000).fresh).toBe(100)
  })

  test('are limited for all tenants together', () => {
    const { lanes, open } = start({ concurrency: 100, maximumInFlight: 10_000 })
    for (const tenantId of ['a', 'b', 'c']) {
      const lane = Object.assign(open(tenantId), { retryAt: 0 })
      while (lanes.room(lane, 0).retries > 0) lanes.begin(lane, retry).end(false)
    }
    const lane = Object.assign(open('d'), { retryAt: 0 })
    expect(lanes.room(lane, 0).retries).toBe(0)
    expect(lanes.room(lane, 100).retries).toBe(2)
  })

  test('are free again with each success', () => {
    const { lanes, open } = start({ concurrency: 100, maximumInFlight: 10_000 })
    const lane = Object.assign(open('a'), { retryAt: 0 })
    while (lanes.room(lane, 0).retries > 0) lanes.begin(lane, retry).end(false)
    lanes.begin(lane, fresh).end(true)
    expect(lanes.room(lane, 0).retries).toBe(2)
  })
})

test('a lane without work is forgotten when its budget is full again', () => {
  const { lanes, open } = start()
  const lane = Object.assign(open('a'), { fresh: false })
  lanes.begin(lane, retry).end(false)
  lanes.forgetIdle(0)
  expect(lanes.open('a')).toBe(lane)
  lanes.forgetIdle(1_000)
  expect(lanes.open('a')).not.toBe(lane)
})

describe('a message that is being committed', () => {
  test('counts as a delivery, within the share of its tenant', () => {
    const { lanes, open } = start()
    const lane = Object.assign(open('a'), { fresh: false })
    const releases = Array.from({ length: 16 }, () => lanes.reserve(lane, 0))
    expect(releases.filter(release => release !== undefined)).toHaveLength(15)
    expect(lane).toMatchObject({ inFlight: 15, young: 0 })
    releases[0]?.()
    expect(lanes.reserve(lane, 0)).toBeDefined()
  })

  test('has no place before others of its tenant that are due', () => {
    const { lanes, open } = start()
    expect(lanes.reserve(open('new'), 0)).toBeUndefined()
    expect(lanes.reserve(Object.assign(open('retry'), { fresh: false, retryAt: 7 }), 7)).toBeUndefined()
    expect(lanes.reserve(Object.assign(open('later'), { fresh: false, retryAt: 7 }), 6)).toBeDefined()
  })

  test('is delivered when a delivery is no longer young', () => {
    const { lanes, open } = start()
    const lane = open('a')
    const [first, second] = Array.from({ length: 4 }, () => lanes.begin(lane, fresh))
    const started: string[] = []
    const begin = (name: string) =>
      lanes.beginInTurn(lane, () => {
        started.push(name)
        lanes.begin(lane, fresh)
      })
    begin('one')
    begin('two')
    expect(started).toEqual([])
    first?.respond()
    expect(started).toEqual(['one'])
    first?.end(true)
    expect(started).toEqual(['one'])
    second?.end(false)
    expect(started).toEqual(['one', 'two'])
    expect(lane.young).toBe(4)
  })

  test('is delivered in its turn, though its place is free before', () => {
    const { lanes, open } = start()
    const lane = Object.assign(open('a'), { fresh: false })
    const [first, second] = Array.from({ length: 4 }, () => lanes.begin(lane, fresh))
    const started: string[] = []
    for (const name of ['one', 'two', 'three', 'four']) {
      const release = lanes.reserve(lane, 0)
      lanes.beginInTurn(lane, () => {
        release?.()
        started.push(name)
        lanes.begin(lane, fresh)
      })
    }
    first?.respond()
    expect(started).toEqual(['one'])
    second?.respond()
    expect(started).toEqual(['one', 'two'])
    first?.end(true)
    expect(started).toEqual(['one', 'two'])
    expect(lane).toMatchObject({ young: 4, held: { length: 2 } })
  })

  test('that begins no delivery leaves its turn to the next one', () => {
    const { lanes, open } = start()
    const lane = Object.assign(open('a'), { fresh: false })
    const [first] = Array.from({ length: 4 }, () => lanes.begin(lane, fresh))
    const started: string[] = []
    lanes.beginInTurn(lane, () => void started.push('outdated'))
    lanes.beginInTurn(lane, () => {
      started.push('next')
      lanes.begin(lane, fresh)
    })
    first?.respond()
    expect(started).toEqual(['outdated', 'next'])
  })
})
