import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogThrottle } from '#platform/logs'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const interval = 1_000

function createLines() {
  const throttled = createLogThrottle(interval)
  const lines: [string, number | undefined][] = []
  return { lines, log: (code: string, text = code) => throttled(code, suppressed => lines.push([text, suppressed])) }
}

test('a code is logged at once, then once per interval with the number of the lines left out', () => {
  const { lines, log } = createLines()
  for (const text of ['1', '2', '3', '4']) log('a', text)
  expect(lines).toEqual([['1', undefined]])
  vi.advanceTimersByTime(interval)
  expect(lines.slice(1)).toEqual([['4', 2]])
  log('a', '5')
  vi.advanceTimersByTime(interval)
  expect(lines.slice(2)).toEqual([['5', undefined]])
})

test('a code that was silent for an interval is logged at once', () => {
  const { lines, log } = createLines()
  log('a')
  vi.advanceTimersByTime(interval)
  log('a')
  expect(lines).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(1)
})

test('codes do not suppress each other', () => {
  const { lines, log } = createLines()
  for (const code of ['a', 'b', 'a', 'b']) log(code)
  expect(lines.map(([text]) => text)).toEqual(['a', 'b'])
})

test('20,000 different codes in an interval are about a hundred lines', () => {
  const { lines, log } = createLines()
  for (let index = 0; index < 20_000; index++) log(`code ${index}`)
  expect(lines).toHaveLength(101)
  vi.advanceTimersByTime(interval)
  expect(lines.at(-1)).toEqual(['code 19999', 19_898])
})
