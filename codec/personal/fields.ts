import { removedText } from '#contract/terms'
import type { Person } from './keys.ts'

/** Fields of accounts that say who a person is or where, in lower case: starters may use any casing. */
export const personalFields: ReadonlySet<string> = new Set([
  ...['emailaddress', 'username', 'firstname', 'lastname', 'phonenumber', 'mailcode'],
  ...['streetname', 'streetno', 'mailbox', 'city', 'countrycode'],
])

/** A place in a JSON value, and the personal value that was there. */
export type PersonalValue = readonly [path: readonly (string | number)[], value: string | number]

export interface SplitValue {
  /** The value with `[removed]` in place of each personal field. */
  readonly rest: unknown
  readonly values: readonly PersonalValue[]
  readonly person: Person
}

/** Cheap check before a payload is parsed: only a few payloads have personal fields. */
const mention = new RegExp(`"(?:${[...personalFields].join('|')})"\\s*:`, 'i')

export function mayHavePersonalFields(json: string): boolean {
  return mention.test(json)
}

/** Separates the personal fields of a JSON value from the rest, which decides what a flow does. */
export function splitPersonal(value: unknown): SplitValue {
  const values: PersonalValue[] = []
  let person: Person = {}

  function walk(part: unknown, path: readonly (string | number)[]): unknown {
    if (Array.isArray(part)) return part.map((item, index) => walk(item, [...path, index]))
    if (part === null || typeof part !== 'object') return part
    const entries = Object.entries(part)
    const find = (name: string) => entries.find(([key, text]) => key.toLowerCase() === name && typeof text === 'string')
    const emailAddress = find('emailaddress')?.[1]
    const userUid = find('useruid')?.[1]
    if (emailAddress && person.emailAddress === undefined) person = { emailAddress, ...(userUid && { userUid }) }
    return Object.fromEntries(
      entries.map(([key, member]) => {
        const isText =
          (typeof member === 'string' && member !== '' && member !== removedText) || typeof member === 'number'
        if (!isText || !personalFields.has(key.toLowerCase())) return [key, walk(member, [...path, key])]
        values.push([[...path, key], member])
        return [key, removedText]
      }),
    )
  }

  const rest = walk(value, [])
  return { rest, values, person }
}

/** Puts personal values back into their places. */
export function mergePersonal(rest: unknown, values: readonly PersonalValue[]): unknown {
  for (const [path, value] of values) {
    const holder = path.slice(0, -1).reduce<unknown>((part, key) => (part as Record<string, unknown>)?.[key], rest)
    const name = path.at(-1)
    if (holder !== null && typeof holder === 'object' && name !== undefined) Object.assign(holder, { [name]: value })
  }
  return rest
}
