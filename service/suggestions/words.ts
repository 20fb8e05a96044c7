import { toTextKey } from '../textKey.ts'

/** A word begins at a letter or a digit after anything else, and ends at a blank. */
const wordStart = /[\p{L}\p{N}\p{M}]+/gu
const blank = /\s/

/** Words of one text: a name of a hundred dots must not become a hundred rows of the index. */
const maxWords = 6

/** Greater than any character that can continue a word. */
const last = '\u{10ffff}'

/**
 * Returns the first six words of each text, folded by `toTextKey`. `Anne-Marie` has the words `anne-marie` and `marie`, and an
 * e-mail address has its domain too. A word that begins another one is left out, since a search for it finds the other one.
 */
export function splitWords(texts: readonly (string | null)[]): string[] {
  const words = texts.flatMap(text => wordsOf(toTextKey((text ?? '').toWellFormed())))
  // In this order a word follows directly on those that it begins.
  const sorted = [...new Set(words)].sort().reverse()
  return sorted.filter((word, at) => at === 0 || !sorted[at - 1]?.startsWith(word))
}

function wordsOf(text: string): string[] {
  // The rest of a domain is the same in most suggestions, and finds none.
  const domain = text.indexOf('@') + 1
  const starts = [...text.matchAll(wordStart)].filter(({ index }) => domain === 0 || index <= domain)
  return starts.slice(0, maxWords).map(({ index }) => {
    const length = text.slice(index).search(blank)
    return length < 0 ? text.slice(index) : text.slice(index, index + length)
  })
}

/** Returns the words of a search as `toTextKey` folds them, each once, without punctuation before them. */
export function toSearchWords(text: string | null | undefined): string[] {
  const words = toTextKey(text ?? '')
    .split(/\s+/)
    .filter(Boolean)
  return [...new Set(words.map(word => word.slice(Math.max(0, word.search(wordStart)))))]
}

/** All texts from `from` up to, but not including, `to` begin with the word. */
export function toRange(word: string): { readonly from: string; readonly to: string } {
  return { from: word, to: word + last }
}

/** The words of a suggestion as one text, each after a line end, for `toSearchPattern`. */
export function toSearchKey(words: readonly string[]): string {
  return words.map(word => `\n${word}`).join('')
}

/** A pattern for `like … escape '!'`. It matches search keys in which a word begins with `word`. */
export function toSearchPattern(word: string): string {
  return `%\n${word.replace(/[!%_]/g, '!$&')}%`
}
