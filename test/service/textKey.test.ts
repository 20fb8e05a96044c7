import { expect, test } from 'vitest'
import { toTextKey } from '../../service/textKey.ts'

test.each([
  ['Jürgen', 'ju\u0308rgen'],
  ['Straße', 'STRASSE'],
  ['STRAẞE', 'strasse'],
  ['İpek', 'ipek'],
  ['IŞIK', 'ışık'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
  ['Ångström', '\u212bNGSTRÖM'],
  ['Ada@Home.example', 'ada@home.EXAMPLE'],
])('%j and %j have one key', (one, other) => {
  expect(toTextKey(one)).toBe(toTextKey(other))
})

test.each([
  ['Jürgen', 'Jurgen'],
  ['x²', 'x2'],
  ['ＡＤＡ', 'ADA'],
  ['аda', 'ada'],
])('%j and %j have different keys', (one, other) => {
  expect(toTextKey(one)).not.toBe(toTextKey(other))
})

test('a word begins as its key begins, even where a letter has another form at the end', () => {
  expect(toTextKey('οδυσσευς').startsWith(toTextKey('ΟΔΥΣ'))).toBe(true)
})

test('for every character the key is stable, and the same for each form and case', () => {
  const wrong: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const text = `a${String.fromCodePoint(code)}b`
    const key = toTextKey(text)
    const forms = [key, text.normalize('NFD'), text.normalize('NFC'), text.toUpperCase(), text.toLowerCase()]
    // Blanks separate the words of a search.
    if (forms.some(form => toTextKey(form) !== key) || /\s/.test(key) !== /\s/.test(text)) wrong.push(code.toString(16))
  }
  expect(wrong).toEqual([])
})
