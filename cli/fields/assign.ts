import { isRecord } from '#contract/terms'
import { misuse } from '../command/failure.ts'
import { anyShape, pathsOf, type Shape } from './shape.ts'

/** A field of the command line: its path, and its text. A flag without a value is true. */
export interface GivenField {
  readonly path: string
  readonly text: string | undefined
}

/** Names that would change the prototype of an object. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

/** A position in a list. */
const index = /^\d{1,3}$/

/**
 * Reads the flags of fields: `--PupUid pup-1`, `--Dimension.width=30`, `--AllowLargerLockers`.
 * @throws CommandFailure for a word that is not a flag
 */
export function readFlags(words: readonly string[]): GivenField[] {
  const fields: GivenField[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const [, path, , text] = /^--([^=]+)(=(.*))?$/s.exec(word) ?? []
    if (path === undefined) throw misuse(`${word}: must be a field such as --PupUid, or follow one.`)
    const next = words[at + 1]
    const hasValue = text === undefined && next !== undefined && !next.startsWith('--')
    if (hasValue) at += 1
    fields.push({ path, text: text ?? (hasValue ? next : undefined) })
  }
  return fields
}

/**
 * Adds fields to a body. Names have any casing, lists grow by repetition or have an index.
 * @param strict rejects fields that the shape does not have
 * @throws CommandFailure that names the field
 */
export function assignFields(
  body: Record<string, unknown>,
  shape: Shape,
  fields: readonly GivenField[],
  strict: boolean,
): Record<string, unknown> {
  const given = new Set<string>()
  return fields.reduce<Record<string, unknown>>(
    (before, field) =>
      assign(before, shape, field.path.split('.'), { field, root: shape, strict, given }) as typeof body,
    body,
  )
}

interface Assignment {
  readonly field: GivenField
  readonly root: Shape
  readonly strict: boolean
  /** The paths of the fields so far. */
  readonly given: Set<string>
}

/** Returns the value with one field set. */
function assign(
  value: unknown,
  shape: Shape,
  [name, ...rest]: readonly string[],
  to: Assignment,
  path: readonly string[] = [],
): unknown {
  if (name === undefined) {
    if (!shape.kinds.includes('list')) requireFirst(path.join('.'), to)
    return toValue(value, shape, to)
  }
  if (Array.isArray(value) || (shape.element !== undefined && index.test(name))) {
    const list = Array.isArray(value) ? [...value] : []
    const at = Number(name)
    if (!index.test(name) || at > list.length)
      throw misuse(`--${to.field.path}: must have the index of an item or of the next one.`)
    list[at] = assign(list[at], shape.element ?? anyShape, rest, to, [...path, name])
    return list
  }
  const known = Object.keys(shape.fields ?? {}).find(each => each.toLowerCase() === name.toLowerCase())
  if (forbidden.has(name) || name === '' || (known === undefined && to.strict && shape !== anyShape)) {
    throw misuse(`--${to.field.path}: must be a field of the request. The fields are ${pathsOf(to.root).join(', ')}.`)
  }
  const key = known ?? name
  const object = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return { ...object, [key]: assign(object[key], shape.fields?.[key] ?? anyShape, rest, to, [...path, key]) }
}

/** A second value would take the place of the first one silently. */
function requireFirst(path: string, { field, given }: Assignment): void {
  if (given.has(path)) throw misuse(`--${field.path}: must be given once.`)
  given.add(path)
}

function toValue(
  before: unknown,
  shape: Shape,
  { field: { path, text }, strict }: Pick<Assignment, 'field' | 'strict'>,
): unknown {
  const { kinds, element } = shape
  if (text === undefined) {
    if (kinds.includes('boolean') || kinds.length === 0) return true
    throw misuse(`--${path}: must have a value.`)
  }
  if (element !== undefined && kinds.includes('list') && !text.startsWith('[')) {
    const item = toValue(undefined, element, { field: { path, text }, strict })
    return [...(Array.isArray(before) ? before : []), item]
  }
  const parsed = parse(text)
  if (kinds.length === 0) return parsed ?? text
  if (kinds.includes('number') && typeof parsed === 'number') return parsed
  if (kinds.includes('boolean') && typeof parsed === 'boolean') return parsed
  if (kinds.includes('list') && Array.isArray(parsed)) return parsed
  if (kinds.includes('object') && isRecord(parsed)) return parsed
  if (kinds.includes('text')) return text
  if (kinds.includes('null') && parsed === null) return null
  if (!strict) return parsed ?? text
  const expected = kinds.filter(kind => kind !== 'null').join(' or ')
  throw misuse(`--${path}: must be ${expected.startsWith('object') ? 'an' : 'a'} ${expected}, got "${text}".`)
}

/** JSON; undefined for any other text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
