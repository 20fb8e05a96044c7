import { createTexts, type Texts } from './texts.ts'

/** Texts with a first character below this one have a group of their own. */
const groupCount = 128
const blockBytes = 32 * 1_024

export interface SortedTexts {
  add(text: string): void
  /** All texts in order. They are gone afterwards. */
  sorted(): Generator<string>
}

/** Sorts many short texts by their UTF-16 units. Only those of one group are strings at a time. */
export function sortTexts(): SortedTexts {
  const groups: (Texts | undefined)[] = []
  return {
    add(text) {
      const group = Math.min(text.charCodeAt(0), groupCount)
      groups[group] ??= createTexts(blockBytes)
      groups[group].push(text)
    },
    *sorted() {
      for (const [at, texts] of groups.entries()) {
        if (texts === undefined) continue
        groups[at] = undefined
        yield* [...texts.drain()].sort()
      }
    },
  }
}
