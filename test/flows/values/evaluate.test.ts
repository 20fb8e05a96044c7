import { describe, expect, test } from 'vitest'
import { evaluate, simplify, type Values } from '#flows'
import type { When } from '../../../flows/declaration/sources.ts'

const values: Values = {
  input: {
    flag: true,
    off: false,
    none: null,
    size: { Length: 30 },
    due: '2026-11-21T10:00:00+02:00',
    day: '2026-11-22',
    tags: ['express', { of: 1 }],
  },
  quote: { answer: 'priced', cents: 4900 },
  account: { userUid: 'u-1', mainPupUid: null },
}

describe('a condition', () => {
  test.each<[When | undefined, boolean]>([
    [undefined, true],
    [{}, true],
    [{ 'input.flag': true }, true],
    [{ 'input.flag': false }, false],
    [{ 'input.off': false }, true],
    [{ 'input.absent': false }, true],
    [{ 'absent.step': false }, true],
    [{ 'input.none': false }, true],
    [{ 'input.absent': true }, false],
    [{ 'input.absent': null }, true],
    [{ 'input.none': null }, true],
    [{ 'quote.answer': 'priced' }, true],
    [{ 'quote.answer': { is: 'hopeless' } }, false],
    [{ 'quote.answer': { not: 'hopeless' } }, true],
    [{ 'offer.answer': { not: 'agree' } }, false],
    [{ 'account.mainPupUid': { not: { from: 'account.userUid' } } }, true],
    [{ 'account.userUid': { not: { from: 'account.userUid' } } }, false],
    [{ 'quote.answer': { in: ['priced', 'hopeless'] } }, true],
    [{ 'quote.answer': { in: [] } }, false],
    [{ 'offer.answer': { in: [false] } }, false],
    [{ 'quote.cents': { present: true } }, true],
    [{ 'input.none': { present: true } }, false],
    [{ 'offer.answer': { present: false } }, true],
    [{ 'quote.cents': { lessThan: 5000 } }, true],
    [{ 'quote.cents': { lessThan: 4900 } }, false],
    [{ 'quote.answer': { lessThan: 'zzz' } }, false],
    [{ 'offer.cents': { lessThan: 5000 } }, false],
    [{ 'input.due': { lessThan: '2026-11-21T08:00:01Z' } }, true],
    [{ 'input.due': { lessThan: { from: 'input.day' } } }, true],
    [{ 'input.day': { lessThan: { from: 'input.due' } } }, false],
    [{ 'quote.cents': { moreThan: 4900 } }, false],
    [{ 'quote.cents': { moreThan: 4899 } }, true],
    [{ 'quote.cents': { atMost: 4900 } }, true],
    [{ 'quote.cents': { atMost: 4899 } }, false],
    [{ 'quote.cents': { atLeast: 4900 } }, true],
    [{ 'quote.cents': { atLeast: 4901 } }, false],
    [{ 'input.day': { moreThan: { from: 'input.due' } } }, true],
    [{ 'input.due': { atLeast: '2026-11-21T08:00:00Z' } }, true],
    [{ 'quote.answer': { atMost: 'zzz' } }, false],
    [{ 'quote.cents': { atLeast: '1' } }, false],
    [{ 'offer.cents': { atLeast: 0 } }, false],
    [{ 'input.none': { atMost: 1 } }, false],
    [{ 'input.tags': { contains: 'express' } }, true],
    [{ 'input.tags': { contains: { of: 1 } } }, true],
    [{ 'input.tags': { contains: { from: 'quote.answer' } } }, false],
    [{ 'quote.answer': { contains: 'priced' } }, false],
    [{ 'input.absent': { contains: 'express' } }, false],
    [{ 'input.size': { is: { Length: 30 } } }, true],
    [{ 'input.size': { is: '{"length":30}' } }, false],
    [{ 'input.size': null }, false],
    [{ 'input.size.Length': 30 }, true],
    [{ 'quote.answer': 'priced', 'input.flag': true }, true],
    [{ 'quote.answer': 'priced', 'input.flag': false }, false],
    [{ any: [{ 'input.flag': false }, { 'quote.answer': 'priced' }] }, true],
    [{ any: [] }, false],
    [{ all: [{ 'input.flag': true }, { 'quote.answer': 'hopeless' }] }, false],
    [{ all: [{ 'input.flag': true }, { 'quote.answer': 'priced' }] }, true],
    [{ all: [] }, true],
    [{ not: { 'quote.answer': 'hopeless' } }, true],
    [{ 'input.constructor': { present: true } }, false],
  ])('%j is %s', (when, expected) => {
    expect(evaluate(when, values)).toBe(expected)
  })
})

describe('the part of a condition that the input does not decide', () => {
  const isInput = (path: string) => path.startsWith('input.')
  test.each<[When, When | boolean]>([
    [{ 'input.flag': true }, true],
    [{ 'input.flag': false }, false],
    [{ 'quote.answer': 'priced' }, { 'quote.answer': 'priced' }],
    [{ 'input.flag': true, 'quote.answer': 'priced' }, { 'quote.answer': 'priced' }],
    [{ 'input.flag': false, 'quote.answer': 'priced' }, false],
    [
      { 'input.flag': true, 'quote.answer': 'priced', 'quote.cents': 1 },
      { 'quote.answer': 'priced', 'quote.cents': 1 },
    ],
    [
      { 'quote.cents': { lessThan: { from: 'input.size.Length' } } },
      { 'quote.cents': { lessThan: { from: 'input.size.Length' } } },
    ],
    [{ any: [{ 'input.flag': true }, { 'quote.answer': 'priced' }] }, true],
    [{ any: [{ 'input.off': true }, { 'quote.answer': 'priced' }] }, { 'quote.answer': 'priced' }],
    [
      { any: [{ 'quote.cents': 1 }, { 'quote.answer': 'priced' }, { 'input.off': true }] },
      { any: [{ 'quote.cents': 1 }, { 'quote.answer': 'priced' }] },
    ],
    [{ all: [{ 'input.flag': true }, { 'quote.answer': 'priced' }] }, { 'quote.answer': 'priced' }],
    [{ not: { 'input.flag': true, 'quote.answer': 'priced' } }, { not: { 'quote.answer': 'priced' } }],
    [{ not: { 'input.flag': false, 'quote.answer': 'priced' } }, true],
  ])('%j is %j', (when, expected) => {
    expect(simplify(when, values, isInput)).toEqual(expected)
  })
})
