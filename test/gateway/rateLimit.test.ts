import { describe, expect, test } from 'vitest'
import { createRateLimiter } from '../../gateway/rateLimit.ts'

const limit = { burst: 3, interval: 1_000 }

/** A limiter whose clock the test moves. */
function limiterAt(maxSize?: number) {
  const time = { now: 0 }
  return { time, limiter: createRateLimiter(limit, () => time.now, maxSize) }
}

describe('the rate limit of a key', () => {
  test('allows a burst, then one use per interval', () => {
    const { time, limiter } = limiterAt()
    expect(Array.from({ length: 4 }, () => limiter.take(['a']))).toEqual([0, 0, 0, 1_000])
    time.now = 999
    expect(limiter.take(['a'])).toBe(1)
    time.now = 1_000
    expect([limiter.take(['a']), limiter.take(['a'])]).toEqual([0, 1_000])
  })

  test('is full again after a rest, and no fuller', () => {
    const { time, limiter } = limiterAt()
    for (let times = 0; times < 3; times++) limiter.take(['a'])
    time.now = 1_000_000
    expect(Array.from({ length: 4 }, () => limiter.take(['a']))).toEqual([0, 0, 0, 1_000])
  })

  test('is its own, and a use that one key refuses takes nothing of the other', () => {
    const { limiter } = limiterAt()
    for (let times = 0; times < 3; times++) limiter.take(['a'])
    for (let times = 0; times < 5; times++) expect(limiter.take(['a', 'b'])).toBe(1_000)
    expect(Array.from({ length: 4 }, () => limiter.take(['b']))).toEqual([0, 0, 0, 1_000])
  })

  test('is forgotten when too many others were used since', () => {
    const { limiter } = limiterAt(2)
    for (let times = 0; times < 3; times++) limiter.take(['a'])
    expect([limiter.take(['b']), limiter.take(['a']), limiter.take(['c']), limiter.take(['a'])]).toEqual([
      0, 1_000, 0, 0,
    ])
  })

  test('is kept while it is used, though it is the oldest', () => {
    const { limiter } = limiterAt(2)
    for (const key of ['a', 'b', 'a', 'c']) limiter.take([key])
    expect([limiter.take(['a']), limiter.take(['a'])]).toEqual([0, 1_000])
  })
})
