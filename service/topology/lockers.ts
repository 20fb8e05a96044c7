import type { DeclaredPickUpPoint } from './shape.ts'

/** More in one range is a slip of the finger. */
const longestRange = 1_000

/** One locker of a pick up point. Centimetres. */
export interface DeclaredLocker {
  readonly uid: string
  readonly name: string
  readonly width: number
  readonly height: number
  readonly length: number
  /** Which of the pick up point's entries it comes from. */
  readonly line: number
}

/** The lockers that the entries of a pick up point mean, in the order of the file. */
export function declaredLockers({ pupUid, lockers }: DeclaredPickUpPoint): readonly DeclaredLocker[] {
  return lockers.flatMap(({ names, lockerUid, width, height, length }, line) =>
    lockerNames(names).map(name => ({ uid: lockerUid ?? `${pupUid}:${name}`, name, width, height, length, line })),
  )
}

/** The locker names that a text means: `"1-8"` is 1 to 8, anything else is one name; none for a range that is none. */
export function lockerNames(text: string): readonly string[] {
  const [, first, last] = /^(\d{1,9})-(\d{1,9})$/.exec(text) ?? []
  if (first === undefined || last === undefined) return [text]
  const count = Number(last) - Number(first) + 1
  if (count < 1 || count > longestRange) return []
  return Array.from({ length: count }, (_, index) => String(Number(first) + index))
}

const order = new Intl.Collator('en', { numeric: true })

/** Lockers in the order in which people count their names: 2 before 10, A9 before A10. */
export function counted(lockers: readonly DeclaredLocker[]): readonly DeclaredLocker[] {
  return lockers.toSorted((one, other) => order.compare(one.name, other.name))
}
