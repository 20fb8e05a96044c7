import { personalFields, removedText } from '#contract/terms'
import type { Person } from './keys.ts'

/** The types of declared fields. A plan has them in the places of the values, also under the names of personal fields. */
const fieldTypes: ReadonlySet<unknown> = new Set(['text', 'number', 'integer', 'boolean', 'instant', 'date', 'uid'])

/** A place in a JSON value, and the personal value that was there. */
export type PersonalValue = readonly [path: readonly (string | number)[], value: string | number]

/** The personal values of one person. */
export interface PersonalGroup {
  readonly person: Person
  readonly values: readonly PersonalValue[]
}

export interface SplitValue {
  /** The value with `[removed]` in place of each personal field. */
  readonly rest: unknown
  /** One for each person who has a personal field. */
  readonly groups: readonly PersonalGroup[]
}

/**
 * A plan's outputs name fields of its steps in the places of values. As values they would be lost with a key, and the flow
 * would end without them.
 */
function isPlan(part: object): boolean {
  return 'fingerprint' in part && 'outputs' in part && 'steps' in part && Array.isArray(part.steps)
}

/** Cheap check before a payload is parsed: only a few payloads have personal fields. */
const mention = new RegExp(`"(?:${[...personalFields].join('|')})"\\s*:`, 'i')

export function mayHavePersonalFields(json: string): boolean {
  return mention.test(json)
}

/**
 * Separates the personal fields of a JSON value from the rest, which decides what a flow does. A field belongs to the person whose
 * e-mail address or uid is in the nearest object around it, and otherwise to the first person of the value.
 */
export function splitPersonal(value: unknown): SplitValue {
  /** By e-mail address in lower case, or by uid; the empty text for fields without a person. */
  const found = new Map<string, { person: Person; values: PersonalValue[] }>()
  const others: PersonalValue[] = []

  function walk(part: unknown, path: readonly (string | number)[], around: PersonalValue[]): unknown {
    if (Array.isArray(part)) return part.map((item, index) => walk(item, [...path, index], around))
    if (part === null || typeof part !== 'object') return part
    const entries = Object.entries(part)
    const own = ownerOf(entries)?.values ?? around
    return Object.fromEntries(
      entries.map(([key, member]) => {
        if (key === 'outputs' && isPlan(part)) return [key, member]
        const isText = typeof member === 'string' && !['', removedText].includes(member) && !fieldTypes.has(member)
        const isValue = isText || typeof member === 'number'
        if (!isValue || !personalFields.has(key.toLowerCase())) return [key, walk(member, [...path, key], own)]
        own.push([[...path, key], member])
        return [key, removedText]
      }),
    )
  }

  function ownerOf(entries: readonly (readonly [string, unknown])[]) {
    const find = (name: string) => {
      const text = entries.find(([key, text]) => key.toLowerCase() === name && typeof text === 'string')?.[1]
      return ['', removedText].includes(String(text ?? '')) || fieldTypes.has(text) ? undefined : String(text)
    }
    const [emailAddress, userUid] = [find('emailaddress'), find('useruid')]
    const key = emailAddress?.toLowerCase() ?? userUid
    if (key === undefined) return undefined
    const known = found.get(key) ?? { person: { ...(emailAddress !== undefined && { emailAddress }) }, values: [] }
    if (userUid !== undefined && known.person.userUid === undefined) known.person = { ...known.person, userUid }
    found.set(key, known)
    return known
  }

  const rest = walk(value, [], others)
  const persons = [...found.values()]
  const first = persons.find(({ person }) => person.emailAddress !== undefined) ?? persons[0]
  if (first !== undefined) first.values.push(...others)
  else if (others.length > 0) found.set('', { person: {}, values: others })
  return { rest, groups: [...found.values()].filter(({ values }) => values.length > 0) }
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
