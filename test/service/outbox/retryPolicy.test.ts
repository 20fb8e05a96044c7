import { describe, expect, test } from 'vitest'
import { defaultDelivery, readRetryAfter, retryDelay } from '../../../service/outbox/retryPolicy.ts'

const hour = 3_600_000

describe('the wait after a failed delivery', () => {
  test.each([
    { failures: 1, retryAfter: undefined, wait: 1_000 },
    { failures: 2, retryAfter: undefined, wait: 2_000 },
    { failures: 5, retryAfter: undefined, wait: 16_000 },
    { failures: 12, retryAfter: undefined, wait: 2_048_000 },
    { failures: 13, retryAfter: undefined, wait: hour },
    { failures: 5_000, retryAfter: undefined, wait: hour },
    { failures: 1, retryAfter: 120_000, wait: 120_000 },
    { failures: 5, retryAfter: 1_000, wait: 16_000 },
    { failures: 1, retryAfter: 2 * hour, wait: 2 * hour },
    { failures: 1, retryAfter: 1_000 * hour, wait: 24 * hour },
  ])('number $failures, Retry-After $retryAfter: $wait ms', ({ failures, retryAfter, wait }) => {
    expect(retryDelay(defaultDelivery, failures, retryAfter, () => 0.5)).toBe(wait)
  })

  test('varies by a fifth, but never above the maximum', () => {
    expect(retryDelay(defaultDelivery, 1, undefined, () => 0)).toBe(800)
    expect(retryDelay(defaultDelivery, 1, undefined, () => 1)).toBe(1_200)
    expect(retryDelay(defaultDelivery, 100, undefined, () => 1)).toBe(hour)
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  test.each([
    { header: '0', wait: 0 },
    { header: '120', wait: 120_000 },
    { header: 'Fri, 20 Nov 2026 12:01:00 GMT', wait: 60_000 },
    { header: 'Fri, 20 Nov 2026 11:00:00 GMT', wait: 0 },
    { header: 'soon', wait: undefined },
    { header: undefined, wait: undefined },
    { header: ['120'], wait: undefined },
  ])('$header is $wait ms', ({ header, wait }) => {
    expect(readRetryAfter(header, now)).toBe(wait)
  })
})
