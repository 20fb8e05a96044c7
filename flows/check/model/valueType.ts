import type { Field, FieldName, Fields } from '#flows/declaration'

/** The type of a value, from a declared field or from the contract. */
export type ValueType =
  | { readonly kind: FieldName }
  /** A field that is declared several times has one of the types. Any JSON has none. */
  | { readonly kind: 'any'; readonly types?: readonly ValueType[] }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'list'; readonly of: Member }
  | { readonly kind: 'object'; readonly fields: Members }

/** A value that may be absent, or null. */
export interface Member {
  readonly type: ValueType
  /** May be absent. */
  readonly optional: boolean
  /** May be null, by the contract. */
  readonly nullable: boolean
}

export type Members = Readonly<Record<string, Member>>

export function fromFields(fields: Fields): Members {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fromField(field)]))
}

function fromField(field: Field): Member {
  if (typeof field === 'string') return required({ kind: field })
  if ('optional' in field) return { ...fromField(field.optional), optional: true, nullable: true }
  if ('list' in field) return required({ kind: 'list', of: fromField(field.list) })
  if ('fields' in field) return required({ kind: 'object', fields: fromFields(field.fields) })
  return required({ kind: 'choice', of: field })
}

export function required(type: ValueType): Member {
  return { type, optional: false, nullable: false }
}

/** A member that is declared twice: one of the declarations holds. */
export function uniteMembers(one: Member | undefined, other: Member | undefined): Member {
  const types = [one, other].flatMap(member => member?.type ?? [])
  return {
    type: uniteTypes(types),
    optional: one?.optional === true || other?.optional === true,
    nullable: one?.nullable === true || other?.nullable === true,
  }
}

function uniteTypes(types: readonly ValueType[]): ValueType {
  const [first = { kind: 'any' }, ...others] = types
  if (others.every(type => JSON.stringify(type) === JSON.stringify(first))) return first
  const choices = types.flatMap(type => (type.kind === 'choice' ? [type.of] : []))
  if (choices.length === types.length) return { kind: 'choice', of: [...new Set(choices.flat())] }
  // Points in time accept both.
  if (types.every(({ kind }) => moments.includes(kind))) return { kind: 'instant' }
  const all = types.flatMap(type => typesIn(type) ?? [type])
  const isKnown = all.every(({ kind }) => kind !== 'any')
  return isKnown
    ? { kind: 'any', types: [...new Map(all.map(type => [JSON.stringify(type), type])).values()] }
    : { kind: 'any' }
}

/** The types of a field that is declared several times; undefined for any other type. */
export function typesIn(type: ValueType): readonly ValueType[] | undefined {
  return type.kind === 'any' ? type.types : undefined
}

/** The fields that an object of the type can have; undefined for a type without objects, and for any JSON. */
export function fieldsIn(type: ValueType): Members | undefined {
  if (type.kind === 'object') return type.fields
  return (typesIn(type) ?? [])
    .map(fieldsIn)
    .reduce((one, other) => (one && other ? uniteFields(one, other) : (one ?? other)), undefined)
}

/** The fields of either of two objects. */
function uniteFields(one: Members, other: Members): Members {
  const both = Object.keys(one).filter(name => Object.hasOwn(other, name))
  return { ...one, ...other, ...Object.fromEntries(both.map(name => [name, uniteMembers(one[name], other[name])])) }
}

const words: Readonly<Record<FieldName | 'any', string>> = {
  text: 'a text',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  instant: 'an instant',
  date: 'a date',
  uid: 'a uid',
  any: 'a value',
}

/** The type in a sentence: `a uid`. */
export function describeType(type: ValueType): string {
  if (type.kind === 'choice') return `one of ${type.of.join(', ')}`
  if (type.kind === 'any' && type.types) return [...new Set(type.types.map(describeType))].join(' or ')
  if (type.kind === 'list') return 'a list'
  return type.kind === 'object' ? 'an object' : words[type.kind]
}

const numbers: readonly string[] = ['number', 'integer']
const moments: readonly string[] = ['instant', 'date']
const texts: readonly string[] = ['text', 'uid', 'instant', 'date', 'choice']

/** True if every value of one type is a value of the other, judged by the types. */
export function fits(given: ValueType, wanted: ValueType): boolean {
  if (given.kind === 'any') return typesIn(given)?.every(type => fits(type, wanted)) ?? true
  if (wanted.kind === 'any') return typesIn(wanted)?.some(type => fits(given, type)) ?? true
  if (wanted.kind === 'choice') return given.kind === 'choice' && given.of.every(text => wanted.of.includes(text))
  if (wanted.kind === 'text') return texts.includes(given.kind)
  if (wanted.kind === 'number') return given.kind === 'number' || given.kind === 'integer'
  if (wanted.kind === 'list') return given.kind === 'list' && fits(given.of.type, wanted.of.type)
  if (wanted.kind === 'object') return given.kind === 'object' && haveFields(given.fields, wanted.fields)
  return given.kind === wanted.kind
}

/** True if a value of one type can equal one of the other. */
export function canEqual(one: ValueType, other: ValueType): boolean {
  const types = typesIn(one)
  if (types) return types.some(type => canEqual(type, other))
  if (typesIn(other)) return canEqual(other, one)
  if (one.kind === 'choice' && other.kind === 'choice') return one.of.some(text => other.of.includes(text))
  if (texts.includes(one.kind) && texts.includes(other.kind)) return true
  return fits(one, other) || fits(other, one)
}

/** True if a value of one type has an order with one of the other: two numbers, or two moments. */
export function canPrecede(one: ValueType, other: ValueType): boolean {
  if (one.kind === 'any' || other.kind === 'any') return true
  return [numbers, moments].some(kinds => kinds.includes(one.kind) && kinds.includes(other.kind))
}

function haveFields(given: Members, wanted: Members): boolean {
  return Object.entries(wanted).every(([name, { type, optional }]) => {
    if (casingsOf(given, name).length > 1) return false
    const member = memberNamed(given, name)
    return member === undefined ? optional : (optional || !member.optional) && fits(member.type, type)
  })
}

/** The field of a name. The service accepts the names of a request in any casing. */
export function memberNamed<Value>(members: Readonly<Record<string, Value>>, name: string): Value | undefined {
  const found = nameIn(members, name)
  return found === undefined ? undefined : members[found]
}

/** The name of a field as an object has it. */
export function nameIn(members: Readonly<Record<string, unknown>>, name: string): string | undefined {
  return Object.hasOwn(members, name) ? name : casingsOf(members, name)[0]
}

/** The names that are one field of a request, which the service refuses if it has several of them. */
export function casingsOf(members: Readonly<Record<string, unknown>>, name: string): string[] {
  const folded = name.toLowerCase()
  return Object.keys(members).filter(known => known.toLowerCase() === folded)
}
