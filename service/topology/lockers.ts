import type { DeclaredPickUpPoint } from './shape.ts'

/** A longer range is most likely a typing error. */
const maxRangeLength = 1_000

/** One locker of a pick up point; sides in centimetres. */
export interface DeclaredLocker {
  readonly uid: string
  readonly name: string
  readonly width: number
  readonly height: number
  readonly length: number
  /** Index of its entry in `lockers`. */
  readonly line: number
}

/** Expands the entries of a pick up point to single lockers, in file order. */
export function declaredLockers({ pupUid, lockers }: DeclaredPickUpPoint): readonly DeclaredLocker[] {
  return lockers.flatMap(({ names, lockerUid, width, height, length }, line) =>
    lockerNames(names).map(name => ({ uid: lockerUid ?? `${pupUid}:${name}`, name, width, height, length, line })),
  )
}

/** Expands a range such as `1-8`; any other text is one name. Returns an empty list for an invalid range. */
export function lockerNames(text: string): readonly string[] {
  const [, first, last] = /^(\d{1,9})-(\d{1,9})$/.exec(text) ?? []
  if (first === undefined || last === undefined) return [text]
  const count = Number(last) - Number(first) + 1
  if (count < 1 || count > maxRangeLength) return []
  return Array.from({ length: count }, (_, index) => String(Number(first) + index))
}

const nameOrder = new Intl.Collator('en', { numeric: true })

/** Sorts by name with numbers in numeric order: 2 before 10, A9 before A10. */
export function sortByName(lockers: readonly DeclaredLocker[]): readonly DeclaredLocker[] {
  return lockers.toSorted((a, b) => nameOrder.compare(a.name, b.name))
}
