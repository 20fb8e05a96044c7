import { describe, expect, test } from 'vitest'
import { type DecisionLink, readDecisionLink, writeDecisionLink } from '#contract'

const key = 'a-key-of-links-that-is-long-enough'
const link: DecisionLink = {
  ...{ caseNo: 'Ä-1 "2"', notification: 'n-1', decision: 'extend', by: '24h', expiresAt: 1_000 },
}
const token = writeDecisionLink(key, link)

describe('a decision link', () => {
  test('is read as it was written, until it expires', () => {
    expect(readDecisionLink([key], token, 999)).toEqual({ ...link, id: expect.stringMatching(/^[\w-]{22}$/) })
    expect(readDecisionLink([key], token, 1_000)).toBe('expired')
  })

  test('is the same each time, and another one for each part', () => {
    expect(writeDecisionLink(key, link)).toBe(token)
    const others: DecisionLink[] = [
      { ...link, caseNo: 'A-2' },
      { ...link, notification: 'n-2' },
      { ...link, decision: 'cancel' },
      { ...link, by: '48h' },
      { ...link, expiresAt: 1_001 },
    ]
    const tokens = [link, ...others].map(each => writeDecisionLink(key, each))
    expect(new Set(tokens).size).toBe(6)
    const ids = tokens
      .map(each => readDecisionLink([key], each, 0))
      .map(each => (typeof each === 'string' ? each : each.id))
    expect(new Set(ids).size).toBe(6)
  })

  test('is refused with any altered character', () => {
    for (let index = 0; index < token.length; index++) {
      const altered = token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1)
      expect(readDecisionLink([key], altered, 0)).toBe('invalid')
      expect(readDecisionLink([key], token.slice(0, index), 0)).toBe('invalid')
    }
    expect(readDecisionLink([key], `${token}.`, 0)).toBe('invalid')
    expect(readDecisionLink([key], `${token}A`, 0)).toBe('invalid')
  })

  test('with a decision that only a newer version knows is invalid', () => {
    const newer = writeDecisionLink(key, { ...link, decision: 'postpone' as DecisionLink['decision'] })
    expect(readDecisionLink([key], newer, 0)).toBe('invalid')
  })

  test('is read by any of several keys, and by no other', () => {
    expect(readDecisionLink(['another-key-of-32-characters-here', key], token, 0)).toMatchObject(link)
    expect(readDecisionLink(['another-key-of-32-characters-here'], token, 0)).toBe('invalid')
    expect(readDecisionLink([], token, 0)).toBe('invalid')
  })
})
