import { describe, expect, test } from 'vitest'
import { splitWords, toRange, toSearchKey, toSearchPattern, toSearchWords } from '../../../service/suggestions/words.ts'

describe('the words of a suggestion', () => {
  test.each<[texts: (string | null)[], words: string[]]>([
    [
      [null, null, 'ada@home.example'],
      ['home.example', 'ada@home.example'],
    ],
    [
      ['Ada', 'Lovelace', 'ada.lovelace@home.example'],
      ['lovelace@home.example', 'home.example', 'ada.lovelace@home.example'],
    ],
    [
      ['Anne-Marie', 'de Vries', null],
      ['vries', 'marie', 'de', 'anne-marie'],
    ],
    [
      ["O'Brien", "'t Hooft", ''],
      ['t', "o'brien", 'hooft', 'brien'],
    ],
    [['Ada', 'ADA', null], ['ada']],
    [['100%', '—', null], ['100%']],
    [
      ['a b c d e f g h', null, null],
      ['f', 'e', 'd', 'c', 'b', 'a'],
    ],
    [
      ['Zoë\u0301', '\ud800x', null],
      ['zoë\u0301', 'x'],
    ],
  ])('%j: %j', (texts, words) => {
    expect(splitWords(texts)).toEqual(words)
  })
})

test.each<[text: string | null | undefined, words: string[]]>([
  [undefined, []],
  [null, []],
  [' \t', []],
  [' ada  LOVE ada ', ['ada', 'love']],
  ['@home (ada', ['home', 'ada']],
  ['100%', ['100%']],
  ['_', ['_']],
])('the words of the search %j: %j', (text, words) => {
  expect(toSearchWords(text)).toEqual(words)
})

test.each<[word: string, text: string, begins: boolean]>([
  ['ada', 'ada', true],
  ['ada', 'adam', true],
  ['ada', 'ada\u{10fffe}', true],
  ['ada', 'ad', false],
  ['ada', 'adb', false],
  ['100%', '1000', false],
])('%j is the beginning of %j in the index and in the search key: %j', (word, text, begins) => {
  const { from, to } = toRange(word)
  const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
  expect(order(from, text) <= 0 && order(text, to) < 0).toBe(begins)
  const pattern = new RegExp(`^${toSearchPattern(word).replaceAll('!%', '[%]').replace(/^%|%$/g, '.*')}$`, 'su')
  expect(pattern.test(toSearchKey(['first', text]))).toBe(begins)
})
