import type { Suggestion } from '#contract/suggestion'
import { toValues } from '../lineColumns.ts'
import type { ErrorLog, Slice } from '../upload.ts'
import { splitWords, toSearchKey } from '../words.ts'
import { type SortedTexts, sortTexts } from './sortTexts.ts'

/** Rows and words per slice; few enough to insert them between other requests. */
const [sliceRows, sliceWords] = [125, 1_250]

interface Refused {
  readonly count: number
  readonly logs: readonly ErrorLog[]
}

const noRows: Slice = { lineCount: 0, lines: undefined, errorCount: 0, errorLogs: [], words: undefined }

/** Yields a slice with the refused rows, slices with the accepted ones, and slices with their words. */
export function* toSlices(accepted: Iterable<Suggestion>, { count, logs }: Refused): Generator<Slice> {
  const found = sortTexts()
  if (count > 0) yield { ...noRows, errorCount: count, errorLogs: logs }
  yield* toLineSlices(accepted, found)
  yield* toWordSlices(found)
}

function* toLineSlices(accepted: Iterable<Suggestion>, found: SortedTexts): Generator<Slice> {
  let position = 0
  for (const suggestions of inParts(accepted, sliceRows)) {
    const values = suggestions.map(suggestion => {
      const words = splitWords([suggestion.firstName, suggestion.lastName, suggestion.emailAddress])
      for (const word of words) found.add(`${word}\n${position}`)
      return toValues({ ...suggestion, position: position++, searchKey: toSearchKey(words) })
    })
    yield { ...noRows, lineCount: values.length, lines: Buffer.from(JSON.stringify(values)) }
  }
}

function* toWordSlices(found: SortedTexts): Generator<Slice> {
  // As texts, since their order is that of the index and sorting pairs takes several times longer.
  for (const texts of inParts(found.sorted(), sliceWords)) {
    const words = texts.map(text => {
      const end = text.lastIndexOf('\n')
      return [text.slice(0, end), Number(text.slice(end + 1))]
    })
    yield { ...noRows, words: Buffer.from(JSON.stringify(words)) }
  }
}

function* inParts<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let part: T[] = []
  for (const item of items) {
    part.push(item)
    if (part.length < size) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}
