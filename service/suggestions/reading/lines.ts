import type { Suggestion } from '#contract/suggestion'
import type { Refusals } from './refusals.ts'
import { createTexts } from './texts.ts'

/** The accepted rows of a file, each address once. */
export interface Lines {
  /** A row with the address of an earlier one replaces that one, which is refused. */
  add(row: number, suggestion: Suggestion): void
  /** Returns the rows in the order of the file, which can be iterated once and more. */
  end(): Iterable<Suggestion>
}

export function createLines(refusals: Refusals): Lines {
  const texts = createTexts()
  const rows: number[] = []
  /** Index of the last row with an address. */
  const last = new Map<string, number>()
  const replaced = new Set<number>()
  return {
    add(row, suggestion) {
      const key = suggestion.emailAddress.toLowerCase()
      const earlier = last.get(key)
      if (earlier !== undefined) {
        refusals.add(rows[earlier] ?? 0, `EmailAddress must be unique; row ${row} repeats it.`)
        replaced.add(earlier)
      }
      last.set(key, texts.length)
      rows.push(row)
      texts.push(JSON.stringify(suggestion))
    },
    end() {
      last.clear()
      return {
        *[Symbol.iterator]() {
          for (let index = 0; index < texts.length; index++)
            if (!replaced.has(index)) yield JSON.parse(texts.at(index) ?? '') as Suggestion
        },
      }
    },
  }
}
