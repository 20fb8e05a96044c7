import { parseDuration } from '#contract/terms'

/** The values that placeholders of one run stand for. */
export interface RequestValues extends StartOfCase {
  /** The uid of the user with this number. */
  user(number: number): string
  /** The uid of the pick up point with this number. */
  pickUpPoint(number: number): string
  /** The uid of a shipment of `before`. */
  item(name: string): string
}

interface StartOfCase {
  /** The start of the case, in milliseconds since 1970. */
  readonly start: number
  /** The factor for times after the start; 1 by default. */
  readonly scale?: number
}

/** The users, pick up points and shipments that exist before a case. */
export interface NamedThings extends StartOfCase {
  /** The uids of users, by their number. */
  readonly users: ReadonlyMap<number, string>
  /** The pick up points in the order of their numbers, which begin with 1. */
  readonly pickUpPoints: readonly { readonly pupUid: string }[]
  /** The uids of shipments, by their name in `before`. */
  readonly items: ReadonlyMap<string, string>
}

/** Creates the values of a run. For an unknown user, pick up point or shipment, they throw an Error that names the placeholder. */
export function createValues({ users, pickUpPoints, items, ...start }: NamedThings): RequestValues {
  const namesOf = (names: Iterable<string | number>) => [...names].join(', ') || '(none)'
  return {
    ...start,
    user: number => users.get(number) ?? fail(`$user: must be one of ${namesOf(users.keys())}, got ${number}.`),
    pickUpPoint: number =>
      pickUpPoints[number - 1]?.pupUid ?? fail(`$pup: must be at most ${pickUpPoints.length}, got ${number}.`),
    item: name =>
      items.get(name) ?? fail(`$item: must be a name from \`before\`, one of ${namesOf(items.keys())}, got ${name}.`),
  }
}

function fail(message: string): never {
  throw new Error(message)
}

/**
 * A moment of a case, in milliseconds since 1970.
 * @param moment in ISO 8601, or a time after the start
 * @throws Error that names the placeholder or the text
 */
export function toInstant(moment: string | { readonly $in: string }, { start, scale = 1 }: StartOfCase): number {
  if (typeof moment === 'string') {
    const instant = Date.parse(moment)
    return Number.isNaN(instant) ? fail(`at: must be a time such as "2027-03-01T12:00:00Z", got ${moment}.`) : instant
  }
  const length = parseDuration(moment.$in)
  return length === undefined
    ? fail(`$in: must be a duration such as "3d", got ${moment.$in}.`)
    : start + length * scale
}

/**
 * The moment until which a word of a story lets time pass, in milliseconds since 1970.
 * @param now the moment that the story has reached
 * @throws Error for a text that is not a moment, and for a moment in the past
 */
export function toMoment(moment: Parameters<typeof toInstant>[0], start: StartOfCase, now: number): number {
  const instant = toInstant(moment, start)
  if (instant < now) throw new Error('at: must not be in the past.')
  return instant
}
