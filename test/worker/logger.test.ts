import { ApplicationFailure } from '@temporalio/common'
import { DefaultLogger, type LogEntry } from '@temporalio/worker'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from '../../worker/logger.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('20,000 failed attempts of an outage are one line per code and interval', () => {
  const written: LogEntry[] = []
  const logger = createLogger('WARN', new DefaultLogger('WARN', entry => written.push(entry)))
  const failed = (type: string, activityType: string) =>
    logger.warn('Activity failed', { activityType, error: ApplicationFailure.create({ type, message: 'away' }) })
  for (let second = 0; second < 48; second++) {
    for (let times = 0; times < 420; times++) failed('ServiceUnreachable', 'bookShipments')
    failed('SignInFailed', 'bookShipments')
    failed('ServiceUnreachable', 'readShipments')
    vi.advanceTimersByTime(1_000)
  }
  vi.advanceTimersByTime(10_000)
  expect(written.length).toBeLessThanOrEqual(3 * 6)
  const suppressed = written.map(({ meta }) => Number(meta?.suppressed ?? 0))
  expect(suppressed.reduce((sum, count) => sum + count, written.length)).toBe(48 * 422)
})
