import { describe, expect, test } from 'vitest'
import { createSignalledMessages } from '../../gateway/signalledMessages.ts'

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
