import { describe, expect, test } from 'vitest'
import { createRateLimiter } from '#platform/limits'

const limit = { burst: 3, interval: 1_000 }

/** A limiter whose clock the test moves. */
function limiterAt(maxSize?: number) {
  const time = { now: 0 }
  return { time, limiter: createRateLimiter(limit, () => time.now, maxSize) }
}

describe('the rate limit of a key', () => {
  test('allows a burst, then one use per interval', () => {
    const { time, limiter } = limiterAt()
    expect(Array.from({ length: 4 }, () => limiter.take('a'))).toEqual([0, 0, 0, 1_000])
    time.now = 999
    expect(limiter.take('a')).toBe(1)
    time.now = 1_000
    expect([limiter.take('a'), limiter.take('a')]).toEqual([0, 1_000])
  })

  test('is full again after a rest, and no fuller', () => {
    const { time, limiter } = limiterAt()
    for (let times = 0; times < 3; times++) limiter.take('a')
    time.now = 1_000_000
    expect(Array.from({ length: 4 }, () => limiter.take('a'))).toEqual([0, 0, 0, 1_000])
  })

  test('is its own, and a use that one key refuses takes nothing of the other', () => {
    const { limiter } = limiterAt()
    for (let times = 0; times < 3; times++) limiter.take('a')
    for (let times = 0; times < 5; times++) expect(limiter.take('a', 'b')).toBe(1_000)
    expect(Array.from({ length: 4 }, () => limiter.take('b'))).toEqual([0, 0, 0, 1_000])
  })

  test('is forgotten when too many others were used since', () => {
    const { limiter } = limiterAt(2)
    for (let times = 0; times < 3; times++) limiter.take('a')
    expect([limiter.take('b'), limiter.take('a'), limiter.take('c'), limiter.take('a')]).toEqual([0, 1_000, 0, 0])
  })

  test('is kept while it is used, though it is the oldest', () => {
    const { limiter } = limiterAt(2)
    for (const key of ['a', 'b', 'a', 'c']) limiter.take(key)
    expect([limiter.take('a'), limiter.take('a')]).toEqual([0, 1_000])
  })
})

describe('uses beyond the limit', () => {
  test('are a debt, which time pays off', () => {
    const { time, limiter } = limiterAt()
    limiter.spend('a', 5)
    expect([limiter.left('a'), limiter.take('a')]).toEqual([-2, 3_000])
    time.now = 2_000
    expect(limiter.left('a')).toBe(0)
    time.now = 3_000
    expect(limiter.take('a')).toBe(0)
  })
})

test('a clock that is set back drains no bucket', () => {
  const { time, limiter } = limiterAt()
  time.now = 1_000_000
  limiter.take('a')
  time.now = 0
  expect(limiter.left('a')).toBe(2)
  time.now = 1_000
  expect(limiter.left('a')).toBe(3)
})

test('a rate whose interval is a fraction allows its whole burst', () => {
  const limiter = createRateLimiter({ burst: 600, interval: 1_000 / 300 }, () => 1_790_000_000_000)
  expect(Array.from({ length: 600 }, () => limiter.take('a')).filter(wait => wait > 0)).toEqual([])
  expect(limiter.take('a')).toBeCloseTo(1_000 / 300)
})
