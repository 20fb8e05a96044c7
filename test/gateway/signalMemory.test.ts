import { describe, expect, test } from 'vitest'
import { createSignalBudget } from '../../gateway/signalLimit.ts'
import { createSignalledMessages } from '../../gateway/signalledMessages.ts'

const limit = { burst: 3, interval: 1_000 }

/** A budget whose clock the test moves. */
function budgetAt(maxSize?: number) {
  const time = { now: 0 }
  return { time, budget: createSignalBudget(limit, () => time.now, maxSize) }
}

describe('the budget of a key', () => {
  test('allows a burst, then one signal per interval', () => {
    const { time, budget } = budgetAt()
    expect(Array.from({ length: 4 }, () => budget.take(['a']))).toEqual([0, 0, 0, 1_000])
    time.now = 999
    expect(budget.take(['a'])).toBe(1)
    time.now = 1_000
    expect([budget.take(['a']), budget.take(['a'])]).toEqual([0, 1_000])
  })

  test('is full again after a rest, and no fuller', () => {
    const { time, budget } = budgetAt()
    for (let times = 0; times < 3; times++) budget.take(['a'])
    time.now = 1_000_000
    expect(Array.from({ length: 4 }, () => budget.take(['a']))).toEqual([0, 0, 0, 1_000])
  })

  test('is its own, and a signal that one key refuses takes nothing of the other', () => {
    const { budget } = budgetAt()
    for (let times = 0; times < 3; times++) budget.take(['a'])
    for (let times = 0; times < 5; times++) expect(budget.take(['a', 'b'])).toBe(1_000)
    expect(Array.from({ length: 4 }, () => budget.take(['b']))).toEqual([0, 0, 0, 1_000])
  })

  test('is forgotten when too many others were used since', () => {
    const { budget } = budgetAt(2)
    for (let times = 0; times < 3; times++) budget.take(['a'])
    expect([budget.take(['b']), budget.take(['a']), budget.take(['c']), budget.take(['a'])]).toEqual([0, 1_000, 0, 0])
  })
})

describe('a signalled message', () => {
  test('is remembered as long as its signature is valid', () => {
    let now = 0
    const messages = createSignalledMessages(() => now)
    messages.add('a')
    now = 30 * 60_000 - 1
    expect([messages.has('a'), messages.has('b')]).toEqual([true, false])
    now = 30 * 60_000
    expect(messages.has('a')).toBe(false)
  })

  test('makes room when too many follow', () => {
    const messages = createSignalledMessages(() => 0, 2)
    for (const message of ['a', 'b', 'a', 'c']) messages.add(message)
    expect(['a', 'b', 'c'].map(messages.has)).toEqual([true, false, true])
  })
})
