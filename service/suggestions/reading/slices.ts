import type { Suggestion } from '#contract/suggestion'
import type { ErrorLog, Slice, SuggestionLine } from '../upload.ts'
import { splitWords, toSearchKey } from '../words.ts'
import { sortTexts } from './sortTexts.ts'

/** Rows and words per slice; few enough to insert them between other requests. */
const [sliceRows, sliceWords] = [125, 1_250]

interface Refused {
  readonly count: number
  readonly logs: readonly ErrorLog[]
}

/** Yields a slice with the refused rows, slices with the accepted ones, and slices with their words. */
export function* toSlices(accepted: Iterable<Suggestion>, { count, logs }: Refused): Generator<Slice> {
  const found = sortTexts()
  if (count > 0) yield { lines: [], errorCount: count, errorLogs: logs, words: undefined }
  let lines: SuggestionLine[] = []
  let position = 0
  for (const suggestion of accepted) {
    const words = splitWords([suggestion.firstName, suggestion.lastName, suggestion.emailAddress])
    for (const word of words) found.add(`${word}\n${position}`)
    lines.push({ ...suggestion, position: position++, searchKey: toSearchKey(words) })
    if (lines.length < sliceRows) continue
    yield { lines, errorCount: 0, errorLogs: [], words: undefined }
    lines = []
  }
  if (lines.length > 0) yield { lines, errorCount: 0, errorLogs: [], words: undefined }
  // As texts, since their order is that of the index and sorting pairs takes several times longer.
  let words: (readonly [word: string, position: number])[] = []
  for (const text of found.sorted()) {
    const end = text.lastIndexOf('\n')
    words.push([text.slice(0, end), Number(text.slice(end + 1))])
    if (words.length < sliceWords) continue
    yield { lines: [], errorCount: 0, errorLogs: [], words: JSON.stringify(words) }
    words = []
  }
  if (words.length > 0) yield { lines: [], errorCount: 0, errorLogs: [], words: JSON.stringify(words) }
}
