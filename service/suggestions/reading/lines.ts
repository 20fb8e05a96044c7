import { hash } from 'node:crypto'
import type { Suggestion } from '#contract/suggestion'
import { toTextKey } from '../../textKey.ts'
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

interface Line {
  readonly row: number
  readonly suggestion: Suggestion
}

export function createLines(refusals: Refusals): Lines {
  const texts = createTexts()
  /** The place of the last row with an address, by a hash: a hundred thousand addresses would take several megabytes. */
  const last = new Map<number, number>()
  /** Numbers of rows. */
  const replaced = new Set<number>()

  function* remaining(): Generator<Suggestion> {
    for (const text of texts.drain()) {
      const { row, suggestion } = toLine(text)
      if (!replaced.has(row)) yield suggestion
    }
  }

  return {
    add(row, suggestion) {
      const key = keyOf(suggestion)
      let hashed = hashOf(key)
      for (let place = last.get(hashed); place !== undefined; place = last.get(++hashed)) {
        const earlier = toLine(texts.at(place))
        if (keyOf(earlier.suggestion) !== key) continue
        refusals.add(earlier.row, `EmailAddress must be unique; row ${row} repeats it.`)
        replaced.add(earlier.row)
        break
      }
      last.set(hashed, texts.push(toText({ row, suggestion })))
    },
    end() {
      last.clear()
      return remaining()
    },
  }
}

function keyOf({ emailAddress }: Suggestion): string {
  return toTextKey(emailAddress)
}

/** 32 bits of a cryptographic hash, so that a file cannot contain many addresses of one hash. */
function hashOf(key: string): number {
  return hash('sha1', key, 'buffer').readInt32LE()
}

/** Without the names of the fields, which are half of the bytes. */
function toText({ row, suggestion }: Line): string {
  return JSON.stringify([row, ...fields.map(field => suggestion[field])])
}

function toLine(text: string): Line {
  const [row, ...values] = JSON.parse(text) as [number, ...unknown[]]
  const suggestion = Object.fromEntries(fields.map((field, at) => [field, values[at]])) as unknown as Suggestion
  return { row, suggestion }
}
