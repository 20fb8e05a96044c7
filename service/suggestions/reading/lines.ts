import type { Suggestion } from '#contract/suggestion'
import { fields } from './columns.ts'
import type { Refusals } from './refusals.ts'
import { createTexts } from './texts.ts'

/** The accepted rows of a file, each address once. */
export interface Lines {
  /** A row with the address of an earlier one replaces that one, which is refused. */
  add(row: number, suggestion: Suggestion): void
  /** Yields the rows in the order of the file, once, and frees their memory. */
  end(): Generator<Suggestion>
}

export function createLines(refusals: Refusals): Lines {
  const texts = createTexts()
  const rows: number[] = []
  /** Index of the last row with an address. */
  const last = new Map<string, number>()
  const replaced = new Set<number>()

  function* remaining(): Generator<Suggestion> {
    let index = 0
    for (const text of texts.drain()) if (!replaced.has(index++)) yield toSuggestion(JSON.parse(text))
  }

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
      // Without the names of the fields, which are half of the bytes.
      texts.push(JSON.stringify(fields.map(field => suggestion[field])))
    },
    end() {
      last.clear()
      return remaining()
    },
  }
}

function toSuggestion(values: readonly unknown[]): Suggestion {
  return Object.fromEntries(fields.map((field, at) => [field, values[at]])) as unknown as Suggestion
}
