import { describe, expect, test } from 'vitest'
import { parseDuration } from '#contract/terms'

const day = 86_400_000

describe('a duration in milliseconds', () => {
  test.each([
    ['200ms', 200],
    ['30s', 30_000],
    ['30m', 1_800_000],
    ['48h', 2 * day],
    ['3d', 3 * day],
    ['3650d', 3_650 * day],
    ['87600h', 3_650 * day],
    ['3651d', undefined],
    ['87601h', undefined],
    ['999999999d', undefined],
    ['9999999999ms', undefined],
    ['0s', undefined],
    ['-1d', undefined],
    ['1.5h', undefined],
    ['1e3d', undefined],
    ['2 d', undefined],
    ['2 dayz', undefined],
    ['48H', undefined],
    ['48', undefined],
    ['h', undefined],
    ['', undefined],
  ])('%s: %s', (text, length) => {
    expect(parseDuration(text)).toBe(length)
  })
})
