import type { Door } from '../hardware/index.ts'
import type { DeclaredPickUpPoint, Topology } from './shape.ts'

/** Lockers of one range. A longer one is most likely a typing error. */
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
  const range = readRange(text)
  if (range === undefined) return [text]
  if (findRangeProblem(text) !== undefined) return []
  return Array.from({ length: range.count }, (_, index) => String(range.first + index))
}

/** Returns the problem of a range; undefined for a valid range and for a single name. */
export function findRangeProblem(text: string): string | undefined {
  const range = readRange(text)
  if (range === undefined) return undefined
  if (range.count < 1) return 'must be a range from the lower to the higher number, such as 1-8'
  if (range.count <= maxRangeLength) return undefined
  const [count, limit] = [range.count, maxRangeLength].map(number => number.toLocaleString('en'))
  return `must be a range of at most ${limit} lockers, not ${count}; use several entries for more`
}

function readRange(text: string): { readonly first: number; readonly count: number } | undefined {
  const [, first, last] = /^(\d{1,9})-(\d{1,9})$/.exec(text) ?? []
  if (first === undefined || last === undefined) return undefined
  return { first: Number(first), count: Number(last) - Number(first) + 1 }
}

const nameOrder = new Intl.Collator('en', { numeric: true })

/** Sorts by name with numbers in numeric order: 2 before 10, A9 before A10. */
export function sortByName(lockers: readonly DeclaredLocker[]): readonly DeclaredLocker[] {
  return lockers.toSorted((a, b) => nameOrder.compare(a.name, b.name))
}

/** The doors of all lockers of a topology, in file order. */
export function listDoors({ pickUpPoints }: Topology): readonly Door[] {
  return pickUpPoints.flatMap(point =>
    declaredLockers(point).map(({ uid, name }) => ({ pupUid: point.pupUid, lockerUid: uid, lockerName: name })),
  )
}
